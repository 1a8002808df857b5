# SPDX-License-Identifier: Apache-2.0
"""Names that run-time blocks change: which, and how their values pass in and out."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import AscType, GlobalType, LocalType, ScalarType
from asclens_compiler.frontend.rules import carried_type, toolchain_carried
from asclens_compiler.frontend.scalars import Scalar, materialize
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue, Operator
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.ascir.builder import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span


def assigned(ctx: Context, body: Iterable[ast.stmt]) -> tuple[str, ...]:
    """Return the names that statements assign, sorted; nested functions and classes keep theirs."""
    names: set[str] = set()
    for statement in body:
        found = ctx.assigned_names.get(statement)
        if found is None:
            found = ctx.assigned_names[statement] = frozenset(_stores(statement))
        names |= found
    return tuple(sorted(names))


def _stores(root: ast.stmt) -> Iterable[str]:
    pending: list[ast.AST] = [root]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))


def read_names(node: ast.AST) -> set[str]:
    """Return the names that an expression reads."""
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}


def is_number(value: KernelValue) -> bool:
    """Tell whether a value is a literal that can become a run-time scalar."""
    return isinstance(value, StaticValue) and isinstance(value.value, int | float)


def passes(value: KernelValue) -> bool:
    """Tell whether a value can be carried through a run-time block."""
    return value.carries() and (value.held() is not None or is_number(value))


def same_constant(ctx: Context, old: KernelValue, new: KernelValue, span: Span) -> bool:
    """Tell whether two compile-time values are the same."""
    if old is new:
        return True
    result = old.compare(ctx, Operator.EQ, new, False, span)
    return isinstance(result, StaticValue) and result.value is True


def warn_literal(ctx: Context, name: str, old: KernelValue, new: KernelValue, span: Span) -> None:
    """Report a literal start value that the toolchain cannot carry."""
    if is_number(old) and old is not new and isinstance(old, StaticValue):
        ctx.report(toolchain_carried.report(name, old.value, span))


def conform(ctx: Context, name: str, value: KernelValue, wanted: AscType, span: Span) -> IRValue | None:
    """Return `value` as an IR value of type `wanted`; report what cannot be, and return a stand-in or None."""
    if value is POISON:
        return _stand_in(ctx, wanted, span)
    if isinstance(wanted, ScalarType):
        return _conform_scalar(ctx, name, value, wanted, span)
    held = value.held()
    if held is None:
        ctx.fail(carried_type.report(name, type_text(wanted), value.describe(), span))
        return None
    if held.type == wanted:
        return held
    found = held.type
    if isinstance(found, LocalType) and isinstance(wanted, LocalType) and found.dtype is wanted.dtype:
        return ctx.builder.op(
            "reinterpret_cast", [held], attrs={"dtype": wanted.dtype.value}, results=[wanted], span=span
        )[0]
    ctx.fail(carried_type.report(name, type_text(wanted), type_text(found), span))
    return None


def _conform_scalar(ctx: Context, name: str, value: KernelValue, wanted: ScalarType, span: Span) -> IRValue | None:
    if isinstance(value, Scalar) and value.dtype is not wanted.dtype and DType.UNKNOWN not in (
        value.dtype, wanted.dtype):  # fmt: skip
        ctx.fail(carried_type.report(name, wanted.dtype.value, value.dtype.value, span))
        return _stand_in(ctx, wanted, span)
    scalar = materialize(ctx, value, wanted.dtype, span)
    if scalar is None:
        ctx.fail(carried_type.report(name, wanted.dtype.value, value.describe(), span))
        return _stand_in(ctx, wanted, span)
    return scalar.value


def _stand_in(ctx: Context, wanted: AscType, span: Span) -> IRValue | None:
    if isinstance(wanted, ScalarType) and wanted.dtype is not DType.UNKNOWN:
        return ctx.builder.constant(0, wanted.dtype, span)
    return None


def type_text(kind: AscType) -> str:
    """Return a type in the words of messages."""
    match kind:
        case ScalarType(dtype):
            return dtype.value
        case LocalType(dtype, position, _):
            return f"a LocalTensor of {dtype.value} at {position.value}"
        case GlobalType(dtype, _):
            return f"a GlobalTensor of {dtype.value}"
        case _:
            return type(kind).__name__.removesuffix("Type").lower()
