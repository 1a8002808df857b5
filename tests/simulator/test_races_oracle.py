# SPDX-License-Identifier: Apache-2.0
"""Races on random programs against reachability in the graph of starts and ends of instructions."""

from dataclasses import dataclass

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from kernel_dsl import Kernel

BLOCK = 8  # elements of 32 bytes
AREA = 6  # blocks of local memory that programs use
EVENTS = ("MTE2_V", "V_MTE2", "V_MTE3", "MTE3_V", "MTE2_MTE3", "MTE3_MTE2")


@dataclass(frozen=True)
class Step:
    """One instruction: its pipe, and (memory, first block, end block, writes) per operand."""

    kind: str
    pipe: str
    touches: tuple = ()
    event: str = ""
    number: int = 0


def ranges():
    return st.tuples(st.integers(0, AREA - 1), st.integers(1, 2)).map(lambda r: (r[0], min(r[0] + r[1], AREA)))


@st.composite
def steps(draw):
    kind = draw(st.sampled_from(["in", "add", "out", "barrier"]))
    a, b = draw(ranges()), draw(ranges())
    if kind == "in":
        return Step(kind, "MTE2", (("UB", *a, True),))
    if kind == "out":
        return Step(kind, "MTE3", (("UB", *a, False), ("GM", *a, True)))
    if kind == "barrier":
        return Step(kind, draw(st.sampled_from(["MTE2", "MTE3", "ALL"])))
    return Step(kind, "V", (("UB", b[0], b[0] + a[1] - a[0], False), ("UB", *a, True)))


@st.composite
def programs(draw):
    body = list(draw(st.lists(steps(), min_size=2, max_size=12)))
    count = draw(st.integers(0, 6))
    for number in range(count):
        event = draw(st.sampled_from(EVENTS))
        source, target = event.split("_")
        at = draw(st.integers(0, len(body)))
        later = draw(st.integers(at, len(body)))
        body.insert(at, Step("set", source, event=event, number=number))
        body.insert(later + 1, Step("wait", target, event=event, number=number))
    return body


def build(body, trips):
    k = Kernel()
    x, z = k.pointer("x"), k.pointer("z")
    gx, gz = k.gm(x), k.gm(z)
    ub = k.local(0, (AREA + 2) * BLOCK)
    lines = {}

    def emit():
        for number, step in enumerate(body):
            first, end = (step.touches[-1][1:3]) if step.touches else (0, 0)
            count = (end - first) * BLOCK
            if step.kind == "in":
                lines[k.copy(k.at(ub, first * BLOCK), k.at(gx, first * BLOCK), count)] = number
            elif step.kind == "out":
                lines[k.copy(k.at(gz, first * BLOCK), k.at(ub, first * BLOCK), count)] = number
            elif step.kind == "add":
                source = k.at(ub, step.touches[0][1] * BLOCK)
                lines[k.add(k.at(ub, first * BLOCK), source, source, count)] = number
            elif step.kind == "barrier":
                k.barrier(step.pipe)
            else:
                (k.set_flag if step.kind == "set" else k.wait_flag)(step.event, step.number)

    if trips == 1:
        emit()
    else:
        with k.loop(0, trips):
            emit()
    return k, lines


def _edges(other, step):
    """Return which point of `other` ("start" or "end") comes before the start of a later `step`."""
    if "barrier" in (other.kind, step.kind):
        barrier, instruction = (step, other) if step.kind == "barrier" else (other, step)
        return ["end"] if barrier.pipe in ("ALL", instruction.pipe) else []
    if other.kind == "set" and step.kind == "wait" and (other.event, other.number) == (step.event, step.number):
        return ["end"]
    # A set comes when earlier work is complete, but does not hold back later instructions.
    if other.pipe != step.pipe or (other.kind == "set" and step.kind != "set"):
        return []
    return ["end" if step.kind == "set" or other.kind == "wait" else "start"]


def first_race(body, trips):
    """Return the first instruction that is not ordered after an earlier one it conflicts with, or None."""
    run = [(number, step) for _ in range(trips) for number, step in enumerate(body)]
    before = []  # per instruction: points known to come before its start
    for j, (number, step) in enumerate(run):
        known = set()
        for i in range(j):
            for point in _edges(run[i][1], step):
                known |= before[i] | {("start", i)} | {(point, i)}
        before.append(known)
        for i in range(j):
            if ("end", i) not in known and _conflict(run[i][1], step):
                return number
    return None


def _conflict(first, second):
    same = first.pipe == second.pipe
    for memory, lo, hi, writes in first.touches:
        for memory2, lo2, hi2, writes2 in second.touches:
            if memory != memory2 or lo >= hi2 or lo2 >= hi or not (writes or writes2):
                continue
            if same and (second.pipe == "V" or (writes2 and not writes)):
                continue
            return True
    return False


def reported(body, trips):
    kernel, lines = build(body, trips)
    data = np.zeros((AREA + 2) * BLOCK, np.float32)
    result = kernel.run(data, data.copy())
    assert result.ok, result.error
    races = [item for item in result.findings if item.diagnostic.code == "ASC905"]
    return lines[races[0].diagnostic.span.line] if races else None


@settings(max_examples=300, deadline=None, print_blob=True)
@given(programs())
def test_straight_code(body):
    assert reported(body, 1) == first_race(body, 1)


@settings(max_examples=150, deadline=None, print_blob=True)
@given(programs())
def test_loops(body):
    assert reported(body, 3) == first_race(body, 3)
