# SPDX-License-Identifier: Apache-2.0
"""evaluate: Python over kernel names, or in the script."""

from __future__ import annotations

from asclens_debugadapter.present.values import device_value, host_reference, waiting_value
from asclens_debugadapter.protocol.wire import DapError, Message
from asclens_debugadapter.session.keys import DeviceFrame, FrameKey, HostFrame
from asclens_debugadapter.session.session import Session


async def evaluate(session: Session, arguments: Message) -> Message:
    """Evaluate an expression in a frame; without one, in the innermost frame of core 0."""
    frame = _frame(session, arguments)
    expression = str(arguments.get("expression", ""))
    if isinstance(frame, HostFrame):
        answer = await session.peer().send("evaluate", {**arguments, "frameId": frame.inner})
        return {**answer, "variablesReference": host_reference(session, answer)}
    if isinstance(frame, DeviceFrame):
        answer = await session.engine.request(
            "debug.evaluate", core=frame.core, frame=frame.index, expression=expression
        )
        shown = device_value(session, frame, answer)
    else:
        answer = await session.engine.request(
            "host.evaluate", launch=frame.launch, frame=frame.index, expression=expression
        )
        shown = waiting_value(session, frame, answer)
    shown["result"] = shown.pop("value")
    return shown


def _frame(session: Session, arguments: Message) -> FrameKey:
    if arguments.get("frameId") is not None:
        return session.frames.key(arguments["frameId"])
    if session.running is not None and session.running.stopped:
        return DeviceFrame(0, 0)
    raise DapError("nothing is stopped, so there is no frame to evaluate in")


HANDLERS = {"evaluate": evaluate}
