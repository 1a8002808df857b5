# SPDX-License-Identifier: Apache-2.0
"""Steps of scalar operations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asclens_compiler.ascir.program import Op, Operand
from asclens_compiler.backends.simulator.emit import scalars
from asclens_compiler.backends.simulator.emit.emitter import Emitter, Lines
from asclens_compiler.backends.simulator.rules import division_by_zero
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

_BITS = (DType.INT1, DType.BOOL)


def emit_scalar(emit: Emitter, pc: int, op: Op) -> Lines:
    """Return the lines of an `arith` or `math` operation."""
    target = emit.dtype_of(op.results[0])
    source = emit.dtype_of(op.operands[0])
    if op.name in ("arith.cmpi", "arith.cmpf"):
        return emit.tick(_compare(emit, op, source))
    if op.name in scalars.DIVISIONS:
        return emit.tick(_divide(emit, pc, op, target))
    if op.name in ("arith.divui", "arith.remui", "arith.ceildivsi", "arith.floordivsi"):
        return emit.tick(_divide_slowly(emit, pc, op, target))
    text = scalars.INT_TEXT.get(op.name)
    if text is not None and not (op.name == "arith.extsi" and source in _BITS):
        return emit.tick(_expression(emit, op, text, target))
    if op.name in scalars.INT_CASTS and _widens(source, target):
        return emit.tick([f"{emit.reg(op.results[0])} = {emit.val(_scalar(op, 0))}"])
    function = scalars.scalar_function(op.name, source, target)
    if function is None:
        raise InternalError("the simulator has no such scalar operation", op=op.name, span=op.span)
    args = ", ".join(emit.val(_scalar(op, i)) for i in range(len(op.operands)))
    return emit.tick([f"{emit.reg(op.results[0])} = {emit.k(function)}({args})"])


def _scalar(op: Op, index: int) -> Operand | None:
    operand = op.operands[index]
    return None if isinstance(operand, tuple) else operand


def _widens(source: DType, target: DType) -> bool:
    """Tell whether an integer keeps its value in the target type."""
    if source in _BITS or target in _BITS or not (source.is_int and target.is_int):
        return False
    low, high = scalars.int_range(source)
    target_low, target_high = scalars.int_range(target)
    return target_low <= low and high <= target_high


def _expression(emit: Emitter, op: Op, text: str, target: DType) -> Lines:
    into = emit.reg(op.results[0])
    body = text.format(*(emit.val(_scalar(op, i)) for i in range(len(op.operands))))
    if op.name not in scalars.WRAPS:
        return [f"{into} = {body}"]
    if target in _BITS:
        return [f"{into} = bool(({body}) & 1)"]
    low, high = scalars.int_range(target)
    return [
        f"x = {body}",
        f"{into} = x if {emit.k(low)} <= x <= {emit.k(high)} else {emit.k(scalars.wrap)}(x, {emit.k(target)})",
    ]


def _compare(emit: Emitter, op: Op, source: DType) -> Lines:
    predicate = str(op.attr("predicate"))
    into, left, right = emit.reg(op.results[0]), emit.val(_scalar(op, 0)), emit.val(_scalar(op, 1))
    symbol = scalars.SIGNED_COMPARE.get(predicate) if op.name == "arith.cmpi" else None
    if symbol is not None:
        return [f"{into} = {left} {symbol} {right}"]
    if op.name == "arith.cmpi":
        test = scalars.compare_unsigned(predicate, source)
    else:
        test = scalars.compare_float(predicate)
    return [f"{into} = {emit.k(test)}({left}, {right})"]


def _divide(emit: Emitter, pc: int, op: Op, target: DType) -> Lines:
    """Emit signed division: the common case inline, negative operands and zero by a function."""
    symbol = scalars.DIVISIONS[op.name]
    into = emit.reg(op.results[0])
    left, right = emit.val(_scalar(op, 0)), emit.val(_scalar(op, 1))
    slow = f"{emit.k(divide)}(c, {emit.k(pc)}, {emit.k(symbol)}, x, y, {emit.k(target)})"
    return [f"x = {left}; y = {right}", f"{into} = x {symbol} y if x >= 0 and y > 0 else {slow}"]


def _divide_slowly(emit: Emitter, pc: int, op: Op, target: DType) -> Lines:
    into = emit.reg(op.results[0])
    left, right = emit.val(_scalar(op, 0)), emit.val(_scalar(op, 1))
    kind = op.name.removeprefix("arith.")
    return [f"{into} = {emit.k(divide)}(c, {emit.k(pc)}, {emit.k(kind)}, {left}, {right}, {emit.k(target)})"]


def divide(core: Core, pc: int, kind: str, left: int, right: int, target: DType) -> int:
    """Divide; a zero divisor is reported and gives 0."""
    if right == 0:
        core.machine.reports.at(core, pc, division_by_zero.RULE, left=left)
        return 0
    if kind == "ceildivsi":
        return scalars.wrap(-(-left // right), target)
    if kind == "floordivsi":
        return scalars.wrap(left // right, target)
    if kind in ("divui", "remui"):
        mask = (1 << target.bits) - 1
        return scalars.wrap(
            (left & mask) // (right & mask) if kind == "divui" else (left & mask) % (right & mask), target
        )
    return scalars.divide(kind, left, right, target)
