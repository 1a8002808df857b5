# SPDX-License-Identifier: Apache-2.0
"""`if`, conditional expressions and `with`."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.types import AscType, ScalarType
from asclens_compiler.frontend.carried import assigned, conform, is_number, passes, same_constant, warn_literal
from asclens_compiler.frontend.context import Scope
from asclens_compiler.frontend.rules import carried_constant, conditional_types, toolchain_branch, with_items
from asclens_compiler.frontend.scalars import BIT, Scalar, is_unknown, materialize
from asclens_compiler.frontend.values import POISON, KernelValue

if TYPE_CHECKING:
    from asclens_compiler.ascir.builder import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.walker import Walker
    from asclens_compiler.source.span import Span


def if_(walker: Walker, node: ast.If) -> None:
    """Walk the taken branch of a compile-time condition, or both branches of a run-time one."""
    ctx = walker.ctx
    span = ctx.span(node.test)
    test = walker.expression(node.test)
    condition = test.truth(ctx, span)
    if isinstance(condition, bool):
        walker.body(node.body if condition else node.orelse)
        return
    if condition is None:
        if ctx.static:
            _either(walker, node)
            return
        # The condition is unknown: both branches are still checked and built.
        ctx.incomplete = True
        condition = ctx.builder.constant(True, BIT, span)
    if ctx.too_many_blocks(span):
        return
    if test is POISON or is_unknown(test):
        _unknown_if(walker, node, condition)
    else:
        _run_time_if(walker, node, condition)


def _unknown_if(walker: Walker, node: ast.If, condition: IRValue) -> None:
    """Build both branches of a compile-time condition that only a launch knows; results are unknown."""
    ctx = walker.ctx
    frame, before = ctx.frame, ctx.scope
    handle = ctx.builder.branch(condition, (), ctx.span(node))
    changed: dict[str, list[KernelValue]] = {}
    for body, arm in ((node.body, handle.then), (node.orelse, handle.orelse)):
        with ctx.block(run_time=False) as scope, arm():
            walker.body(body)
            handle.yield_(())
        if frame.returned is not None:
            frame.returned = None
            ctx.incomplete = True
        for name, value in scope.values.items():
            if before.values.get(name) is not value:
                changed.setdefault(name, []).append(value)
    for name, values in changed.items():
        before.values[name] = before.values.get(name, POISON).undecided(ctx, values)


def _either(walker: Walker, node: ast.If) -> None:
    """Walk both branches of an unknown compile-time condition; what they assign is unknown."""
    ctx = walker.ctx
    for body in (node.body, node.orelse):
        with ctx.block() as scope:
            walker.body(body)
        for name, value in scope.values.items():
            if ctx.scope.values.get(name) is not value:
                ctx.scope.values[name] = POISON


@dataclass(slots=True, eq=False)
class _Merge:
    """One name that a run-time `if` passes on."""

    name: str
    pattern: KernelValue
    type: AscType


def _run_time_if(walker: Walker, node: ast.If, condition: IRValue) -> None:
    ctx = walker.ctx
    span = ctx.span(node)
    before = ctx.scope
    then_names, else_names = assigned(ctx, node.body), assigned(ctx, node.orelse)
    handle = ctx.builder.branch(condition, None, span)
    with ctx.block() as then_scope, handle.then():
        walker.body(node.body)
        merges = _candidates(ctx, before, then_scope, then_names, else_names, span)
        handle.yield_(_yields(ctx, merges, then_scope, span))
    with ctx.block() as else_scope, handle.orelse():
        walker.body(node.orelse)
        handle.yield_(_yields(ctx, merges, else_scope, span))
    results = handle.results
    passed = {merge.name for merge in merges}
    if len(results) == len(merges):
        for merge, result in zip(merges, results, strict=True):
            before.values[merge.name] = merge.pattern.rebuilt(result)
            ctx.builder.set_name(result, merge.name)
    for name in {*then_names, *else_names} - passed:
        _settle(ctx, before, name, (then_scope, else_scope), span)


def _candidates(
    ctx: Context, before: Scope, scope: Scope, then_names: Sequence[str], else_names: Sequence[str], span: Span
) -> list[_Merge]:
    """Return the names whose value after the `if` comes from its branches."""
    merges: list[_Merge] = []
    for name in sorted({*then_names, *else_names}):
        old, new = before.values.get(name), scope.values.get(name)
        if new is None or (old is None and name not in else_names) or not passes(new):
            continue
        if old is not None and not passes(old):
            continue
        pattern = new if old is None or is_number(old) else old
        kind = pattern.ir_type()
        if kind is None:
            continue
        if old is None:
            ctx.report(toolchain_branch.report(name, span))
        elif not is_number(new):
            warn_literal(ctx, name, old, new, span)
        merges.append(_Merge(name, pattern, kind))
    return merges


def _yields(ctx: Context, merges: Sequence[_Merge], scope: Scope, span: Span) -> list[IRValue]:
    values: list[IRValue] = []
    for merge in merges:
        value = scope.values.get(merge.name, POISON)
        held = conform(ctx, merge.name, value, merge.type, span)
        if held is not None:
            values.append(held)
    return values


def _settle(ctx: Context, before: Scope, name: str, scopes: Sequence[Scope], span: Span) -> None:
    """Decide what a name stands for after an `if` that passes nothing on for it."""
    old = before.values.get(name)
    values = [scope.values.get(name) for scope in scopes]
    if all(value is old for value in values):
        return
    first, second = values
    if first is None or second is None:
        before.values.pop(name, None)
        before.lost[name] = span
        return
    if POISON not in values and not same_constant(ctx, first, second, span):
        ctx.fail(carried_constant.report(name, first.describe(), second.describe(), span))
    before.values[name] = first if POISON not in values else POISON


def conditional(walker: Walker, node: ast.IfExp) -> KernelValue:
    """Evaluate `a if condition else b`; a run-time condition needs two numbers of one type."""
    ctx = walker.ctx
    span = ctx.span(node)
    condition = walker.expression(node.test).truth(ctx, ctx.span(node.test))
    if isinstance(condition, bool):
        return walker.expression(node.body if condition else node.orelse)
    if condition is None or ctx.static or ctx.too_many_blocks(span):
        return POISON
    handle = ctx.builder.branch(condition, None, span)
    with ctx.block(), handle.then():
        first = materialize(ctx, walker.expression(node.body), None, span)
        handle.yield_([first.value] if first is not None else [])
    with ctx.block(), handle.orelse():
        second = materialize(ctx, walker.expression(node.orelse), None, span)
        if first is None or second is None:
            ctx.fail(conditional_types.report_values(span))
            return POISON
        if first.dtype is not second.dtype:
            ctx.fail(conditional_types.report(first.dtype.value, second.dtype.value, span))
        held = conform(ctx, "", second if first.dtype is second.dtype else POISON, ScalarType(first.dtype), span)
        handle.yield_([held] if held is not None else [])
    results = handle.results
    return Scalar(results[0], first.dtype) if results else POISON


def with_(walker: Walker, node: ast.With) -> None:
    """Enter, walk, leave; one item."""
    ctx = walker.ctx
    span = ctx.span(node.items[0].context_expr)
    if len(node.items) > 1:
        ctx.fail(with_items.report(len(node.items), span))
    value = walker.expression(node.items[0].context_expr)
    entered = value.enter(ctx, span) if value is not POISON else POISON
    target = node.items[0].optional_vars
    if isinstance(target, ast.Name):
        ctx.scope.values[target.id] = entered
    elif target is not None:
        ctx.fail(with_items.report_target(ctx.span(target)))
    walker.body(node.body)
    if value is not POISON:
        value.leave(ctx, span)


HANDLERS: dict[type[ast.stmt], Any] = {ast.If: if_, ast.With: with_}
