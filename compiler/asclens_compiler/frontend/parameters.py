# SPDX-License-Identifier: Apache-2.0
"""Parameters of kernels and helpers: annotations, and binding of arguments."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.frontend.rules import call_arguments, parameter_form
from asclens_compiler.frontend.values import KernelValue

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.module import ModuleEnv
    from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parameter:
    """One parameter: `constexpr` when its annotation is `ConstExpr` or `ConstExpr[...]`.

    `required` is the text between the brackets (`int`), empty when there is none.
    """

    name: str
    node: ast.arg
    annotation: ast.expr | None
    constexpr: bool
    required: str = ""
    default: ast.expr | None = None


def parameters(node: ast.FunctionDef, module: ModuleEnv) -> tuple[Parameter, ...]:
    """Return the parameters of a function in order, keyword-only ones last."""
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = [*zip(plain, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return tuple(_parameter(argument, default, module) for argument, default in pairs)


def _parameter(node: ast.arg, default: ast.expr | None, module: ModuleEnv) -> Parameter:
    annotation = unquoted(node.annotation)
    base = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    constexpr = base is not None and module.refers_to(base, "asc.ConstExpr")
    required = ast.unparse(annotation.slice) if constexpr and isinstance(annotation, ast.Subscript) else ""
    return Parameter(
        name=node.arg, node=node, annotation=annotation, constexpr=constexpr, required=required, default=default
    )


def unquoted(annotation: ast.expr | None) -> ast.expr | None:
    """Return an annotation, parsed when it is written as text."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            return ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    return annotation


def bind(
    ctx: Context,
    node: ast.FunctionDef,
    module: ModuleEnv,
    args: Sequence[KernelValue],
    kwargs: Mapping[str, KernelValue],
    span: Span,
) -> dict[str, KernelValue] | None:
    """Return the arguments by parameter name, defaults included; report what does not fit."""
    rows = parameters(node, module)
    if node.args.vararg is not None or node.args.kwarg is not None:
        ctx.fail(parameter_form.report(node.name, module.source.span(node.args.vararg or node.args.kwarg or node)))
    positional = len(rows) - len(node.args.kwonlyargs)
    if len(args) > positional:
        if node.args.vararg is None:
            ctx.fail(call_arguments.report_count(node.name, positional, len(args), span))
        args = args[:positional]
    bound = {row.name: value for row, value in zip(rows, args, strict=False)}
    known = [row.name for row in rows]
    for name, value in kwargs.items():
        if name in bound:
            ctx.fail(call_arguments.report_twice(node.name, name, span))
        elif name not in known:
            ctx.fail(call_arguments.report_keyword(node.name, name, known, span))
        else:
            bound[name] = value
    missing = [row.name for row in rows if row.name not in bound and row.default is None]
    if missing:
        ctx.fail(call_arguments.report_missing(node.name, missing, span))
        return None
    for row in rows:
        if row.name not in bound and row.default is not None:
            bound[row.name] = module.evaluate(row.default)
    return bound
