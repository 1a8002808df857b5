# SPDX-License-Identifier: Apache-2.0
"""Debugger latencies as a client sees them: start, first stop on the device, steps, stacks, values."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from measure import Table
from workers import ROOT

sys.path.insert(0, str(ROOT / "tests" / "debugadapter"))

from dapclient import SCRIPTS, Client, line

SCRIPT = SCRIPTS / "flags.py"
STEPS_PER_SESSION = 20


@dataclass(slots=True)
class Samples:
    """Milliseconds by subject."""

    found: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    def take(self, subject: str, work: Callable[[], object]) -> None:
        started = time.perf_counter()
        work()
        self.found.setdefault(subject, []).append((time.perf_counter() - started) * 1e3)


def run(rounds: int) -> Table:
    samples = Samples()
    for _ in range(max(rounds // 3, 1)):
        _session(samples)
    rows = tuple(
        (subject, statistics.median(values), _percentile(values, 0.95), len(values))
        for subject, values in samples.found.items()
    )
    return Table(
        title="Debugger latency",
        columns=("subject", "p50, ms", "p95, ms", "samples"),
        rows=rows,
        notes=(
            "Wall time at the client's side of the adapter, script and kernel on one machine; debuggee: our Python.",
            "Start: from the start of the adapter's process to the first stop, numpy imported by the script.",
        ),
    )


def _session(samples: Samples) -> None:
    client: list[Client] = []

    def begin() -> None:
        client.append(Client())
        client[0].launch(SCRIPT, stops=[line(SCRIPT, "launch")], python=sys.executable)
        client[0].stopped()

    samples.take("start to first host stop", begin)
    c = client[0]
    try:
        _measure(c, samples)
    finally:
        samples.take("disconnect to end of the adapter", c.close)
    client.clear()
    client.append(Client())
    try:
        samples.take("start to first device stop (breakpoint)", lambda: _to_kernel(client[0]))
    finally:
        client[0].close()


def _to_kernel(c: Client) -> None:
    c.launch(SCRIPT, stops=[line(SCRIPT, "k.first")], python=sys.executable)
    c.stopped()


def _measure(c: Client, samples: Samples) -> None:
    host = c.thread("MainThread")

    def go(command: str, thread: int) -> None:
        c.ask(command, threadId=thread)
        c.stopped()

    samples.take("stepIn on the launch to device stop", lambda: go("stepIn", host))
    core = c.thread("AIV 0")
    for _ in range(STEPS_PER_SESSION):
        samples.take("device step", lambda: go("next", core))
        samples.take("stack of the core with the waiting frames", lambda: c.stack(core))
    frames = c.stack(core)
    for _ in range(STEPS_PER_SESSION):
        samples.take("locals of the kernel", lambda: c.locals(frames[0]))
        samples.take("evaluate in the kernel", lambda: c.evaluate(frames[0], "x_local[0:8].max()"))
        samples.take("evaluate in the waiting frame", lambda: c.evaluate(frames[1], "float(x[3])"))
    samples.take("setBreakpoints, host and kernel", lambda: c.set_breakpoints(SCRIPT, line(SCRIPT, "after")))
    samples.take("stepOut of the kernel to host stop", lambda: go("stepOut", core))


def _percentile(values: list[float], part: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]
