# SPDX-License-Identifier: Apache-2.0
"""threads: those of the script, then the cores of the running launch."""

from __future__ import annotations

from asclens_debugadapter.protocol.wire import Message
from asclens_debugadapter.session.device import core_threads
from asclens_debugadapter.session.keys import HostThread
from asclens_debugadapter.session.session import Session


async def threads(session: Session, _arguments: Message) -> Message:
    """List all threads."""
    found: list[Message] = []
    if session.debugs_host:
        answer = await session.peer().send("threads")
        found = [{"id": session.threads.number(HostThread(t["id"])), "name": t["name"]} for t in answer["threads"]]
    return {"threads": found + core_threads(session)}


HANDLERS = {"threads": threads}
