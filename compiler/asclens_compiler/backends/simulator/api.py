# SPDX-License-Identifier: Apache-2.0
"""What callers give to the simulator and get from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy.typing as npt

from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.source.span import Span


class Checks(Enum):
    """Choose how much a run checks.

    FAST keeps what costs nothing in steady state (bounds, alignment, ranges, flags, queues,
    deadlock); ALL adds races, uninitialised reads and overwritten buffers.
    """

    NONE = "none"
    FAST = "fast"
    ALL = "all"


class Schedule(Enum):
    """Choose when asynchronous instructions take effect.

    PROGRAM: in program order; finds every race on the executed path. ADVERSARIAL: as late as the
    flags allow on pipes picked by the seed, so that a missing flag shows in the numbers; races and
    uninitialised reads are not looked for.
    """

    PROGRAM = "program"
    ADVERSARIAL = "adversarial"


class OnViolation(Enum):
    """Choose what a failed check does: report once per site and go on, or stop there."""

    REPORT = "report"
    STOP = "stop"


@dataclass(frozen=True, slots=True, kw_only=True)
class SimOptions:
    """Options of one run; limits of 0 mean none."""

    checks: Checks = Checks.ALL
    schedule: Schedule = Schedule.PROGRAM
    seed: int = 0
    on_violation: OnViolation = OnViolation.REPORT
    max_steps: int = 0
    max_seconds: float = 0.0
    trace: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ArrayArg:
    """A buffer in global memory; results are written into `data` (any shape, C-contiguous)."""

    name: str
    data: npt.NDArray[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalarArg:
    """A number for a scalar parameter."""

    name: str
    value: int | float | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StructArg:
    """Values for the fields of a struct parameter, in order."""

    name: str
    type: str
    fields: tuple[tuple[str, int | float | bool], ...]


Arg = ArrayArg | ScalarArg | StructArg


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """One line a kernel printed."""

    core: int
    text: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A failed check: the diagnostic, where it fired first and how often its site fired."""

    diagnostic: Diagnostic
    core: int
    step: int
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """One edge of a deadlock: a pipe of a core, the line it stands at and what it waits for."""

    core: int
    pipe: str
    span: Span
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEvent:
    """One executed instruction; times in core cycles from the launch."""

    core: int
    pipe: str
    op: str
    start: int
    duration: int
    nbytes: int
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What a run gave.

    `ok` is false when the kernel could not finish (deadlock, limit, stop at a violation, trap);
    `error` then says why in one sentence. `cycles` is the time of the slowest core, `pipes` the
    busy cycles per pipe of the core that was busiest there, `steps` counts executed operations.
    """

    ok: bool
    cycles: int
    pipes: dict[str, int]
    steps: int
    prints: tuple[Print, ...]
    findings: tuple[Finding, ...]
    deadlock: tuple[Wait, ...]
    trace: tuple[TraceEvent, ...]
    error: str = ""

    @property
    def violations(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics of all failed checks, in order of first appearance."""
        return tuple(finding.diagnostic for finding in self.findings)


PrintSink = Callable[[Print], None]
