# SPDX-License-Identifier: Apache-2.0
"""`for` and `while`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.types import AscType
from asclens_compiler.frontend.builtins import RangeCall
from asclens_compiler.frontend.carried import (
    assigned,
    conform,
    is_number,
    passes,
    read_names,
    same_constant,
    warn_literal,
)
from asclens_compiler.frontend.context import Scope
from asclens_compiler.frontend.rules import (
    carried_constant,
    endless_while,
    loop_bounds,
    loop_else,
    loop_form,
    toolchain_downward,
    toolchain_while,
    unroll_limit,
)
from asclens_compiler.frontend.scalars import BIT, Scalar, ceildiv, is_unknown, materialize
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.builder import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.walker import Walker
    from asclens_compiler.source.span import Span

MAX_UNROLL = 16_384


def for_(walker: Walker, node: ast.For) -> None:
    """Loop over a range: a run-time loop, or unrolled for `static_range`."""
    ctx = walker.ctx
    if node.orelse:
        ctx.fail(loop_else.report("for", ctx.span(node.orelse[0])))
    span = ctx.span(node.iter)
    value = walker.expression(node.iter)
    target = node.target
    if not isinstance(target, ast.Name):
        ctx.fail(loop_form.report_target(ctx.span(target)))
        return
    if value is POISON:
        _poisoned(walker, node, target.id)
    elif not isinstance(value, RangeCall):
        ctx.fail(loop_form.report(value.describe(), span))
        _poisoned(walker, node, target.id)
    elif value.unrolled:
        _unroll(walker, node, target, value)
    elif ctx.static:
        _poisoned(walker, node, target.id)
    elif not ctx.too_many_blocks(span):
        _run_time_for(walker, node, target, value)


def _poisoned(walker: Walker, node: ast.For, target: str) -> None:
    """Check the body of a loop whose range is unknown; nothing of it is trusted afterwards."""
    ctx = walker.ctx
    ctx.incomplete = True
    names = assigned(ctx, node.body)
    with ctx.block() as scope:
        scope.values[target] = POISON
        walker.body(node.body)
    for name in names:
        if name in ctx.scope.values:
            ctx.scope.values[name] = POISON


def _unroll(walker: Walker, node: ast.For, target: ast.Name, bounds: RangeCall) -> None:
    ctx = walker.ctx
    span = ctx.span(node.iter)
    numbers = [value.value for value in bounds.parts() if isinstance(value, StaticValue)]
    if len(numbers) != 3 or not all(isinstance(number, int) for number in numbers):
        unknown = any(value is POISON or is_unknown(value) for value in bounds.parts())
        if not unknown:
            ctx.fail(loop_bounds.report_static(span))
        _poisoned(walker, node, target.id)
        return
    start, stop, step = (int(number or 0) for number in numbers)
    if step == 0:
        ctx.fail(loop_bounds.report_zero(span))
        return
    trips = range(start, stop, step)
    if len(trips) > MAX_UNROLL:
        ctx.fail(unroll_limit.report(len(trips), MAX_UNROLL, span))
        trips = trips[:1]
    for number in trips:
        if ctx.spent(span):
            return
        ctx.scope.values[target.id] = StaticValue(number)
        walker.body(node.body)
        if ctx.frame.returned is not None:
            return


@dataclass(slots=True, eq=False)
class _Carried:
    """One name that a loop carries, with its value before the loop."""

    name: str
    old: KernelValue
    type: AscType
    init: IRValue


def _carry(ctx: Context, names: Sequence[str], span: Span) -> list[_Carried]:
    carried: list[_Carried] = []
    for name in names:
        old = ctx.scope.values.get(name)
        if old is None or not passes(old):
            continue
        kind, init = old.ir_type(), old.ir(ctx, span)
        if kind is not None and init is not None:
            carried.append(_Carried(name, old, init.type, init))
    return carried


def _enter(scope: Scope, carried: Sequence[_Carried], values: Sequence[IRValue]) -> None:
    for item, value in zip(carried, values, strict=True):
        scope.values[item.name] = item.old.rebuilt(value)


def _yields(ctx: Context, carried: Sequence[_Carried], values: Sequence[IRValue], span: Span) -> list[IRValue]:
    """Return what the body passes to the next trip; a name of the wrong type passes on unchanged."""
    yields: list[IRValue] = []
    for item, value in zip(carried, values, strict=True):
        new = ctx.scope.values.get(item.name, POISON)
        if new.held() != value:
            warn_literal(ctx, item.name, item.old, new, span)
        held = conform(ctx, item.name, new, item.type, span) if new is not POISON else None
        yields.append(held if held is not None else value)
    return yields


def _exit(
    ctx: Context,
    inner: Scope,
    names: Sequence[str],
    carried: Sequence[_Carried],
    results: Sequence[IRValue],
    span: Span,
) -> None:
    """Bind the names after the loop."""
    scope = ctx.scope
    passed = {item.name for item in carried}
    for item, value in zip(carried, results, strict=True):
        broken = inner.values.get(item.name) is POISON
        scope.values[item.name] = POISON if broken else item.old.rebuilt(value)
        ctx.builder.set_name(value, item.name)
    for name in names:
        old, new = scope.values.get(name), inner.values.get(name)
        if name in passed or new is None or old is new:
            continue
        if old is None:
            scope.lost[name] = span
        elif POISON in (old, new):
            scope.values[name] = POISON
        elif old.carries() and not same_constant(ctx, old, new, span):
            ctx.fail(carried_constant.report(name, old.describe(), new.describe(), span))


def _run_time_for(walker: Walker, node: ast.For, target: ast.Name, bounds: RangeCall) -> None:
    ctx = walker.ctx
    span = ctx.span(node)
    scalars = _bounds(ctx, bounds, ctx.span(node.iter))
    if scalars is None:
        _poisoned(walker, node, target.id)
        return
    start, stop, step = scalars
    downward: tuple[Scalar, Scalar] | None = None
    last = bounds.step
    if isinstance(last, StaticValue) and isinstance(last.value, int) and last.value < 0:
        ctx.report(toolchain_downward.report(last.value, ctx.span(node.iter)))
        downward = (start, step)
        start, stop, step = _upward(ctx, start, stop, last.value, ctx.span(node.iter))
    names = tuple(name for name in assigned(ctx, node.body) if name != target.id)
    carried = _carry(ctx, names, span)
    handle = ctx.builder.loop(
        start.value, stop.value, step.value, [item.init for item in carried], span,
        name=target.id, names=[item.name for item in carried],
    )  # fmt: skip
    with ctx.block() as inner, handle:
        _enter(inner, carried, handle.carried)
        index: KernelValue = Scalar(handle.induction, start.dtype)
        if downward is not None:
            first, by = downward
            offset = index.binary(ctx, Operator.MUL, by, False, span) or POISON
            index = first.binary(ctx, Operator.ADD, offset, False, span) or POISON
        inner.values[target.id] = index
        if ctx.record_facts:
            ctx.facts.append(index.fact(target.id, ctx.span(target)))
        walker.body(node.body)
        handle.yield_(_yields(ctx, carried, handle.carried, span))
    _exit(ctx, inner, names, carried, handle.results, span)
    if target.id not in ctx.scope.values:
        ctx.scope.lost[target.id] = span


def _bounds(ctx: Context, bounds: RangeCall, span: Span) -> tuple[Scalar, Scalar, Scalar] | None:
    parts = bounds.parts()
    scalars: list[Scalar] = []
    for part in parts:
        if part is POISON:
            return None
        number = part.value if isinstance(part, StaticValue) else None
        if isinstance(number, float) or (isinstance(part, Scalar) and part.dtype.is_float):
            ctx.fail(loop_bounds.report_float(part.describe(), span))
            return None
        literal = materialize(ctx, part, DType.INT32 if is_number(part) else None, span)
        if literal is None:
            ctx.fail(loop_bounds.report_type(part.describe(), span))
            return None
        scalars.append(literal)
    if is_number(parts[2]) and isinstance(parts[2], StaticValue) and parts[2].value == 0:
        ctx.fail(loop_bounds.report_zero(span))
        return None
    dtypes = {scalar.dtype for scalar in scalars}
    if len(dtypes) > 1 and DType.UNKNOWN not in dtypes:
        ctx.fail(loop_bounds.report_mixed(sorted(dtype.value for dtype in dtypes), span))
        widest = max(dtypes, key=lambda dtype: dtype.bits)
        scalars = [Scalar(ctx.builder.cast(scalar.value, widest, span), widest) for scalar in scalars]
    return scalars[0], scalars[1], scalars[2]


def _upward(ctx: Context, start: Scalar, stop: Scalar, step: int, span: Span) -> tuple[Scalar, Scalar, Scalar]:
    """Return the bounds of a loop that counts the trips of a downward one."""
    distance = start.binary(ctx, Operator.SUB, stop, False, span) or POISON
    trips = ceildiv(ctx, distance, StaticValue(-step), span)
    zero = Scalar(ctx.builder.constant(0, start.dtype, span), start.dtype)
    one = Scalar(ctx.builder.constant(1, start.dtype, span), start.dtype)
    return zero, trips if isinstance(trips, Scalar) else zero, one


def while_(walker: Walker, node: ast.While) -> None:
    """Loop while a run-time condition, computed from the carried values, holds."""
    ctx = walker.ctx
    span = ctx.span(node)
    if node.orelse:
        ctx.fail(loop_else.report("while", ctx.span(node.orelse[0])))
    names = assigned(ctx, node.body)
    changing = [name for name in read_names(node.test) if name in names]
    if not changing and not any(isinstance(item, ast.Call) for item in ast.walk(node.test)):
        condition = walker.expression(node.test).truth(ctx, ctx.span(node.test))
        if condition is False:
            return
        if condition is not None:
            ctx.fail(endless_while.report(ctx.frame.source.excerpt(ctx.span(node.test)), ctx.span(node.test)))
        with ctx.block():
            walker.body(node.body)
        return
    if ctx.static or ctx.too_many_blocks(span):
        return
    if changing:
        ctx.report(toolchain_while.report(changing, ctx.span(node.test)))
    carried = _carry(ctx, names, span)
    handle = ctx.builder.while_loop([item.init for item in carried], span, names=[item.name for item in carried])
    with ctx.block() as scope, handle.before():
        _enter(scope, carried, handle.carried)
        flag = walker.expression(node.test).truth(ctx, ctx.span(node.test))
        if flag is None or isinstance(flag, bool):
            ctx.incomplete = True
            flag = ctx.builder.constant(False, BIT, span)
        handle.condition(flag)
    with ctx.block() as inner, handle.body():
        _enter(inner, carried, handle.body_args)
        walker.body(node.body)
        handle.yield_(_yields(ctx, carried, handle.body_args, span))
    _exit(ctx, inner, names, carried, handle.results, span)


HANDLERS: dict[type[ast.stmt], Any] = {ast.For: for_, ast.While: while_}
