# SPDX-License-Identifier: Apache-2.0
"""Constraints of op rows on the operands of executed instructions."""

from __future__ import annotations

from functools import cache

from asclens_compiler.analysis.verifier.findings import Fault, Findings
from asclens_compiler.analysis.verifier.numbers import offset_of, subtract, terms_of
from asclens_compiler.analysis.verifier.objects import Tensor
from asclens_compiler.analysis.verifier.operands import WalkValues
from asclens_compiler.ascir.program import Op
from asclens_compiler.hardware.chips import alignment_bytes
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.constraints import Outcome, Verdict, all_constraints, evaluate
from asclens_compiler.opset.footprints import byte_range
from asclens_compiler.opset.model import Constraint, ConstraintKind, FootprintRow, OpRow, PipeRule

_K = ConstraintKind
_FAULTS = {
    _K.SAME_DTYPE: Fault.SAME_DTYPE,
    _K.DTYPE_IN: Fault.DTYPE,
    _K.DTYPE_PAIR_IN: Fault.DTYPE_PAIR,
    _K.ALIGNED_TO: Fault.ALIGNMENT,
    _K.COUNT_MULTIPLE_OF: Fault.PARTIAL_BLOCK,
    _K.RANGE_IN: Fault.RANGE,
    _K.NO_PARTIAL_OVERLAP: Fault.OPERAND_OVERLAP,
    _K.IN_MEMORY: Fault.WRONG_MEMORY,
    _K.FITS_IN: Fault.OUT_OF_BOUNDS,
    _K.MASK_IN_REPEAT: Fault.MASK,
    _K.COPY_PATH: Fault.NO_PATH,
    _K.CAST_MODE: Fault.CAST_MODE,
    _K.ENUM_IN: Fault.ENUM,
}
# What can change from one execution of an op to the next.
_VARIES = frozenset(
    {_K.ALIGNED_TO, _K.COUNT_MULTIPLE_OF, _K.RANGE_IN, _K.NO_PARTIAL_OVERLAP, _K.FITS_IN, _K.MASK_IN_REPEAT}
)
# What explains others comes first, what others explain last.
_ORDER = {_K.DTYPE_IN: 0, _K.IN_MEMORY: 0, _K.NO_PARTIAL_OVERLAP: 2}
_UNSOUND = frozenset({_K.FITS_IN, _K.RANGE_IN, _K.IN_MEMORY, _K.MASK_IN_REPEAT, _K.COPY_PATH})
_FLAGS = frozenset({"set_flag", "wait_flag"})
_OK = Outcome(Verdict.OK)


class Limits:
    """Check each op once, and again for other numbers when some of its operands vary."""

    def __init__(self, findings: Findings) -> None:
        self._findings = findings
        self._seen: dict[int, set[object]] = {}
        self._unsound: set[tuple[int, object]] = set()

    def instruction(self, op: Op, row: OpRow, values: WalkValues) -> bool:
        """Check one executed instruction; tell whether it touches what it seems to."""
        seen = self._seen.get(op.index)
        first = seen is None
        if seen is None:
            seen = self._seen[op.index] = set()
        key = _numbers(values.items)
        if key in seen:
            return (op.index, key) not in self._unsound
        seen.add(key)
        kinds_bad: set[ConstraintKind] = set()
        for item, varies in _constraints(row):
            if (not first and not varies) or (op.name in _FLAGS and item.kind is _K.RANGE_IN):
                continue
            outcome = self._evaluate(item, row, values)
            if outcome.verdict is Verdict.VIOLATED and not _implied(item.kind, kinds_bad):
                kinds_bad.add(item.kind)
                self._report(op, item, outcome, values)
        self._mask_words(op, values)
        if kinds_bad & _UNSOUND:
            self._unsound.add((op.index, key))
        return not kinds_bad & _UNSOUND

    def _evaluate(self, item: Constraint, row: OpRow, values: WalkValues) -> Outcome:
        if item.kind is _K.ALIGNED_TO:
            return _aligned(item, values)
        if item.kind is _K.NO_PARTIAL_OVERLAP:
            return _apart(item, row, values)
        return evaluate(item, row, values)

    def _report(self, op: Op, item: Constraint, outcome: Outcome, values: WalkValues) -> None:
        fault = Fault.SCALAR_BARRIER if op.name == "pipe_barrier" else _FAULTS[item.kind]
        if fault is Fault.OPERAND_OVERLAP and self._placed_overlap(op, item, values):
            return
        name = item.operands[0]
        tensor = values.tensor(name)
        others = _declarations(item, values)
        self._findings.add(
            fault, op, *others, key=item.operands, operand=name, operands=" and ".join(item.operands),
            found=outcome.found, allowed=outcome.allowed, api=op.name, source=item.source,
            memory=tensor.memory.value if tensor is not None else "",
            element=tensor.dtype.size_bytes if tensor is not None else 0,
        )  # fmt: skip

    def _placed_overlap(self, op: Op, item: Constraint, values: WalkValues) -> bool:
        """Report tensors that overlap by their places where they are declared; tell whether that is so."""
        one, two = (values.tensor(name) for name in item.operands)
        if one is None or two is None or one.placed is None or two.placed is None or one.placed is two.placed:
            return False
        if not isinstance(one.start, int) or not isinstance(two.start, int):
            return False
        if one.size_bytes is None or two.size_bytes is None:
            return False
        low = max(one.start, two.start)
        high = min(one.start + one.size_bytes, two.start + two.size_bytes)
        earlier, later = sorted((one.placed, two.placed), key=lambda placed: placed.index)
        self._findings.add(
            Fault.PLACED_OVERLAP, later, (earlier, "the other tensor"), (op, "both are used here"), low=low,
            high=high - 1, line=earlier.span.line, memory=one.memory.value,
        )  # fmt: skip
        return True

    def _mask_words(self, op: Op, values: WalkValues) -> None:
        found = values.value("mask")
        if isinstance(found, tuple) and len(found) not in (0, 1, 2):  # pyright: ignore[reportUnknownArgumentType]
            self._findings.add(Fault.MASK_WORDS, op, found=len(found))  # pyright: ignore[reportUnknownArgumentType]


def _declarations(item: Constraint, values: WalkValues) -> tuple[tuple[Op, str], ...]:
    """Return where the tensors of a violation were declared."""
    found: dict[int, tuple[Op, str]] = {}
    for name in item.operands:
        tensor = values.tensor(name)
        declared = None
        if tensor is not None:
            declared = tensor.placed or (tensor.slot.queue.init if tensor.slot is not None else None)
        if declared is not None:
            found[declared.index] = (declared, f"`{name}` is declared here")
    return tuple(found.values())


@cache
def _constraints(row: OpRow) -> tuple[tuple[Constraint, bool], ...]:
    ordered = sorted(all_constraints(row), key=lambda item: _ORDER.get(item.kind, 1))
    return tuple((item, item.kind in _VARIES) for item in ordered)


def _implied(kind: ConstraintKind, bad: set[ConstraintKind]) -> bool:
    """Tell whether a violation only repeats one that was found before."""
    if kind is _K.DTYPE_PAIR_IN and bad & {_K.DTYPE_IN, _K.SAME_DTYPE}:
        return True
    if kind is _K.COPY_PATH and _K.IN_MEMORY in bad:
        return True
    if kind is _K.NO_PARTIAL_OVERLAP and _K.FITS_IN in bad:
        return True
    return kind in (_K.NO_PARTIAL_OVERLAP, _K.FITS_IN, _K.ALIGNED_TO) and bool(bad & {_K.RANGE_IN, _K.IN_MEMORY})


def _numbers(items: tuple[object, ...]) -> object:
    """Return what tells two executions of one op apart."""
    found: list[object] = []
    for item in items:
        if isinstance(item, Tensor):
            found.append((item.base, item.start, item.size_bytes))
        elif isinstance(item, tuple):
            found.append(len(item))  # pyright: ignore[reportUnknownArgumentType]
        elif isinstance(item, int):
            found.append(item)
    return tuple(found)


def _aligned(item: Constraint, values: WalkValues) -> Outcome:
    tensor = values.tensor(item.operands[0])
    if tensor is None or tensor.start is None or not tensor.aligned or tensor.memory is Memory.GM:
        return _OK
    unit = item.value or alignment_bytes(tensor.memory)
    if any(factor % unit for _, factor in terms_of(tensor.start)):
        return _OK
    offset = offset_of(tensor.start)
    if offset % unit == 0:
        return _OK
    found = str(offset) if isinstance(tensor.start, int) else f"a multiple of {unit} plus {offset % unit}"
    return Outcome(Verdict.VIOLATED, found, f"a multiple of {unit}")


def _apart(item: Constraint, row: OpRow, values: WalkValues) -> Outcome:
    ranges: list[tuple[int, int]] = []
    tensors = [values.tensor(name) for name in item.operands]
    first, second = tensors
    if first is None or second is None or first.base != second.base or first.start is None or second.start is None:
        return _OK
    shift = subtract(second.start, first.start)
    if not isinstance(shift, int):
        return _OK
    for name, tensor, start in ((item.operands[0], first, 0), (item.operands[1], second, shift)):
        footprint: FootprintRow | None = next((found for found in row.footprints if found.operand == name), None)
        if footprint is None or tensor.dtype is DType.UNKNOWN:
            return _OK
        extent = byte_range(footprint, values)
        if extent is None:
            return _OK
        ranges.append((start + extent[0], start + extent[1]))
    one, two = ranges
    if one[0] == two[0] or one[1] <= two[0] or two[1] <= one[0] or one[0] == one[1] or two[0] == two[1]:
        return _OK
    base = first.start if isinstance(first.start, int) else 0
    text = f"bytes {base + one[0]}..{base + one[1] - 1} and {base + two[0]}..{base + two[1] - 1}"
    return Outcome(Verdict.VIOLATED, text, "the same bytes or none in common")


def runs_somewhere(row: OpRow) -> bool:
    """Tell whether an op is an instruction of a pipe."""
    return row.pipe is not PipeRule.NONE
