# SPDX-License-Identifier: Apache-2.0
"""stackTrace: device frames stand above the host frames that launched the kernel."""

from __future__ import annotations

from asclens_debugadapter.present.results import source_of
from asclens_debugadapter.protocol.wire import Message
from asclens_debugadapter.session.keys import CoreThread, DeviceFrame, FrameKey, HostFrame, HostThread, WaitingFrame
from asclens_debugadapter.session.session import Session


async def stack_trace(session: Session, arguments: Message) -> Message:
    """List the frames of a thread, innermost first; the launching host frames stand below core 0 only."""
    thread = session.threads.key(arguments.get("threadId"))
    running = session.running
    frames: list[Message] = []
    if isinstance(thread, CoreThread):
        answer = await session.engine.request("debug.stack", core=thread.core)
        frames = [_frame(session, DeviceFrame(thread.core, index), item) for index, item in enumerate(answer["frames"])]
    waits = running is not None and (
        (isinstance(thread, CoreThread) and thread.core == 0 and session.host is not None)
        or (isinstance(thread, HostThread) and thread.inner == running.host)
    )
    if waits and running is not None:
        answer = await session.engine.request("host.frames", launch=running.id)
        frames += [
            _frame(session, WaitingFrame(running.id, index), item) for index, item in enumerate(answer["frames"])
        ]
    elif isinstance(thread, HostThread):
        answer = await session.peer().send("stackTrace", {"threadId": thread.inner})
        frames = [{**item, "id": session.frames.number(HostFrame(item["id"]))} for item in answer["stackFrames"]]
    start = arguments.get("startFrame") or 0
    end = start + (arguments.get("levels") or len(frames))
    return {"stackFrames": frames[start:end], "totalFrames": len(frames)}


def _frame(session: Session, key: FrameKey, item: Message) -> Message:
    frame: Message = {
        "id": session.frames.number(key),
        "name": item["name"],
        "line": item["line"],
        "column": item.get("column", 1),
        "source": source_of(item["file"]),
    }
    if item.get("end_line"):
        frame |= {"endLine": item["end_line"], "endColumn": item["end_column"]}
    return frame


HANDLERS = {"stackTrace": stack_trace}
