# SPDX-License-Identifier: Apache-2.0
"""Simple statements: assignments, expression statements, assert, return."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from asclens_compiler.frontend.expressions import BINARY, apply
from asclens_compiler.frontend.rules import assertion_failed, assertion_runtime, assignment, return_place, return_value
from asclens_compiler.frontend.scalars import is_unknown, materialize
from asclens_compiler.frontend.static import NONE, SequenceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue

if TYPE_CHECKING:
    from asclens_compiler.frontend.walker import Walker


def assign(walker: Walker, node: ast.Assign) -> None:
    """`target = value`."""
    value = walker.expression(node.value)
    if len(node.targets) > 1:
        walker.ctx.fail(assignment.report_chain(walker.ctx.span(node)))
    for target in node.targets:
        store(walker, target, value)


def annotated(walker: Walker, node: ast.AnnAssign) -> None:
    """`target: type = value`; the annotation has no effect."""
    if node.value is not None:
        store(walker, node.target, walker.expression(node.value))


def augmented(walker: Walker, node: ast.AugAssign) -> None:
    """`target op= value` on a name or a subscript."""
    ctx = walker.ctx
    target = node.target
    op = BINARY[type(node.op)]
    if isinstance(target, ast.Name):
        old = walker.expression(ast.copy_location(ast.Name(target.id, ast.Load()), target))
        bind(walker, target.id, apply(walker, op, old, walker.expression(node.value), node), target)
        return
    if isinstance(target, ast.Attribute):
        ctx.fail(assignment.report_attribute(ctx.frame.source.excerpt(ctx.span(target)), op.value, ctx.span(node)))
        return
    owner = walker.expression(target.value)
    index = walker.expression(target.slice)
    if owner is POISON or index is POISON:
        return
    old = owner.getitem(ctx, index, ctx.span(target))
    value = apply(walker, op, old, walker.expression(node.value), node)
    if value is not POISON:
        owner.setitem(ctx, index, value, ctx.span(node))


def store(walker: Walker, target: ast.expr, value: KernelValue) -> None:
    """Store into a name, a tuple of names, an attribute or an element."""
    ctx = walker.ctx
    if isinstance(target, ast.Name):
        bind(walker, target.id, value, target)
    elif isinstance(target, ast.Tuple | ast.List):
        _unpack(walker, target, value)
    elif isinstance(target, ast.Subscript):
        owner = walker.expression(target.value)
        index = walker.expression(target.slice)
        if value is not POISON and index is not POISON:
            owner.setitem(ctx, index, value, ctx.span(target))
    elif isinstance(target, ast.Attribute):
        owner = walker.expression(target.value)
        if value is not POISON:
            owner.setattr(ctx, target.attr, value, ctx.span(target))
    else:
        ctx.fail(assignment.report_target(ctx.span(target)))


def _unpack(walker: Walker, target: ast.Tuple | ast.List, value: KernelValue) -> None:
    ctx = walker.ctx
    names = target.elts
    if not ctx.static and not all(isinstance(item, ast.Name) for item in names):
        ctx.fail(assignment.report_target(ctx.span(target)))
    items = value.items()
    if items is None and value is not POISON:
        ctx.fail(assignment.report_unpack(len(names), value.describe(), ctx.span(target)))
    elif items is not None and len(items) != len(names):
        ctx.fail(assignment.report_unpack(len(names), value.describe(), ctx.span(target)))
        items = None
    values = items if items is not None else [POISON] * len(names)
    for item, part in zip(names, list(values), strict=True):
        if isinstance(item, ast.Name):
            bind(walker, item.id, part, item)
        elif ctx.static:
            store(walker, item, part)


def bind(walker: Walker, name: str, value: KernelValue, node: ast.AST) -> None:
    """Let `name` hold `value`, asking the old value first (staged tensors keep their allocation)."""
    ctx = walker.ctx
    values = ctx.frame.scope.values
    old = values.get(name)
    if old is not None and old is not value:
        value = old.on_rebind(ctx, name, value, ctx.span(node))
    values[name] = value
    held = value.held()
    if held is not None:
        ctx.builder.set_name(held, name)
    if ctx.record_facts and value is not POISON:
        ctx.facts.append(value.fact(name, ctx.span(node)))


def expression(walker: Walker, node: ast.Expr) -> None:
    """Evaluate for the effect."""
    if not isinstance(node.value, ast.Constant):
        walker.expression(node.value)


def skip(walker: Walker, node: ast.stmt) -> None:
    """`pass`."""
    del walker, node


def assert_(walker: Walker, node: ast.Assert) -> None:
    """Check a compile-time condition."""
    ctx = walker.ctx
    test = walker.expression(node.test)
    message = walker.expression(node.msg) if node.msg is not None else None
    if test is POISON:
        return
    span = ctx.span(node)
    if is_unknown(test):
        return
    if test.held() is not None:
        ctx.fail(assertion_runtime.report(span))
        return
    if test.truth(ctx, span) is False:
        text = str(message.value) if isinstance(message, StaticValue) else ""
        ctx.fail(assertion_failed.report(ctx.frame.source.excerpt(ctx.span(node.test)), text, span))


def return_(walker: Walker, node: ast.Return) -> None:
    """Leave the activation; only at its top level, and without a value in a kernel."""
    ctx = walker.ctx
    frame = ctx.frame
    value = walker.expression(node.value) if node.value is not None else NONE
    span = ctx.span(node)
    if frame.block_depth:
        ctx.fail(return_place.report(span))
        return
    none = isinstance(value, StaticValue) and value.value is None
    if frame.is_kernel and not none and value is not POISON:
        ctx.fail(return_value.report(span))
    frame.returned = value if frame.is_kernel or ctx.static else _returned(walker, value, node)


def _returned(walker: Walker, value: KernelValue, node: ast.Return) -> KernelValue:
    """Turn literals that a helper returns into run-time values, as the toolchain does."""
    ctx = walker.ctx
    items = value.items()
    if items is not None:
        return SequenceValue([_returned(walker, item, node) for item in items], is_list=True)
    if isinstance(value, StaticValue) and isinstance(value.value, int | float):
        return materialize(ctx, value, None, ctx.span(node)) or POISON
    return value


HANDLERS: dict[type[ast.stmt], Any] = {
    ast.Assign: assign,
    ast.AnnAssign: annotated,
    ast.AugAssign: augmented,
    ast.Expr: expression,
    ast.Pass: skip,
    ast.Assert: assert_,
    ast.Return: return_,
}
