# SPDX-License-Identifier: Apache-2.0
"""Timing that can be compared: CPU time, interleaved rounds, medians, growth exponents."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Hold one table of results; `notes` say what was measured and what was left out, with the reason."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str | float | None, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Summarise repeated measurements of one thing, in milliseconds."""

    median_ms: float
    min_ms: float
    rounds: int


def interleave(subjects: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, Timing]:
    """Call every subject once per round, in turn, and summarise what each returned (milliseconds).

    Slow phases of a shared machine then hit all subjects alike. One round before is not counted.
    """
    samples: dict[str, list[float]] = {name: [] for name in subjects}
    for number in range(rounds + 1):
        for name, subject in subjects.items():
            spent = subject()
            if number:
                samples[name].append(spent)
    return {name: summary(values) for name, values in samples.items()}


def summary(samples_ms: Sequence[float]) -> Timing:
    """Summarise measurements."""
    return Timing(median_ms=statistics.median(samples_ms), min_ms=min(samples_ms), rounds=len(samples_ms))


def timed(work: Callable[[], object]) -> Callable[[], float]:
    """Return a function that runs `work` once and returns its CPU time in milliseconds."""

    def run() -> float:
        gc.collect()
        start = time.process_time()
        work()
        return (time.process_time() - start) * 1e3

    return run


def growth_exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """Return the slope of log time over log size: 1 is linear, 2 is quadratic."""
    xs, ys = [math.log(v) for v in sizes], [math.log(v) for v in times]
    return statistics.linear_regression(xs, ys).slope
