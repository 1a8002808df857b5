# SPDX-License-Identifier: Apache-2.0
"""initialize: what this adapter can do."""

from __future__ import annotations

from asclens_debugadapter.protocol.wire import Message
from asclens_debugadapter.session.session import Session

CAPABILITIES: Message = {
    "supportsConfigurationDoneRequest": True,
    "supportsTerminateRequest": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsEvaluateForHovers": True,
    "supportsSetVariable": True,
    "supportsSteppingGranularity": False,
    "supportsStepBack": True,
    "exceptionBreakpointFilters": [
        {"filter": "uncaught", "label": "Uncaught Exceptions", "default": True},
        {"filter": "raised", "label": "Raised Exceptions", "default": False},
    ],
}


async def initialize(session: Session, arguments: Message) -> Message:
    """Note what the client can do, answer what we can."""
    session.client_starts_sessions = bool(arguments.get("supportsStartDebuggingRequest"))
    return CAPABILITIES


HANDLERS = {"initialize": initialize}
