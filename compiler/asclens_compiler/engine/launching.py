# SPDX-License-Identifier: Apache-2.0
"""One launch: compile the record's kernel, run it, tell the owner, return the launch result."""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from asclens_compiler.ascir.program import CoreKind
from asclens_compiler.backends.simulator.api import Checks, OnViolation, Print, RunResult, Schedule, SimOptions
from asclens_compiler.backends.simulator.run import simulate
from asclens_compiler.diagnostics.json import all_to_json
from asclens_compiler.engine.arguments import describe, simulator_arguments
from asclens_compiler.engine.findings_text import findings_text, read_file
from asclens_compiler.engine.pipeline import Compiled, finish
from asclens_compiler.engine.state import Options, Running
from asclens_compiler.frontend.driver import compile_launch

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine

JsonObject = dict[str, Any]

_CACHE_SIZE = 64


def launch(engine: Engine, running: Running, record: JsonObject) -> JsonObject:
    """Run a launch record to its end and return the launch result."""
    started = time.perf_counter()
    options = engine.state.options
    soc = record.get("soc") or options.soc
    compiled = COMPILER.compile({**record, "soc": soc}, soc)
    result = _blank(record, compiled, soc)
    engine.emit(
        "launch.started",
        {
            "launch": running.number,
            "thread": record.get("thread"),
            "kernel": result["kernel"],
            "file": result["file"],
            "line": result["line"],
            "cores": _core_names(record["core_num"], compiled),
        },
    )
    if compiled.program is None:
        result["error"] = _compile_error(record, compiled)
    elif record.get("compile_only"):
        result["ok"] = result["compiled"] = True
    else:
        result["compiled"] = True
        _run(engine, running, record, compiled, result)
    result["wall_ms"] = round((time.perf_counter() - started) * 1e3, 3)
    engine.emit("launch.finished", {"launch": running.number, "result": result, "stop_host": False})
    return result


def _run(engine: Engine, running: Running, record: JsonObject, compiled: Compiled, result: JsonObject) -> None:
    program = compiled.program
    assert program is not None

    def on_print(line: Print) -> None:
        engine.emit("print", {"launch": running.number, **_print(line)})

    outcome = simulate(
        program,
        target=result["soc"],
        blocks=record["core_num"],
        args=simulator_arguments(record["args"], [param.name for param in program.params]),
        options=simulator_options(engine.state.options),
        on_print=on_print,
    )
    fill_outcome(result, outcome, compiled)
    if not outcome.ok:
        headline = f"{result['kernel']} did not finish: {outcome.error}"
        result["error"] = findings_text(headline, outcome.violations, _texts(record))


def fill_outcome(result: JsonObject, outcome: RunResult, compiled: Compiled) -> None:
    """Put what a run gave into a launch result."""
    kernel = compiled.kernel
    violations = [
        item.located(kernel=kernel.kernel, specialisation=kernel.specialisation, soc=result["soc"])
        for item in outcome.violations
    ]
    result.update(
        ok=outcome.ok,
        cycles=outcome.cycles,
        pipes=dict(outcome.pipes),
        steps=outcome.steps,
        prints=[_print(line) for line in outcome.prints],
        violations=all_to_json(violations),
    )


def simulator_options(options: Options) -> SimOptions:
    """Return the simulator's options."""
    return SimOptions(
        checks=Checks(options.checks),
        schedule=Schedule(options.schedule),
        seed=options.seed,
        on_violation=OnViolation(options.on_violation),
        max_steps=options.max_steps,
        max_seconds=options.max_seconds,
        trace=options.trace,
    )


@dataclass(slots=True)
class Compiler:
    """Compile launch records; the same kernel with the same kinds of arguments is compiled once."""

    _cache: OrderedDict[str, Compiled] = field(default_factory=OrderedDict[str, Compiled])

    def compile(self, record: JsonObject, soc: str) -> Compiled:
        """Return the compiled kernel of a record."""
        key = _key(record)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = finish(compile_launch(record, read_file=read_file), soc=soc)
            if len(self._cache) > _CACHE_SIZE:
                self._cache.popitem(last=False)
        self._cache.move_to_end(key)
        return found


COMPILER = Compiler()


def _key(record: JsonObject) -> str:
    """Return what two launches of one compiled kernel have in common."""
    arguments = [
        {key: value for key, value in item.items() if key not in ("segment", "offset", "nbytes")}
        for item in record["args"]
    ]
    files: set[str] = set()
    _collect_files(record["kernel"], files)
    content = [record["kernel"], arguments, record["options"], record["core_num"], record["soc"]]
    content.append([(file, _stamp(file)) for file in sorted(files)])
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _collect_files(value: Any, found: set[str]) -> None:
    if isinstance(value, dict):
        record = cast("JsonObject", value)
        file = record.get("file")
        if isinstance(file, str) and record.get("text") is None:
            found.add(file)
        value = list(record.values())
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            _collect_files(item, found)


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size


def _blank(record: JsonObject, compiled: Compiled, soc: str) -> JsonObject:
    kernel = compiled.kernel
    return {
        "ok": False,
        "compiled": False,
        "kernel": kernel.kernel,
        "file": kernel.span.file,
        "line": kernel.span.line,
        "backend": "simulator",
        "soc": soc,
        "cores": record["core_num"],
        "cycles": 0,
        "pipes": {},
        "steps": 0,
        "wall_ms": 0.0,
        "specialisation": kernel.specialisation,
        "arguments": describe(record["args"]),
        "interpreter": record.get("interpreter"),
        "prints": [],
        "violations": [],
        "diagnostics": all_to_json(compiled.diagnostics),
        "error": None,
    }


def _core_names(count: int, compiled: Compiled) -> list[str]:
    kind = CoreKind.MIX if compiled.program is None else compiled.program.core_kind
    prefix = "core" if kind is CoreKind.MIX else kind.value
    return [f"{prefix} {index}" for index in range(count)]


def _compile_error(record: JsonObject, compiled: Compiled) -> str:
    count = sum(item.severity.value == "error" for item in compiled.diagnostics)
    headline = f"{compiled.kernel.kernel} does not compile: {count} error{'' if count == 1 else 's'}"
    return findings_text(headline, compiled.diagnostics, _texts(record))


def _texts(record: JsonObject) -> dict[str, str]:
    """Return the file texts that came with a record."""
    kernel = record["kernel"]
    place = kernel.get("function") or kernel["instance"]["class"]
    return {place["file"]: place["text"]} if place.get("text") is not None else {}


def _print(line: Print) -> JsonObject:
    return {"file": line.span.file, "line": line.span.line, "core": line.core, "text": line.text}
