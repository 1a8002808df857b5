# SPDX-License-Identifier: Apache-2.0
"""Expressions: one handler per node class, called by the walker."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from asclens_compiler.frontend.names import lookup
from asclens_compiler.frontend.rules import (
    bool_chain,
    comparison_chain,
    formatted_runtime,
    membership,
    operand_types,
    toolchain_bool,
    unsupported_syntax,
)
from asclens_compiler.frontend.scalars import logical
from asclens_compiler.frontend.static import SequenceValue, SliceValue, StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator

if TYPE_CHECKING:
    from asclens_compiler.frontend.walker import Walker

BINARY: dict[type[ast.operator], Operator] = {
    ast.Add: Operator.ADD, ast.Sub: Operator.SUB, ast.Mult: Operator.MUL, ast.Div: Operator.DIV,
    ast.FloorDiv: Operator.FLOORDIV, ast.Mod: Operator.MOD, ast.Pow: Operator.POW, ast.MatMult: Operator.MATMUL,
    ast.LShift: Operator.SHL, ast.RShift: Operator.SHR, ast.BitAnd: Operator.AND, ast.BitOr: Operator.OR,
    ast.BitXor: Operator.XOR,
}  # fmt: skip
_COMPARE: dict[type[ast.cmpop], Operator] = {
    ast.Eq: Operator.EQ, ast.NotEq: Operator.NE, ast.Lt: Operator.LT, ast.LtE: Operator.LE, ast.Gt: Operator.GT,
    ast.GtE: Operator.GE,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Operator] = {
    ast.USub: Operator.NEG, ast.UAdd: Operator.POS, ast.Invert: Operator.INVERT, ast.Not: Operator.NOT,
}  # fmt: skip


# `!r`, `!s`, `!a` of an f-string
_CONVERSIONS: dict[int, Callable[[object], str]] = {114: repr, 115: str, 97: ascii}


def constant(walker: Walker, node: ast.Constant) -> KernelValue:
    """Evaluate a literal."""
    value = node.value
    if value is ... or isinstance(value, complex):
        return walker.ctx.not_supported(f"a kernel has no {type(value).__name__} values", walker.ctx.span(node))
    return StaticValue(value)


def name(walker: Walker, node: ast.Name) -> KernelValue:
    """Look a name up."""
    ctx = walker.ctx
    value = ctx.frame.scope.values.get(node.id)
    return value if value is not None else lookup(ctx, node.id, node)


def attribute(walker: Walker, node: ast.Attribute) -> KernelValue:
    """Read an attribute."""
    owner = walker.expression(node.value)
    return owner.getattr(walker.ctx, node.attr, walker.ctx.span(node))


def call(walker: Walker, node: ast.Call) -> KernelValue:
    """Evaluate callee, arguments, keywords, then call."""
    ctx = walker.ctx
    callee = walker.expression(node.func)
    args: list[KernelValue] = []
    starred = False
    for item in node.args:
        if isinstance(item, ast.Starred):
            ctx.fail(unsupported_syntax.report(item, ctx.span(item)))
            starred = True
            continue
        args.append(walker.expression(item))
    kwargs: dict[str, KernelValue] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            ctx.fail(unsupported_syntax.report(ast.Starred(keyword.value, ast.Load()), ctx.span(keyword.value)))
            starred = True
            continue
        kwargs[keyword.arg] = walker.expression(keyword.value)
    ctx.open_call = starred
    return POISON if starred and not ctx.static else callee.call(ctx, args, kwargs, ctx.span(node))


def apply(walker: Walker, op: Operator, left: KernelValue, right: KernelValue, node: ast.AST) -> KernelValue:
    """Return `left op right`, asking both sides, or report that neither can."""
    ctx = walker.ctx
    span = ctx.span(node)
    if left is POISON or right is POISON:
        return (right if left is POISON else left).beside_unknown(ctx, op, span)
    result = left.binary(ctx, op, right, False, span)
    if result is None:
        result = right.binary(ctx, op, left, True, span)
    if result is None:
        return ctx.fail(operand_types.report(op.value, left.describe(), right.describe(), span))
    return result


def binary(walker: Walker, node: ast.BinOp) -> KernelValue:
    """Evaluate a chain of binary operators left to right; the left spine is walked without recursion."""
    spine = [node]
    while isinstance(spine[-1].left, ast.BinOp):
        spine.append(spine[-1].left)
    left = walker.expression(spine[-1].left)
    while spine:
        link = spine.pop()
        left = apply(walker, BINARY[type(link.op)], left, walker.expression(link.right), link)
    return left


def compare(walker: Walker, node: ast.Compare) -> KernelValue:
    """Evaluate a comparison; chains are refused, as pyasc does."""
    ctx = walker.ctx
    left = walker.expression(node.left)
    rights = [walker.expression(item) for item in node.comparators]
    span = ctx.span(node)
    if len(rights) > 1:
        texts = [ctx.frame.source.excerpt(ctx.span(item)) for item in (node.left, *node.comparators)]
        return ctx.fail(comparison_chain.report(node, texts, span))
    right = rights[0]
    kind = node.ops[0]
    if isinstance(kind, ast.In | ast.NotIn):
        return ctx.fail(membership.report(span))
    unknown = left is POISON or right is POISON
    if isinstance(kind, ast.Is | ast.IsNot):
        return POISON if unknown else StaticValue(_same(walker, left, right, node) == isinstance(kind, ast.Is))
    op = _COMPARE[type(kind)]
    if unknown:
        return (right if left is POISON else left).beside_unknown(ctx, op, span)
    result = left.compare(ctx, op, right, False, span)
    if result is None:
        result = right.compare(ctx, op, left, True, span)
    if result is None:
        return ctx.fail(operand_types.report(op.value, left.describe(), right.describe(), span))
    return result


def _same(walker: Walker, left: KernelValue, right: KernelValue, node: ast.AST) -> bool:
    if isinstance(left, StaticValue) or isinstance(right, StaticValue):
        return isinstance(left, StaticValue) and isinstance(right, StaticValue) and left.value is right.value
    same = left.compare(walker.ctx, Operator.EQ, right, False, walker.ctx.span(node)) if left is not right else None
    return left is right or (isinstance(same, StaticValue) and bool(same.value))


def bool_op(walker: Walker, node: ast.BoolOp) -> KernelValue:
    """Evaluate `and` / `or`: compile-time operands as Python does, run-time ones without short circuit."""
    ctx = walker.ctx
    values = [walker.expression(item) for item in node.values]
    span = ctx.span(node)
    if len(values) > 2:
        texts = [ctx.frame.source.excerpt(ctx.span(item)) for item in node.values]
        ctx.fail(bool_chain.report("and" if isinstance(node.op, ast.And) else "or", texts, span))
    result = values[0]
    for value in values[1:]:
        if result is POISON or value is POISON:
            return POISON
        if result.held() is None and value.held() is None:
            first = result.truth(ctx, span)
            ctx.report(toolchain_bool.report("and" if isinstance(node.op, ast.And) else "or", span))
            result = value if first == isinstance(node.op, ast.And) else result
        else:
            result = logical(ctx, "andi" if isinstance(node.op, ast.And) else "ori", result, value, span)
    return result


def unary(walker: Walker, node: ast.UnaryOp) -> KernelValue:
    """Evaluate a unary operator."""
    ctx = walker.ctx
    operand = walker.expression(node.operand)
    if operand is POISON:
        return POISON
    op = _UNARY[type(node.op)]
    span = ctx.span(node)
    if op is Operator.NOT and operand.held() is None:
        truth = operand.truth(ctx, span)
        ctx.report(toolchain_bool.report("not", span))
        return StaticValue(not truth) if isinstance(truth, bool) else POISON
    result = operand.unary(ctx, op, span)
    if result is None:
        return ctx.not_supported(f"{operand.describe()} has no operator `{op.value.removeprefix('unary ')}`", span)
    return result


def subscript(walker: Walker, node: ast.Subscript) -> KernelValue:
    """Read an element or slice."""
    owner = walker.expression(node.value)
    index = walker.expression(node.slice)
    if index is POISON:
        return POISON
    return owner.getitem(walker.ctx, index, walker.ctx.span(node))


def slice_(walker: Walker, node: ast.Slice) -> KernelValue:
    """Evaluate the parts of a slice."""
    parts = [None if part is None else walker.expression(part) for part in (node.lower, node.upper, node.step)]
    if any(part is POISON for part in parts):
        return POISON
    return SliceValue(*parts)


def tuple_(walker: Walker, node: ast.Tuple) -> KernelValue:
    """Evaluate a tuple display."""
    return SequenceValue([walker.expression(item) for item in node.elts])


def list_(walker: Walker, node: ast.List) -> KernelValue:
    """Evaluate a list display."""
    return SequenceValue([walker.expression(item) for item in node.elts], is_list=True)


def joined(walker: Walker, node: ast.JoinedStr) -> KernelValue:
    """Evaluate an f-string while compiling."""
    parts: list[str] = []
    for item in node.values:
        value = walker.expression(item)
        if value is POISON:
            return POISON
        parts.append(str(value.value) if isinstance(value, StaticValue) else "")
    return StaticValue("".join(parts))


def formatted(walker: Walker, node: ast.FormattedValue) -> KernelValue:
    """Format one value; a run-time value has no text while compiling."""
    ctx = walker.ctx
    value = walker.expression(node.value)
    style = walker.expression(node.format_spec) if node.format_spec is not None else StaticValue("")
    if value is POISON or not isinstance(style, StaticValue):
        return POISON
    span = ctx.span(node)
    if value.held() is not None:
        ctx.report(formatted_runtime.report(ctx.frame.source.excerpt(ctx.span(node.value)), value.describe(), span))
        return StaticValue(f"<{value.describe()}>")
    plain = value.value if isinstance(value, StaticValue) else value.describe()
    convert = _CONVERSIONS.get(node.conversion)
    text: Any = convert(plain) if convert is not None else plain
    digits = "".join(char for char in str(style.value) if char.isdigit())
    if len(digits) > 4:
        return ctx.not_supported(f"format width {digits} is too large", span)
    try:
        return StaticValue(format(text, str(style.value)))
    except (ValueError, TypeError) as error:
        return ctx.not_supported(f"this value cannot be formatted: {error}", span)


HANDLERS: dict[type[ast.expr], Any] = {
    ast.Constant: constant,
    ast.Name: name,
    ast.Attribute: attribute,
    ast.Call: call,
    ast.BinOp: binary,
    ast.Compare: compare,
    ast.BoolOp: bool_op,
    ast.UnaryOp: unary,
    ast.Subscript: subscript,
    ast.Slice: slice_,
    ast.Tuple: tuple_,
    ast.List: list_,
    ast.JoinedStr: joined,
    ast.FormattedValue: formatted,
}
