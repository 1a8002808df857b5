# SPDX-License-Identifier: Apache-2.0
"""One kernel, one launch: trace it into a unit."""

from __future__ import annotations

from collections.abc import Mapping

from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.insertion import NestingTooDeep
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.frontend.context import Context, Frame
from asclens_compiler.frontend.result import KernelResult
from asclens_compiler.frontend.rules import nesting
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.surfaces import KernelSource, Launch
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.frontend.walker import Walker
from asclens_compiler.source.text import SourceText


def compile_kernel(kernel: KernelSource, launch: Launch, *, soc: str, facts: bool) -> KernelResult:
    """Trace a kernel for one launch; never raises for anything in the user's text."""
    source: SourceText = kernel.module.source
    unit = Unit.new(source.file)
    frame = Frame(kernel.name, kernel.node, kernel.module, source, is_kernel=True)
    ctx = Context(surface=kernel.surface, frame=frame, soc=soc, builder=Builder(unit))
    ctx.record_facts = facts
    walker = Walker(ctx)
    opened = False
    try:
        opened = kernel.surface.begin(ctx, kernel, launch)
        if opened:
            walker.body(kernel.node.body)
            kernel.surface.finish(ctx, kernel)
    except NestingTooDeep as error:
        ctx.fail(nesting.report(error.limit, error.span))
    if opened and ctx.builder.cursor.depth == 1:
        ctx.builder.end_kernel(source.span(kernel.node.body[-1]))
    label = launch.label or describe_launch(kernel, launch)
    return KernelResult(
        kernel=kernel.name,
        surface=kernel.surface.name,
        span=kernel.span,
        unit=unit if opened else None,
        diagnostics=tuple(item.located(kernel=kernel.name, specialisation=label, soc=soc) for item in ctx.diagnostics),
        facts=tuple(ctx.facts),
        specialisation=label,
        origin=launch.origin.value,
        arguments=tuple(f"{name}={_argument(value)}" for name, value in _named(kernel, launch)),
        core_num=launch.core_num,
        incomplete=ctx.incomplete or not opened,
        insert_sync=ctx.insert_sync,
    )


def describe_launch(kernel: KernelSource, launch: Launch) -> str:
    """Return the text that names a specialisation; empty when nothing is known."""
    return ", ".join(f"{name}={_argument(value)}" for name, value in _named(kernel, launch) if value is not POISON)


def describe_configuration(value: KernelValue | None, outer: tuple[KernelValue, ...] = ()) -> str:
    """Return the text that tells one operator object from another: its attributes; empty without an object."""
    if value is None or value in outer:
        return ""
    attrs: Mapping[str, KernelValue] | None = getattr(value, "attrs", None)
    within = (*outer, value)
    if attrs is not None:
        return ", ".join(f"{name}={describe_configuration(item, within)}" for name, item in attrs.items())
    items = value.items()
    if items is not None:
        return f"({', '.join(describe_configuration(item, within) for item in items)})"
    return _argument(value)


def _named(kernel: KernelSource, launch: Launch) -> list[tuple[str, KernelValue]]:
    names = [argument.arg for argument in (*kernel.node.args.posonlyargs, *kernel.node.args.args)]
    if names and names[0] == "self" and kernel.owner is not None:
        names = names[1:]
    return [*zip(names, launch.args, strict=False), *launch.kwargs]


def _argument(value: KernelValue) -> str:
    if isinstance(value, StaticValue):
        return repr(value.value)
    return "?" if value is POISON else value.describe().removeprefix("the dtype ")
