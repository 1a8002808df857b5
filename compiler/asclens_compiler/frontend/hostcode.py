# SPDX-License-Identifier: Apache-2.0
"""Statements and expressions of host code that kernels do not have; evaluated for what they tell."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from asclens_compiler.frontend.static import NONE, DictValue, SequenceValue
from asclens_compiler.frontend.values import POISON, KernelValue

if TYPE_CHECKING:
    from asclens_compiler.frontend.walker import Walker

# A host loop over known values is followed this many times: each may launch another specialisation.
MAX_HOST_TRIPS = 8
MAX_COMPREHENSION = 256


def define(walker: Walker, node: ast.FunctionDef | ast.ClassDef) -> None:
    """Bind a function or class; at module level the module itself answers for it."""
    from asclens_compiler.frontend.classes import ClassValue  # noqa: PLC0415  modules use the walker
    from asclens_compiler.frontend.functions import FunctionValue  # noqa: PLC0415  modules use the walker

    frame = walker.ctx.frame
    if isinstance(node, ast.ClassDef):
        frame.scope.values[node.name] = ClassValue(node, frame.module)
    elif len(walker.ctx.frames) > 1:
        frame.scope.values[node.name] = FunctionValue(node, frame.module, frame.module.is_jit(node))


def ignore(walker: Walker, node: ast.stmt) -> None:
    """Do nothing."""
    del walker, node


def try_(walker: Walker, node: ast.Try) -> None:
    """Follow the body as if nothing failed."""
    walker.body([*node.body, *node.orelse, *node.finalbody])


def with_(walker: Walker, node: ast.With) -> None:
    """Follow the body; what `as` binds is unknown."""
    for item in node.items:
        walker.expression(item.context_expr)
        if isinstance(item.optional_vars, ast.Name):
            walker.ctx.scope.values[item.optional_vars.id] = POISON
    walker.body(node.body)


def for_(walker: Walker, node: ast.For) -> None:
    """Follow the body for each known value, or once with an unknown one."""
    from asclens_compiler.frontend.statements import store  # noqa: PLC0415  statements use expressions

    items = walker.expression(node.iter).items()
    if items is None:
        with walker.ctx.block():
            store(walker, node.target, POISON)
            walker.body(node.body)
        return
    for item in list(items)[:MAX_HOST_TRIPS]:
        store(walker, node.target, item)
        walker.body(node.body)


def while_(walker: Walker, node: ast.While) -> None:
    """Follow the body once."""
    with walker.ctx.block():
        walker.body(node.body)


def return_(walker: Walker, node: ast.Return) -> None:
    """Return a value; inside an undecided block the walk goes on."""
    frame = walker.ctx.frame
    value = walker.expression(node.value) if node.value is not None else NONE
    if not frame.block_depth:
        frame.returned = value


def assert_(walker: Walker, node: ast.Assert) -> None:
    """Evaluate the condition: it may call something."""
    walker.expression(node.test)


def dict_(walker: Walker, node: ast.Dict) -> KernelValue:
    """Evaluate a dict display."""
    pairs: list[tuple[KernelValue, KernelValue]] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None:
            return POISON
        pairs.append((walker.expression(key), walker.expression(value)))
    return DictValue(pairs)


def comprehension(walker: Walker, node: ast.ListComp | ast.GeneratorExp) -> KernelValue:
    """Evaluate a comprehension over one known sequence."""
    from asclens_compiler.frontend.statements import store  # noqa: PLC0415  statements use expressions

    generator = node.generators[0]
    items = walker.expression(generator.iter).items() if len(node.generators) == 1 and not generator.ifs else None
    if items is None or len(items) > MAX_COMPREHENSION:
        return POISON
    values: list[KernelValue] = []
    with walker.ctx.block():
        for item in items:
            store(walker, generator.target, item)
            values.append(walker.expression(node.elt))
    return SequenceValue(values, is_list=True)


def unknown(walker: Walker, node: ast.expr) -> KernelValue:
    """Return unknown."""
    del walker, node
    return POISON


def imported(walker: Walker, node: ast.Import | ast.ImportFrom) -> None:
    """Bind what an import inside a function binds; the module answers at module level."""
    from asclens_compiler.frontend.asc_names import import_value  # noqa: PLC0415  names use values

    if len(walker.ctx.frames) == 1:
        return
    values = walker.ctx.scope.values
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            values[alias.asname or alias.name] = import_value(node.module or "", alias.name)
        else:
            head = alias.name.split(".")[0]
            values[alias.asname or head] = import_value(alias.name if alias.asname else head)


STATEMENTS: dict[type[ast.stmt], Any] = {
    ast.FunctionDef: define,
    ast.AsyncFunctionDef: ignore,
    ast.ClassDef: define,
    ast.Import: imported,
    ast.ImportFrom: imported,
    ast.Try: try_,
    ast.With: with_,
    ast.For: for_,
    ast.While: while_,
    ast.Return: return_,
    ast.Assert: assert_,
    ast.Raise: ignore,
    ast.Delete: ignore,
    ast.Global: ignore,
    ast.Nonlocal: ignore,
    ast.Break: ignore,
    ast.Continue: ignore,
}
EXPRESSIONS: dict[type[ast.expr], Any] = {
    ast.Dict: dict_,
    ast.ListComp: comprehension,
    ast.GeneratorExp: comprehension,
    ast.Lambda: unknown,
    ast.Starred: unknown,
    ast.Set: unknown,
    ast.SetComp: unknown,
    ast.DictComp: unknown,
    ast.NamedExpr: unknown,
    ast.Await: unknown,
    ast.Yield: unknown,
    ast.YieldFrom: unknown,
}
