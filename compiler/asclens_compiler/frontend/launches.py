# SPDX-License-Identifier: Apache-2.0
"""Launch sites of a file, found by evaluating its host code without running it."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.errors import AscLensError
from asclens_compiler.frontend.context import Context, Frame
from asclens_compiler.frontend.creations import creation_of
from asclens_compiler.frontend.directives import Directive, target_name
from asclens_compiler.frontend.functions import FunctionValue, inline
from asclens_compiler.frontend.hostvalues import HostArray
from asclens_compiler.frontend.module import StaticModule
from asclens_compiler.frontend.parameters import parameters
from asclens_compiler.frontend.rules import launch_missing
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.surfaces import KernelSource, Launch, Origin, Surface
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.frontend.walker import Walker
from asclens_compiler.hardware.dtypes import DType

# Host code is evaluated for what it tells about launches; this much of it, no more.
MAX_HOST_STATEMENTS = 20_000
# Cases of a parametrised test that are followed.
MAX_CASES = 4
_DTYPES = {dtype.value: dtype for dtype in DType}
_CORES = "core_num"


def find_launches(module: StaticModule, surface: Surface) -> tuple[list[tuple[ast.AST, Launch]], list[Diagnostic]]:
    """Return the launches that host code makes, with the kernel's function or class, and wrong ones.

    First the module level (with `__main__`), then functions that nothing has called, with unknown
    arguments.
    """
    ctx = Context(surface=surface, frame=Frame("<module>", module.tree, module, module.source), soc="")
    ctx.statements_left = MAX_HOST_STATEMENTS
    walker = Walker(ctx)
    walker.body(module.tree.body)
    called = ctx.inlined_nodes
    for node, _ in list(module.functions()):
        if node in called or module.is_jit(node) or not _may_launch(node):
            continue
        function = FunctionValue(node, module, jit=False)
        for arguments in _cases(node, module):
            inline(ctx, function, [], arguments, module.source.span(node), run_time=False)
    problems = [item for item in ctx.diagnostics if item.code == launch_missing.RULE.code]
    return ctx.launches, problems


def _cases(node: ast.FunctionDef, module: StaticModule) -> list[dict[str, KernelValue]]:
    """Return arguments to follow a function with: its pytest cases, else unknown ones."""
    unknown: dict[str, KernelValue] = {parameter.name: POISON for parameter in parameters(node, module)}
    cases = [unknown]
    for decorator in node.decorator_list:
        rows = _parametrized(decorator, module)
        if rows:
            cases = [{**case, **row} for case in cases for row in rows][:MAX_CASES]
    return cases


def _parametrized(decorator: ast.expr, module: StaticModule) -> list[dict[str, KernelValue]]:
    """Return the rows of `@pytest.mark.parametrize(names, rows)`."""
    if not isinstance(decorator, ast.Call) or len(decorator.args) < 2:
        return []
    if not isinstance(decorator.func, ast.Attribute) or decorator.func.attr != "parametrize":
        return []
    named, listed = module.evaluate(decorator.args[0]), module.evaluate(decorator.args[1]).items()
    text = named.value if isinstance(named, StaticValue) else None
    parts = named.items() or ()
    names = [item.strip() for item in text.split(",")] if isinstance(text, str) else [
        str(item.value) for item in parts if isinstance(item, StaticValue)
    ]  # fmt: skip
    rows: list[dict[str, KernelValue]] = []
    for row in listed or ():
        values = [row] if len(names) == 1 else row.items()
        if values is not None and len(values) == len(names):
            rows.append(dict(zip(names, values, strict=True)))
    return rows


def _may_launch(node: ast.FunctionDef) -> bool:
    """Tell whether a function can contain or reach a launch: it calls something."""
    return any(isinstance(item, ast.Call) for item in ast.walk(node))


def assumed_launch(kernel: KernelSource, directives: Sequence[Directive]) -> Launch | None:
    """Return what an `assume` directive inside or right above a kernel says, else None."""
    first = min([kernel.node.lineno, *(item.lineno for item in kernel.node.decorator_list)])
    last = kernel.node.end_lineno or first
    values: list[tuple[str, KernelValue]] = []
    for directive in directives:
        if directive.kind == "assume" and first - 3 <= directive.line <= last:
            values += [(name, assumed_value(kernel, node)) for name, node in directive.values]
    return Launch(kwargs=tuple(values), origin=Origin.ASSUME) if values else None


def directed_launches(kernel: KernelSource, directives: Sequence[Directive]) -> list[Launch]:
    """Return the launches that the `run` directives of a file say for a kernel."""
    found: list[Launch] = []
    for directive in directives:
        if directive.kind != "run" or target_name(directive) != kernel.name:
            continue
        values = tuple((name, _directed_value(kernel, node)) for name, node in directive.values if name != _CORES)
        target = directive.target
        instance = kernel.module.evaluate(target) if isinstance(target, ast.Call) else None
        found.append(Launch(kwargs=values, instance=instance, origin=Origin.RUN, span=directive.span))
    return found


def _directed_value(kernel: KernelSource, node: ast.expr) -> KernelValue:
    """Return the value of a run directive; one that cannot be made is unknown here, and an error of the run."""
    try:
        creation = creation_of(node, lambda part: _constant(kernel.module.evaluate(part)))
    except AscLensError:
        return POISON
    return kernel.module.evaluate(node) if creation is None else HostArray(DType(creation.dtype), creation.shape)


def _constant(value: KernelValue) -> object:
    items = value.items()
    if items is not None:
        return tuple(getattr(item, "value", None) for item in items)
    return getattr(value, "value", None)


def assumed_value(kernel: KernelSource, node: ast.expr) -> KernelValue:
    """Return the value of `float16[16384]`, `float32[?]`, or of an expression."""
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in _DTYPES:
        dims = kernel.module.evaluate(node.slice)
        items = dims.items() or (dims,)
        numbers = [getattr(item, "value", None) for item in items]
        shape = tuple(item for item in numbers if isinstance(item, int))
        return HostArray(_DTYPES[node.value.id], shape if len(shape) == len(numbers) else None)
    if isinstance(node, ast.Name) and node.id in _DTYPES:
        return HostArray(_DTYPES[node.id])
    return kernel.module.evaluate(node)
