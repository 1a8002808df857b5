# SPDX-License-Identifier: Apache-2.0
"""Values of the three kinds of frames as DAP variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asclens_debugadapter.protocol.wire import Message
from asclens_debugadapter.session.keys import DeviceFrame, DeviceValue, HostValue, WaitingFrame, WaitingValue

if TYPE_CHECKING:
    from asclens_debugadapter.session.session import Session


def host_reference(session: Session, item: Message) -> int:
    """Return our number for a value that debugpy knows by its own."""
    inner = item.get("variablesReference")
    return session.values.number(HostValue(inner)) if inner else 0


def device_value(session: Session, frame: DeviceFrame, item: Message) -> Message:
    """Return the DAP form of a kernel value."""
    reference = item.get("reference")
    shown: Message = {
        "value": item["value"],
        "type": item.get("type", ""),
        "variablesReference": session.values.number(DeviceValue(frame, reference)) if reference else 0,
    }
    if "name" in item:
        shown["name"] = item["name"]
        shown["evaluateName"] = item.get("evaluate_name", item["name"])
    for ours, theirs in (("named", "namedVariables"), ("indexed", "indexedVariables")):
        if item.get(ours) is not None:
            shown[theirs] = item[ours]
    return shown


def waiting_value(session: Session, frame: WaitingFrame, item: Message) -> Message:
    """Return the DAP form of a value in a host frame that waits for a launch."""
    reference = item.get("reference")
    shown: Message = {
        "value": item["value"],
        "type": item.get("type", ""),
        "variablesReference": session.values.number(WaitingValue(frame, reference)) if reference else 0,
    }
    if "name" in item:
        shown["name"] = item["name"]
    if item.get("indexed"):
        shown["indexedVariables"] = item["indexed"]
    return shown
