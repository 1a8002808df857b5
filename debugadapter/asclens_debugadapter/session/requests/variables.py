# SPDX-License-Identifier: Apache-2.0
"""scopes, variables and setVariable on both targets."""

from __future__ import annotations

from asclens_debugadapter.present.values import device_value, host_reference, waiting_value
from asclens_debugadapter.protocol.wire import DapError, Message
from asclens_debugadapter.session.keys import DeviceFrame, DeviceValue, HostFrame, HostValue, WaitingValue
from asclens_debugadapter.session.session import Session


async def scopes(session: Session, arguments: Message) -> Message:
    """List the scopes of a frame."""
    frame = session.frames.key(arguments.get("frameId"))
    if isinstance(frame, HostFrame):
        answer = await session.peer().send("scopes", {"frameId": frame.inner})
        return {"scopes": [{**item, "variablesReference": host_reference(session, item)} for item in answer["scopes"]]}
    if isinstance(frame, DeviceFrame):
        answer = await session.engine.request("debug.scopes", core=frame.core, frame=frame.index)
        return {
            "scopes": [
                {
                    "name": item["name"],
                    "variablesReference": session.values.number(DeviceValue(frame, item["reference"])),
                    "expensive": bool(item.get("expensive")),
                }
                for item in answer["scopes"]
            ]
        }
    reference = session.values.number(WaitingValue(frame, None))
    return {"scopes": [{"name": "Locals", "variablesReference": reference, "expensive": False}]}


async def variables(session: Session, arguments: Message) -> Message:
    """List the members of a scope or container; `start` and `count` page long ones."""
    value = session.values.key(arguments.get("variablesReference"))
    if isinstance(value, HostValue):
        answer = await session.peer().send("variables", {**arguments, "variablesReference": value.inner})
        found = [{**item, "variablesReference": host_reference(session, item)} for item in answer["variables"]]
        return {"variables": found}
    if isinstance(value, DeviceValue):
        answer = await session.engine.request(
            "debug.variables",
            core=value.frame.core,
            frame=value.frame.index,
            reference=value.reference,
            start=arguments.get("start"),
            count=arguments.get("count"),
        )
        return {"variables": [device_value(session, value.frame, item) for item in answer["variables"]]}
    launch, page = value.frame.launch, {"start": arguments.get("start"), "count": arguments.get("count")}
    if value.reference is None:
        answer = await session.engine.request("host.locals", launch=launch, frame=value.frame.index)
    else:
        answer = await session.engine.request("host.children", launch=launch, reference=value.reference, **page)
    return {"variables": [waiting_value(session, value.frame, item) for item in answer["variables"]]}


async def set_variable(session: Session, arguments: Message) -> Message:
    """Change a variable of a kernel, or of a stopped host frame."""
    value = session.values.key(arguments.get("variablesReference"))
    if isinstance(value, HostValue):
        answer = await session.peer().send("setVariable", {**arguments, "variablesReference": value.inner})
        return {**answer, "variablesReference": host_reference(session, answer)}
    if isinstance(value, DeviceValue):
        answer = await session.engine.request(
            "debug.set_variable",
            core=value.frame.core,
            frame=value.frame.index,
            reference=value.reference,
            name=arguments["name"],
            value=arguments["value"],
        )
        return {"value": answer["value"], "type": answer.get("type", "")}
    raise DapError("variables of a frame that waits for a kernel cannot be changed")


HANDLERS = {"scopes": scopes, "variables": variables, "setVariable": set_variable}
