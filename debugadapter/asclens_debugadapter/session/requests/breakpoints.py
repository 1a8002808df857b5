# SPDX-License-Identifier: Apache-2.0
"""setBreakpoints: lines of kernels go to the device, all others to the host."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from asclens_debugadapter.protocol.wire import DapError, Message, entries, section
from asclens_debugadapter.session.session import Session

ORDERED = True
_FIELDS = (("condition", "condition"), ("hitCondition", "hit_condition"), ("logMessage", "log_message"))


@dataclass(frozen=True, slots=True)
class KernelLines:
    """The body of a device function: first and last line, and the lines where a statement starts."""

    first: int
    last: int
    stops: tuple[int, ...]


async def set_breakpoints(session: Session, arguments: Message) -> Message:
    """Replace the breakpoints of one source; answer with the lines they moved to."""
    path = section(arguments, "source").get("path")
    if not path:
        raise DapError("breakpoints need a source with a path")
    kernels = await _kernels(session, path)
    found: list[Message] = []
    device: list[tuple[Message, Message]] = []
    host: list[tuple[Message, Message]] = []
    for wanted in entries(arguments, "breakpoints"):
        entry: Message = {"id": next(session.breakpoint_numbers), "verified": False, "line": wanted["line"]}
        found.append(entry)
        inside = any(kernel.first <= wanted["line"] <= kernel.last for kernel in kernels)
        (device if inside else host).append((wanted, entry))
    await _set_device(session, path, device)
    await _set_host(session, arguments["source"], host)
    return {"breakpoints": found}


async def _kernels(session: Session, path: str) -> list[KernelLines]:
    if not session.engine.alive:  # a child's session has no device
        return []
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return []
    answer = await session.engine.request("debug.kernel_lines", file=path, text=text)
    return [KernelLines(item["first"], item["last"], tuple(item["stops"])) for item in answer["kernels"]]


async def _set_device(session: Session, path: str, wanted: list[tuple[Message, Message]]) -> None:
    if not session.engine.alive:
        return
    lines = [
        {"line": item["line"], **{ours: item[theirs] for theirs, ours in _FIELDS if item.get(theirs)}}
        for item, _ in wanted
    ]
    answer = await session.engine.request("debug.breakpoints", file=path, breakpoints=lines)
    for (_, entry), got in zip(wanted, answer["breakpoints"], strict=True):
        entry.update(verified=got["verified"], line=got["line"])
        if got.get("message"):
            entry["message"] = got["message"]


async def _set_host(session: Session, source: Message, wanted: list[tuple[Message, Message]]) -> None:
    if not session.debugs_host:
        return
    lines = [item for item, _ in wanted]
    answer = await session.peer().send("setBreakpoints", {"source": source, "breakpoints": lines})
    for (_, entry), got in zip(wanted, answer["breakpoints"], strict=True):
        entry.update({key: value for key, value in got.items() if key not in ("id", "source")})
        if "id" in got:
            session.inner_breakpoints[got["id"]] = entry["id"]


HANDLERS = {"setBreakpoints": set_breakpoints}
