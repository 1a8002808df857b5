# SPDX-License-Identifier: Apache-2.0
"""The three forms of a vector call, from one line of data: whole mask words, contiguous mask, count.

`_l0`: contiguous mask (one number), repeats and a stride struct. `_l1`: the same with mask words.
`_l2`: the first `count` elements.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Pipe
from asclens_compiler.opset.model import (
    ApiRow,
    AttrRow,
    Constraint,
    ConstraintKind,
    Cost,
    FootprintKind,
    FootprintRow,
    OperandRow,
    OpRow,
    Overload,
    Role,
)
from asclens_compiler.opset.rows import (
    COUNT,
    MASK,
    MASK_WORDS,
    REPEAT,
    SET_MASK,
    api,
    bilingual,
    overload,
    params,
)

ALIGN_SOURCE = "CANN general constraints: UB operands start at a multiple of 32 bytes"
TYPE_SOURCE = "CANN Ascend C API pages, element types on Atlas A2/A3"
REPEAT_SOURCE = "CANN general constraints: repeatTime is 0..255"
MASK_SOURCE = "CANN general constraints: a contiguous mask counts elements of one 256-byte repeat"
EXTENT_SOURCE = "CANN general constraints: the touched bytes lie inside the tensor"
OVERLAP_SOURCE = "CANN general constraints: source and destination of one repeat are the same or disjoint"
COST_SOURCE = "head and tail: pto-isa cost model for A2/A3; cycles per repeat: Ascend/mskpp tables for 910B1"
TENSOR_ROLES = frozenset({Role.DST, Role.SRC, Role.INOUT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Vector:
    """One vector operation: what all its forms share.

    `tensors` come first in every form, then `extras` (scalars); attributes of `attrs` stand in all
    forms; `same` lists the operands of one element type, `pairs` the legal type tuples of `tensors`.
    """

    name: str
    cpp: str
    tensors: tuple[OperandRow, ...]
    text: str
    semantics: str = ""
    extras: tuple[OperandRow, ...] = ()
    attrs: tuple[AttrRow, ...] = ()
    struct: str = "UnaryRepeatParams"
    same: tuple[str, ...] = ()
    pairs: frozenset[tuple[DType, ...]] = frozenset()
    cost: Cost | None = None
    set_mask: bool = True
    count_set_mask: bool = False
    more: tuple[Constraint, ...] = ()
    unit: str = "VECTOR"


def aligned(*operands: str) -> tuple[Constraint, ...]:
    """Return the alignment rule of each operand's memory."""
    return tuple(Constraint(kind=ConstraintKind.ALIGNED_TO, operands=(name,), source=ALIGN_SOURCE) for name in operands)


def fits(*operands: str) -> tuple[Constraint, ...]:
    """Return, per operand, that what the op touches lies in the tensor."""
    return tuple(Constraint(kind=ConstraintKind.FITS_IN, operands=(name,), source=EXTENT_SOURCE) for name in operands)


def vector_row(
    row: OpRow,
    footprints: tuple[FootprintRow, ...],
    rules: tuple[Constraint, ...] = (),
    price: Cost | None = None,
) -> OpRow:
    """Return a declared row as a vector instruction, with alignment and extent rules of its footprints."""
    names = tuple(item.operand for item in footprints)
    return replace(
        row,
        pipe=Pipe.V,
        compute_unit="VECTOR",
        footprints=footprints,
        constraints=(*rules, *aligned(*names), *fits(*names)),
        cost=price,
    )


def custom(operand: str, function: str, *, count: str = "", repeat: str = "", params: str = "") -> FootprintRow:
    """Return a footprint that a function of opset/footprints.py computes."""
    return FootprintRow(
        operand=operand,
        kind=FootprintKind.CUSTOM,
        function=function,
        which=operand,
        count=count,
        repeat=repeat,
        params=params,
    )


def whole(operand: str) -> FootprintRow:
    """Return the footprint "the whole tensor"."""
    return FootprintRow(operand=operand, kind=FootprintKind.WHOLE)


def counted(operand: str, count: str) -> FootprintRow:
    """Return the footprint "the first `count` elements"."""
    return FootprintRow(operand=operand, kind=FootprintKind.COUNT, count=count)


def same_dtype(*operands: str) -> Constraint:
    """Return that operands have one element type."""
    return Constraint(kind=ConstraintKind.SAME_DTYPE, operands=operands, source=TYPE_SOURCE)


def in_range(operand: str, low: int, high: int, source: str) -> Constraint:
    """Return that a scalar lies in low..high, both included."""
    return Constraint(kind=ConstraintKind.RANGE_IN, operands=(operand,), low=low, high=high, source=source)


def cost(head: int, per_repeat: float, operand: str = "dst") -> Cost:
    """Return the cost of one instruction: head and tail, and cycles per 256 bytes of `operand`."""
    return Cost(head=head, per_unit=per_repeat, operand=operand, source=COST_SOURCE)


def widest_of(tensors: tuple[OperandRow, ...]) -> tuple[str, ...]:
    """Return the names of the tensors whose element size decides the elements of one repeat."""
    return tuple(item.name for item in tensors if item.role in TENSOR_ROLES)


def repeat_footprints(
    tensors: tuple[OperandRow, ...], struct: str = "repeatParams", repeat: str = "repeatTimes"
) -> tuple[FootprintRow, ...]:
    """Return the mask / repeat / stride footprint of each tensor."""
    return tuple(
        FootprintRow(
            operand=item.name,
            kind=FootprintKind.REPEAT,
            mask="mask",
            repeat=repeat,
            params=struct,
            which=item.name,
            widest=widest_of(tensors),
        )
        for item in tensors
    )


def count_footprints(tensors: tuple[OperandRow, ...], count: str = "calCount") -> tuple[FootprintRow, ...]:
    """Return the footprint "first `count` elements" of each tensor."""
    return tuple(FootprintRow(operand=item.name, kind=FootprintKind.COUNT, count=count) for item in tensors)


def _type_rules(spec: Vector) -> tuple[Constraint, ...]:
    rules: list[Constraint] = []
    if spec.same:
        rules.append(same_dtype(*spec.same))
    if spec.pairs:
        names = tuple(item.name for item in spec.tensors)
        rules.append(
            Constraint(kind=ConstraintKind.DTYPE_PAIR_IN, operands=names, pairs=spec.pairs, source=TYPE_SOURCE)
        )
    return (*rules, *spec.more)


def _overlaps(spec: Vector) -> tuple[Constraint, ...]:
    target = spec.tensors[0].name
    return tuple(
        Constraint(kind=ConstraintKind.NO_PARTIAL_OVERLAP, operands=(target, item.name), source=OVERLAP_SOURCE)
        for item in spec.tensors[1:]
    )


def _mask_rules(spec: Vector, *, contiguous: bool) -> tuple[Constraint, ...]:
    repeat = in_range("repeatTimes", 0, 255, REPEAT_SOURCE)
    if not contiguous:
        return (repeat,)
    rule = Constraint(
        kind=ConstraintKind.MASK_IN_REPEAT, operands=("mask", *widest_of(spec.tensors)), source=MASK_SOURCE
    )
    return (rule, repeat)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Form:
    suffix: str
    tail: tuple[OperandRow, ...]
    footprints: tuple[FootprintRow, ...]
    rules: tuple[Constraint, ...]
    mask_attr: bool


def vector_ops(spec: Vector) -> tuple[OpRow, OpRow, OpRow]:
    """Return the `_l0`, `_l1` and `_l2` rows of a vector operation."""
    strides = params("repeatParams", spec.struct)
    repeats = repeat_footprints(spec.tensors)
    forms = (
        _Form(
            suffix="l0",
            tail=(MASK, REPEAT, strides),
            footprints=repeats,
            rules=_mask_rules(spec, contiguous=True),
            mask_attr=spec.set_mask,
        ),
        _Form(
            suffix="l1",
            tail=(MASK_WORDS, REPEAT, strides),
            footprints=repeats,
            rules=_mask_rules(spec, contiguous=False),
            mask_attr=spec.set_mask,
        ),
        _Form(
            suffix="l2",
            tail=(COUNT,),
            footprints=count_footprints(spec.tensors),
            rules=(),
            mask_attr=spec.count_set_mask,
        ),
    )
    first, second, third = (_vector_row(spec, form) for form in forms)
    return first, second, third


def _vector_row(spec: Vector, form: _Form) -> OpRow:
    names = tuple(item.name for item in spec.tensors)
    summary, summary_zh = bilingual(spec.text)
    return OpRow(
        name=f"{spec.name}_{form.suffix}",
        cpp=spec.cpp,
        operands=(*spec.tensors, *spec.extras, *form.tail),
        attrs=(*spec.attrs, SET_MASK) if form.mask_attr else spec.attrs,
        pipe=Pipe.V,
        compute_unit=spec.unit,
        footprints=form.footprints,
        constraints=(*form.rules, *_type_rules(spec), *aligned(*names), *fits(*names), *_overlaps(spec)),
        semantics=spec.semantics or spec.name,
        cost=spec.cost,
        summary=summary,
        summary_zh=summary_zh,
    )


def vector_overloads(
    ops: tuple[OpRow, OpRow, OpRow], head: str, struct: str, *, set_mask: bool = True, count_set_mask: bool = False
) -> tuple[Overload, ...]:
    """Return the three overloads in the order the real dispatcher tries them."""
    last = ", is_set_mask: bool = True" if set_mask else ""
    tail = f"repeat_times: RuntimeInt, repeat_params: {struct}{last}"
    count_last = ", is_set_mask: bool = True" if count_set_mask else ""
    fixed = {} if set_mask or not _has_mask_flag(ops[0]) else {"isSetMask": "=True"}
    fixed_count = {"isSetMask": "=True"} if _has_mask_flag(ops[2]) and not count_set_mask else {}
    return (
        overload(ops[0], f"{head}, mask: RuntimeInt, {tail}", **fixed),
        overload(ops[1], f"{head}, mask: list, {tail}", **fixed),
        overload(ops[2], f"{head}, count: RuntimeInt{count_last}", **fixed_count),
    )


def _has_mask_flag(row: OpRow) -> bool:
    return any(item.name == SET_MASK.name for item in row.attrs)


def vector_api(name: str, spec: Vector, ops: tuple[OpRow, OpRow, OpRow], head: str, *, count_set_mask: bool) -> ApiRow:
    """Return the API row of a vector operation whose overloads start with the parameters `head`."""
    return api(
        name,
        *vector_overloads(ops, head, spec.struct, set_mask=spec.set_mask, count_set_mask=count_set_mask),
        text=spec.text,
    )
