# SPDX-License-Identifier: Apache-2.0
"""What an engine remembers between requests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from asclens_compiler.engine.debugging.state import DebugState
from asclens_compiler.errors import AscLensError

if TYPE_CHECKING:
    from asclens_compiler.engine.transport import Link, ScriptListener

DEFAULT_SOC = "Ascend910B1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of all later launches (`options`); limits of 0 mean none."""

    soc: str = DEFAULT_SOC
    checks: str = "all"
    schedule: str = "program"
    seed: int = 0
    on_violation: str = "report"
    max_steps: int = 0
    max_seconds: float = 0.0
    trace: bool = False
    debug: bool = False

    def updated(self, given: Mapping[str, Any]) -> Options:
        """Return these options with some replaced; AscLensError for a name or value that does not exist."""
        known: dict[str, type[Any]] = {item.name: type(getattr(self, item.name)) for item in fields(self)}
        for name, value in given.items():
            wanted = known.get(name)
            if wanted is None:
                raise AscLensError(f"there is no option {name!r}; options: {', '.join(sorted(known))}")
            if not isinstance(value, wanted) and not (wanted is float and isinstance(value, int)):
                raise AscLensError(f"option {name!r} is a {wanted.__name__}, not {value!r}")
            allowed = _CHOICES.get(name)
            if allowed is not None and value not in allowed:
                raise AscLensError(f"option {name!r} is one of {', '.join(allowed)}, not {value!r}")
        return replace(self, **given)


_CHOICES = {
    "checks": ("none", "fast", "all"),
    "schedule": ("program", "adversarial"),
    "on_violation": ("report", "stop"),
}


@dataclass(slots=True, kw_only=True)
class Running:
    """The launch in hand: who waits for it, and how to end it early."""

    number: int
    link: Link | None
    request: int
    cancel: Callable[[], None] = lambda: None
    cancelled: bool = False


@dataclass(slots=True)
class State:
    """Everything that lives as long as the engine."""

    options: Options = field(default_factory=Options)
    listener: ScriptListener | None = None
    port: int = 0
    launches: int = 0
    running: Running | None = None
    debugging: DebugState = field(default_factory=DebugState)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, link: Link | None, request: int) -> Running:
        """Number a new launch and remember it as the one in hand."""
        with self.lock:
            self.launches += 1
            self.running = Running(number=self.launches, link=link, request=request)
            return self.running

    def end(self) -> None:
        """Forget the launch in hand."""
        with self.lock:
            self.running = None

    def cancel(self, link: Link, request: int | None = None) -> None:
        """End the launch in hand when it is this link's (and this request's)."""
        with self.lock:
            running = self.running
            if running is None or running.link is not link or request not in (None, running.request):
                return
            running.cancelled = True
        running.cancel()

    def script_gone(self, link: Link) -> None:
        """End the launch in hand when its script has ended."""
        self.cancel(link)
