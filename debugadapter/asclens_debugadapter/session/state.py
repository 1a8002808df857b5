# SPDX-License-Identifier: Apache-2.0
"""What runs and what stands: the mutable state of a session."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True, kw_only=True)
class RunningLaunch:
    """The launch the device works on; `host` is debugpy's number of the thread that waits for it, when known."""

    id: int
    host: int | None
    kernel: str
    core_names: tuple[str, ...]
    stopped: bool = False


@dataclass(slots=True)
class HostState:
    """What debugpy's side does."""

    stopped: int | None = None  # the thread debugpy stopped for; it stops all its threads
    stepping: dict[int, str] = field(default_factory=dict[int, str])  # steps whose end debugpy has not reported
    cancelled: set[int] = field(default_factory=set[int])  # steps whose end the user no longer wants to see
    returning: set[int] = field(default_factory=set[int])  # threads that stop because a stepped-out kernel returned
