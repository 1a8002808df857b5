# SPDX-License-Identifier: Apache-2.0
"""disconnect and terminate: leave nothing behind."""

from __future__ import annotations

from asclens_debugadapter.protocol.wire import Message
from asclens_debugadapter.session.session import Session


async def end(session: Session, _arguments: Message) -> Message:
    """End every child, then answer."""
    await session.close()
    return {}


HANDLERS = {"disconnect": end, "terminate": end}
