# SPDX-License-Identifier: Apache-2.0
"""What the debugger has asked for, kept from launch to launch."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from asclens_compiler.errors import AscLensError

if TYPE_CHECKING:
    from asclens_compiler.engine.debugging.run import DebugRun

ANY_THREAD = "*"

_HIT = re.compile(r"\s*(==|=|>=|>|<=|<|%)?\s*(\d+)\s*$")
_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "==": lambda hits, limit: hits == limit,
    "=": lambda hits, limit: hits == limit,
    ">=": lambda hits, limit: hits >= limit,
    ">": lambda hits, limit: hits > limit,
    "<=": lambda hits, limit: hits <= limit,
    "<": lambda hits, limit: hits < limit,
    "%": lambda hits, limit: limit > 0 and hits % limit == 0,
}


@dataclass(slots=True, kw_only=True)
class Breakpoint:
    """A line to stop at, perhaps only sometimes, or to log at; `hits` counts per launch."""

    line: int
    condition: str = ""
    hit_condition: str = ""
    log_message: str = ""
    hits: int = 0

    def counts(self) -> bool:
        """Count one more hit and tell whether the hit condition holds."""
        self.hits += 1
        if not self.hit_condition:
            return True
        operator, limit = parse_hit_condition(self.hit_condition)
        return _COMPARE[operator](self.hits, limit)


def parse_hit_condition(text: str) -> tuple[str, int]:
    """Return operator and number; a bare number means "from that hit on". AscLensError for anything else."""
    match = _HIT.match(text)
    if match is None:
        raise AscLensError(f"the hit condition {text!r} is no number with an operator in front (==, >, >=, <, <=, %)")
    return match[1] or ">=", int(match[2])


@dataclass(slots=True)
class DebugState:
    """Breakpoints by real path, the thread whose next launch stops at entry, the cores that stop."""

    breakpoints: dict[str, list[Breakpoint]] = field(default_factory=dict[str, list[Breakpoint]])
    entry: int | str | None = None
    stop_cores: frozenset[int] | None = frozenset({0})
    run: DebugRun | None = None
    early_pause: bool = False  # asked for while a launch is being prepared

    def set_breakpoints(self, file: str, wanted: Sequence[Breakpoint]) -> None:
        """Replace the breakpoints of a file."""
        self.breakpoints[os.path.realpath(file)] = list(wanted)

    def of_file(self, file: str) -> list[Breakpoint]:
        """Return the breakpoints of a file."""
        return self.breakpoints.get(os.path.realpath(file), [])

    def take_entry(self, thread: int | None) -> bool:
        """Tell whether a launch of this thread stops at its first line; that holds once, unless for all threads."""
        if self.entry == ANY_THREAD:
            return True
        if self.entry is None or thread not in (self.entry, None):
            return False
        self.entry = None
        return True

    def take_early_pause(self) -> bool:
        """Tell whether a launch stops at its first line because a pause was asked for before it ran; holds once."""
        wanted, self.early_pause = self.early_pause, False
        return wanted

    def standing(self) -> DebugRun:
        """Return the launch that stands still; AscLensError when none does."""
        run = self.run
        if run is None:
            raise AscLensError("no kernel is running")
        if run.moving:
            raise AscLensError("the device is running")
        return run


def breakpoint_of(item: dict[str, Any]) -> Breakpoint:
    """Return the breakpoint that a request describes; AscLensError for a malformed hit condition."""
    found = Breakpoint(
        line=int(item["line"]),
        condition=str(item.get("condition") or ""),
        hit_condition=str(item.get("hit_condition") or ""),
        log_message=str(item.get("log_message") or ""),
    )
    if found.hit_condition:
        parse_hit_condition(found.hit_condition)
    return found
