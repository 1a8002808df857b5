# SPDX-License-Identifier: Apache-2.0
"""One launch: compile its kernel, run it, tell the owner, return the launch result."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.api import Arg, Checks, OnViolation, Print, RunResult, Schedule, SimOptions
from asclens_compiler.backends.simulator.launch import Launch
from asclens_compiler.backends.simulator.run import simulate
from asclens_compiler.backends.simulator.session import Session
from asclens_compiler.engine.arguments import describe, simulator_arguments
from asclens_compiler.engine.compiling import Compiler
from asclens_compiler.engine.debugging.constants import constants_of
from asclens_compiler.engine.debugging.run import DebugRun
from asclens_compiler.engine.directives import prepare
from asclens_compiler.engine.pipeline import Compiled
from asclens_compiler.engine.results import blank_result, compile_error, core_names, fill_outcome, print_to_json
from asclens_compiler.engine.state import Options, Running
from asclens_compiler.hardware.chips import chip_for
from asclens_compiler.source.text import SourceText

if TYPE_CHECKING:
    from asclens_compiler.engine.loop import Engine

JsonObject = dict[str, Any]

_COMPILER = Compiler()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Job:
    """What is launched: a compiled kernel, how its arguments are made, and what is said about it."""

    compiled: Compiled
    soc: str
    cores: int
    arguments: Callable[[], list[Arg]]
    descriptions: Sequence[str]
    texts: Mapping[str, str] = field(default_factory=dict[str, str])
    constants: Mapping[str, Any] = field(default_factory=dict[str, Any])
    thread: int | None = None
    compile_only: bool = False


def launch(engine: Engine, running: Running, record: JsonObject) -> JsonObject:
    """Run a launch record to its end and return the launch result."""
    soc = record.get("soc") or engine.state.options.soc
    started = time.perf_counter()
    compiled = _COMPILER.compile({**record, "soc": soc})
    program = compiled.program
    names = [param.name for param in program.params] if program is not None else []
    job = Job(
        compiled=compiled,
        soc=soc,
        cores=record["core_num"],
        arguments=lambda: simulator_arguments(record["args"], names),
        descriptions=describe(record["args"]),
        texts=_texts(record["kernel"]),
        constants=constants_of(record) if engine.state.options.debug else {},
        thread=record.get("thread"),
        compile_only=bool(record.get("compile_only")),
    )
    return _run(engine, running, job, started)


def run_directive(engine: Engine, running: Running, params: JsonObject) -> JsonObject:
    """Run a kernel by its directive and return the launch result with its arrays as `outputs`."""
    options = engine.state.options
    source = SourceText(params["file"], params["text"])
    started = time.perf_counter()
    directed = prepare(
        source, directive=params.get("directive"), kernel=params.get("kernel"), soc=options.soc, seed=options.seed
    )
    job = Job(
        compiled=directed.compiled,
        soc=options.soc,
        cores=directed.cores,
        arguments=directed.arguments,
        descriptions=directed.descriptions(),
        texts={source.file: source.text},
    )
    return _run(engine, running, job, started, outputs=directed.outputs)


def _run(
    engine: Engine, running: Running, job: Job, started: float, outputs: Callable[[], list[JsonObject]] | None = None
) -> JsonObject:
    compiled = job.compiled
    result = blank_result(compiled, soc=job.soc, cores=job.cores, arguments=job.descriptions)
    place = {name: result[name] for name in ("kernel", "file", "line")}
    cores = core_names(job.cores, compiled)
    runs = compiled.program is not None and not job.compile_only
    arguments = job.arguments() if runs else []  # mapped before anybody hears of the launch
    engine.emit("launch.started", {"launch": running.number, "thread": job.thread, "cores": cores, **place})
    stop_host = False
    try:
        if compiled.program is None:
            result["error"] = compile_error(compiled, job.texts)
        elif job.compile_only:
            result["ok"] = True
        else:
            outcome, stop_host = _simulate(engine, running, job, arguments)
            fill_outcome(result, compiled, outcome, job.texts)
        if outputs is not None:
            result["outputs"] = outputs()
    except Exception as error:
        result["error"] = str(error)
        raise
    finally:
        result["wall_ms"] = round((time.perf_counter() - started) * 1e3, 3)
        engine.emit("launch.finished", {"launch": running.number, "result": result, "stop_host": stop_host})
    return {**result, "stop": True} if stop_host else result


def _simulate(engine: Engine, running: Running, job: Job, arguments: list[Arg]) -> tuple[RunResult, bool]:
    """Run the program; return what it gave, and whether the host is to stop after the launch."""
    program = job.compiled.program
    assert program is not None

    def on_print(line: Print) -> None:
        engine.emit("print", {"launch": running.number, **print_to_json(line)})

    options = simulator_options(engine.state.options)
    if engine.state.options.debug:
        target = chip_for(job.soc)
        whole = Launch(program=program, target=target, blocks=job.cores, args=arguments, options=options)
        run = DebugRun(engine, running, Session(whole, on_print=on_print), job.compiled.kernel.kernel, job.constants)
        outcome = run.run(at_entry=engine.state.debugging.take_entry(job.thread))
        return outcome, run.stop_host
    outcome = simulate(program, target=job.soc, blocks=job.cores, args=arguments, options=options, on_print=on_print)
    return outcome, False


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


def _texts(kernel: JsonObject) -> dict[str, str]:
    """Return the file texts that came with a record."""
    place = kernel.get("function") or kernel["instance"]["class"]
    return {place["file"]: place["text"]} if place.get("text") is not None else {}
