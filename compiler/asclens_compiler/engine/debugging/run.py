# SPDX-License-Identifier: Apache-2.0
"""One launch under the debugger: moves it, stops it, tells the owner, waits for what comes next."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from asclens_compiler.backends.simulator.api import RunResult
from asclens_compiler.backends.simulator.session import How, Reason, Session, Stopped
from asclens_compiler.engine.debugging.lines import function_name
from asclens_compiler.engine.debugging.masks import masks_of
from asclens_compiler.engine.debugging.state import Breakpoint, DebugState
from asclens_compiler.engine.debugging.values import Known, Values
from asclens_compiler.errors import AscLensError

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine
    from asclens_compiler.engine.state import Running

log = logging.getLogger(__name__)

JsonObject = dict[str, Any]

MOVES = {item.value: item for item in How}
BACKWARDS = ("step_back", "reverse")

_REASONS = {
    Reason.ENTRY: "entry",
    Reason.STEP: "step",
    Reason.BREAKPOINT: "breakpoint",
    Reason.PAUSE: "pause",
    Reason.VIOLATION: "exception",
    Reason.END: "exception",
}
_PAUSE_EVERY_S = 0.02
# A pause in the middle of these costs nothing: they can be taken up again.
_INTERRUPTIBLE = (How.CONTINUE, How.FINISH)


class DebugRun:
    """A launch that can stand still. The main thread runs it; other threads may call `pause` and `attend`."""

    def __init__(
        self, engine: Engine, running: Running, session: Session, kernel: str, constants: Mapping[str, Any]
    ) -> None:
        self.session = session
        self.known = Known(masks=masks_of(session.machine.program), constants=constants)
        self.moving = False
        self.stop_host = False
        self._engine = engine
        self._running = running
        self._kernel = kernel
        self._next: tuple[str, int] | None = None
        self._how = How.CONTINUE
        self._core = 0
        self._pause_wanted = False
        self._returns = 0  # how often the session came back from moving
        self._begun = threading.Event()
        running.cancel = self._cancel
        self._state.run = self
        session.stop_cores = self._state.stop_cores
        for found in self._breakpoints().values():
            for item in found:
                item.hits = 0
        self.apply_breakpoints()

    @property
    def _state(self) -> DebugState:
        return self._engine.state.debugging

    # -- the main thread ------------------------------------------------------------------------------
    def run(self, *, at_entry: bool) -> RunResult:
        """Run to the end, standing still where the user wants."""
        session = self.session
        paused = self._state.take_early_pause()
        try:
            stopped = self._move(lambda: session.start() if at_entry or paused else session.resume(How.CONTINUE))
            if paused and stopped.reason is Reason.ENTRY:
                stopped = replace(stopped, reason=Reason.PAUSE)
            while not self._over(stopped):
                self._report(stopped)
                stopped = self._next_stop()
        finally:
            self._begun.set()
            self._state.run = None
        return session.result()

    def _over(self, stopped: Stopped) -> bool:
        if self._running.cancelled:
            self.session.error = self.session.error or "the script no longer waits for it"
            return True
        return stopped.reason is Reason.END and not stopped.error

    def _next_stop(self) -> Stopped:
        """Serve the owner until it says how to go on, and go on."""
        session = self.session
        while self._next is None:
            if self._running.cancelled:
                return Stopped(reason=Reason.END, core=0)
            self._engine.serve_one()
        how, core = self._next
        self._next = None
        self.known.arrays.clear()
        if session.finished and how not in BACKWARDS:
            return Stopped(reason=Reason.END, core=core)  # the user has seen why it could not finish
        if how == "step_back":
            return self._move(lambda: session.back(core))
        if how == "reverse":
            return self._move(session.reverse)
        self._how = MOVES[how]
        self.stop_host = self._how is not How.CONTINUE
        self._core = core
        return self._move(lambda: session.resume(self._how, core))

    def _move(self, move: Callable[[], Stopped]) -> Stopped:
        self._begin_moving()
        self._begun.set()
        try:
            stopped = self._came_back(move())
            while not self._running.cancelled and self._passes(stopped):
                stopped = self._came_back(self.session.resume(self._how, self._core))
        finally:
            self.moving = False
        if stopped.reason is Reason.VIOLATION and stopped.diagnostic is not None:
            self.session.error, self.session.finished = stopped.diagnostic.message, True
        return stopped

    def _came_back(self, stopped: Stopped) -> Stopped:
        self._returns += 1
        return stopped

    def _begin_moving(self) -> None:
        """Serve what waits, then move; whatever comes later finds `moving` set and asks for attention."""
        while True:
            self.moving = True
            if not self._engine.has_waiting():
                return
            self.moving = False
            self._engine.serve_waiting()

    def _passes(self, stopped: Stopped) -> bool:
        """Tell whether a stop is not for the user: served requests, conditions that do not hold, log points."""
        if stopped.reason is Reason.PAUSE and not self._pause_wanted:
            self._begin_moving()
            return self._next is None
        self._pause_wanted = False
        if stopped.reason is not Reason.BREAKPOINT:
            return False
        span = self.session.frames(stopped.core)[0].span
        here = [item for item in self._state.of_file(span.file) if self._line_of(span.file, item) == span.line]
        stops = [self._hit(item, stopped.core, span.file, span.line) for item in here]
        return bool(stops) and not any(stops)

    def _hit(self, item: Breakpoint, core: int, file: str, line: int) -> bool:
        """Tell whether a breakpoint that was reached stops."""
        values = self.values(core, 0)
        try:
            if item.condition and not _truth(values.evaluate(item.condition)):
                return False
        except AscLensError as error:
            self._log(core, file, line, f"breakpoint condition {item.condition!r}: {error.message}")
            return True
        if not item.counts():
            return False
        if not item.log_message:
            return True
        self._log(core, file, line, _filled(item.log_message, values))
        return False

    def _log(self, core: int, file: str, line: int, text: str) -> None:
        self._engine.emit(
            "log", {"launch": self._running.number, "core": core, "file": file, "line": line, "text": text}
        )

    def _report(self, stopped: Stopped) -> None:
        span = self.session.frames(stopped.core)[0].span
        body: JsonObject = {
            "launch": self._running.number,
            "core": stopped.core,
            "reason": _REASONS[stopped.reason],
            "file": span.file,
            "line": span.line,
        }
        text = stopped.error or (stopped.diagnostic.message if stopped.diagnostic is not None else "")
        if text:
            body["text"] = text
        self._engine.emit("stopped", body)

    # -- requests, while it stands ----------------------------------------------------------------------
    def resume(self, how: str, core: int) -> None:
        """Go on after this request; AscLensError for an unknown way."""
        if how not in MOVES and how not in BACKWARDS:
            raise AscLensError(f"there is no way {how!r} to go on")
        self.check_core(core)
        self._next = (how, core)
        self.moving = True  # from here on: a pause that comes before the first instruction counts

    def check_core(self, core: int) -> None:
        """Raise AscLensError for a core that the launch does not have."""
        count = len(self.session.machine.cores)
        if not 0 <= core < count:
            raise AscLensError(f"there is no core {core}; the launch has {count}")

    def frames(self, core: int) -> list[JsonObject]:
        """Return the frames of a core, innermost first."""
        self.check_core(core)
        found = self.session.frames(core)
        return [
            {
                "name": function_name(item.span.file, item.span.line) or self._kernel,
                "file": item.span.file,
                "line": item.span.line,
                "column": item.span.column,
                "end_line": item.span.end_line,
                "end_column": item.span.end_column,
            }
            for item in found
        ]

    def values(self, core: int, frame: int) -> Values:
        """Return the values of a frame, counted from the innermost; AscLensError when it does not exist."""
        self.check_core(core)
        depth = self.session.depth(core) - frame
        if depth < 0 or frame < 0:
            raise AscLensError(f"core {core} has no frame {frame}")
        return Values(self.session, core, depth, self.known)

    def apply_breakpoints(self) -> None:
        """Give the breakpoints that the user has set to the session."""
        for file, found in self._breakpoints().items():
            self.session.set_breakpoints(file, [item.line for item in found])

    def _breakpoints(self) -> dict[str, list[Breakpoint]]:
        files = {place[0] for start in self.session.statements.starts.values() for place in start.places}
        return {file: self._state.of_file(file) for file in files}

    def _line_of(self, file: str, item: Breakpoint) -> int | None:
        return self.session.statements.resolve(file, item.line)

    # -- other threads ----------------------------------------------------------------------------------
    def pause(self) -> bool:
        """Ask the launch to stand still; False when it does already."""
        self._begun.wait()
        if not self.moving:
            return False
        self._pause_wanted = True
        self._insist()
        return True

    def attend(self) -> None:
        """Have a request served that came while the launch moves, when it can be taken up again."""
        if self.moving and self._how in _INTERRUPTIBLE:
            self._insist()

    def _insist(self) -> None:
        """Ask until the session comes back: a request that comes just when it starts to move is lost."""
        seen = self._returns
        while self._returns == seen and self._state.run is self:
            self.session.pause()
            time.sleep(_PAUSE_EVERY_S)

    def _cancel(self) -> None:
        if self.moving:
            self._insist()
        self._engine.poke()


def _truth(value: object) -> bool:
    return bool(np.all(value)) if isinstance(value, np.ndarray) else bool(value)  # pyright: ignore[reportUnknownArgumentType]


def _filled(message: str, values: Values) -> str:
    """Return a log message with its `{expressions}` replaced."""
    parts: list[str] = []
    rest = message
    while "{" in rest:
        before, _, after = rest.partition("{")
        expression, closed, rest = after.partition("}")
        parts.append(before)
        if not closed:
            parts.append("{" + expression)
            break
        try:
            parts.append(values.shown(values.evaluate(expression))["value"])
        except AscLensError as error:
            parts.append(f"<{error.message}>")
    return "".join(parts) + rest
