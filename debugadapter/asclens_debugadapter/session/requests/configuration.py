# SPDX-License-Identifier: Apache-2.0
"""configurationDone and exception breakpoints."""

from __future__ import annotations

from asclens_debugadapter.protocol.wire import Message
from asclens_debugadapter.session.session import Session

ORDERED = True


async def configuration_done(session: Session, arguments: Message) -> Message:
    """Let the script start."""
    session.configured.set()
    if not session.debugs_host:
        return {}
    return await session.peer().send("configurationDone", arguments)


async def set_exception_breakpoints(session: Session, arguments: Message) -> Message:
    """Pass the host's exception filters on."""
    if not session.debugs_host:
        return {}
    return await session.peer().send("setExceptionBreakpoints", arguments)


HANDLERS = {"configurationDone": configuration_done, "setExceptionBreakpoints": set_exception_breakpoints}
