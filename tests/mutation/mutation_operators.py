# SPDX-License-Identifier: Apache-2.0
"""Defects to plant into right kernels, and changes that keep them right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FLAG = re.compile(r"^\s*(?:\w+\.)?(set|wait)_flag\((?:\w+\.)?HardEvent\.(\w+)(?:, *(.+?))?\)\s*$")
_COUNT = re.compile(r"^(\s*asc\.(?:data_copy|add|adds|exp|duplicate|muls|sub|mul|max|relu)\(.*, )(\d+)\)\s*$")
_PLACED = re.compile(r"(LocalTensor\([^,]+, [^,]+, )(\d+), (\d+)\)")
_INIT = re.compile(r"(init_buffer\([^,]+, *\d+, *)(\d+)\)")
_QUEUE = re.compile(r"^\s*(?:\w+ = )?\w+\.(enque|free_tensor|deque)\(")
_SWAP = {"MTE2_V": "V_MTE3", "V_MTE3": "MTE2_V", "MTE3_MTE2": "MTE2_MTE3", "MTE3_V": "V_MTE3", "V_MTE2": "MTE2_V"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """A changed text; `lines` are where a report counts as at the right place."""

    operator: str
    text: str
    line: int


Operator = Callable[[list[str]], Iterator[tuple[list[str], int]]]


def _dropped(lines: list[str], wanted: Callable[[str], bool]) -> Iterator[tuple[list[str], int]]:
    for place, line in enumerate(lines):
        if wanted(line):
            indent = line[: len(line) - len(line.lstrip())]
            yield [*lines[:place], f"{indent}pass\n", *lines[place + 1 :]], place + 1


def drop_set(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Remove one set."""
    return _dropped(lines, lambda line: (match := _FLAG.match(line)) is not None and match[1] == "set")


def drop_wait(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Remove one wait."""
    return _dropped(lines, lambda line: (match := _FLAG.match(line)) is not None and match[1] == "wait")


def drop_pair(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Remove a set and the wait right behind it."""
    for place in range(len(lines) - 1):
        first, second = _FLAG.match(lines[place]), _FLAG.match(lines[place + 1])
        if first and second and first[1] == "set" and second[1] == "wait" and first[2] == second[2]:
            indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
            yield [*lines[:place], f"{indent}pass\n", *lines[place + 2 :]], place + 1


def duplicate_set(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Set a flag twice."""
    for place, line in enumerate(lines):
        match = _FLAG.match(line)
        if match and match[1] == "set":
            yield [*lines[: place + 1], line, *lines[place + 1 :]], place + 2


def swap_pipes(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Use another direction in a set and the wait right behind it."""
    for place in range(len(lines) - 1):
        first, second = _FLAG.match(lines[place]), _FLAG.match(lines[place + 1])
        if first and second and first[1] == "set" and second[1] == "wait" and first[2] == second[2] in _SWAP:
            changed = [line.replace(first[2], _SWAP[first[2]]) for line in lines[place : place + 2]]
            yield [*lines[:place], *changed, *lines[place + 2 :]], place + 1


def change_id(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Wait for another id than the one that is set."""
    for place, line in enumerate(lines):
        match = _FLAG.match(line)
        if match and match[1] == "wait" and match[3] and match[3].isdigit():
            changed = re.sub(r", *\d+\)", f", {(int(match[3]) + 3) % 6})", line)
            yield [*lines[:place], changed, *lines[place + 1 :]], place + 1


def early_wait(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Put the wait in front of its set."""
    for place in range(len(lines) - 1):
        first, second = _FLAG.match(lines[place]), _FLAG.match(lines[place + 1])
        if first and second and first[1] == "set" and second[1] == "wait" and first[2] == second[2]:
            yield [*lines[:place], lines[place + 1], lines[place], *lines[place + 2 :]], place + 1


def _is_used(lines: list[str], place: int) -> bool:
    """Tell whether what a line declares, or the queue it gives buffers to, takes part in an instruction."""
    declared = re.match(r"\s*(\w+) = ", lines[place]) or re.search(r"init_buffer\((?:que=|buf=)?(\w+)", lines[place])
    if declared is None:
        return True
    names = {declared[1]}
    for line in lines:
        taken = re.match(rf"\s*(\w+) = {declared[1]}\.(?:alloc_tensor|deque|get)", line)
        if taken:
            names.add(taken[1])
    pattern = re.compile(rf"asc\.\w+\(.*\b(?:{'|'.join(sorted(names))})\b")
    return any(pattern.search(line) for number, line in enumerate(lines) if number != place)


def _replaced(
    lines: list[str], pattern: re.Pattern[str], new: Callable[[re.Match[str]], str]
) -> Iterator[tuple[list[str], int]]:
    for place, line in enumerate(lines):
        match = pattern.search(line)
        if match and _is_used(lines, place):
            changed = line[: match.start()] + new(match) + line[match.end() :]
            yield [*lines[:place], changed, *lines[place + 1 :]], place + 1


def shift_offset(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Place a tensor four bytes further."""
    return _replaced(lines, _PLACED, lambda match: f"{match[1]}{int(match[2]) + 4}, {match[3]})")


def shrink_tensor(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Halve a hand-placed tensor."""
    return _replaced(lines, _PLACED, lambda match: f"{match[1]}{match[2]}, {int(match[3]) // 2})")


def far_away(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Place a tensor over the end of UB."""
    return _replaced(lines, _PLACED, lambda match: f"{match[1]}196512, {match[3]})")


def shrink_buffer(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Halve the buffers of a queue."""
    return _replaced(lines, _INIT, lambda match: f"{match[1]}{int(match[2]) // 2})")


def grow_buffer(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Make the buffers of a queue too large."""
    return _replaced(lines, _INIT, lambda match: f"{match[1]}204800)")


def widen_count(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Work on twice as many elements."""
    return _replaced(lines, _COUNT, lambda match: f"{match[1]}{int(match[2]) * 64})\n")


def odd_copy(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Copy a number of bytes that is no multiple of a block."""
    for place, line in enumerate(lines):
        match = _COUNT.match(line)
        if match and "data_copy(" in line:
            yield [*lines[:place], f"{match[1]}{int(match[2]) - 3})\n", *lines[place + 1 :]], place + 1


def swap_dtype(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Give one tensor another element type."""
    for place, line in enumerate(lines):
        if "LocalTensor(asc.float32" in line and _is_used(lines, place):
            changed = line.replace("LocalTensor(asc.float32", "LocalTensor(asc.int32", 1)
            yield [*lines[:place], changed, *lines[place + 1 :]], place + 1


def drop_queue_call(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Remove an enque or a free."""
    found = _QUEUE.match
    return _dropped(lines, lambda line: (match := found(line)) is not None and match[1] != "deque")


def free_twice(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Free a tensor twice."""
    for place, line in enumerate(lines):
        match = _QUEUE.match(line)
        if match and match[1] == "free_tensor":
            yield [*lines[: place + 1], line, *lines[place + 1 :]], place + 2


def drop_stage(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Remove the beginning or the end of a stage."""
    return _dropped(lines, lambda line: re.match(r"^\s*PipeStage\.(start|end)\(", line) is not None)


DEFECTS: tuple[Operator, ...] = (
    drop_set, drop_wait, drop_pair, duplicate_set, swap_pipes, change_id, early_wait, shift_offset, shrink_tensor,
    far_away, shrink_buffer, grow_buffer, widen_count, odd_copy, swap_dtype, drop_queue_call, free_twice, drop_stage,
)  # fmt: skip


def blank_lines(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Add a comment."""
    yield ["# a comment\n", *lines], 0


def other_ids(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Use other ids for one direction throughout."""
    events = {match[2] for line in lines if (match := _FLAG.match(line)) and (match[3] or "").isdigit()}
    fixed = {match[2] for line in lines if (match := _FLAG.match(line)) and not (match[3] or "").isdigit()}
    for event in sorted(events - fixed):
        yield [_with_other_id(line, event) for line in lines], 0


def _with_other_id(line: str, event: str) -> str:
    match = _FLAG.match(line)
    if match is None or match[2] != event:
        return line
    return re.sub(r", *\d+\)", f", {(int(match[3]) + 2) % 6})", line)


def full_barrier(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Add a barrier over all pipes in front of a flag."""
    for place, line in enumerate(lines):
        match = _FLAG.match(line)
        if match and match[1] == "set":
            indent = line[: len(line) - len(line.lstrip())]
            yield [*lines[:place], f"{indent}asc.pipe_barrier(asc.PipeID.PIPE_ALL)\n", *lines[place:]], 0


def more_room(lines: list[str]) -> Iterator[tuple[list[str], int]]:
    """Give the buffers of a queue more room."""
    return _replaced(lines, _INIT, lambda match: f"{match[1]}{int(match[2]) + 1024})")


EQUIVALENT: tuple[Operator, ...] = (blank_lines, other_ids, full_barrier, more_room)


def mutants(text: str, operators: tuple[Operator, ...]) -> Iterator[Mutant]:
    """Yield every mutant of a text."""
    lines = text.splitlines(keepends=True)
    for operator in operators:
        for changed, line in operator(lines):
            yield Mutant(operator.__name__, "".join(changed), line)
