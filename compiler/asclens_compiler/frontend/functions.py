# SPDX-License-Identifier: Apache-2.0
"""User functions as values: helpers are inlined where they are called."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.frontend.context import MAX_CALL_DEPTH, Frame
from asclens_compiler.frontend.facts import CallFact
from asclens_compiler.frontend.parameters import Parameter, bind, parameters
from asclens_compiler.frontend.rules import (
    constexpr_argument,
    launch_missing,
    nesting,
    recursion,
    run_time_argument,
    toolchain_helper,
    undecorated_helper,
)
from asclens_compiler.frontend.scalars import is_unknown, materialize
from asclens_compiler.frontend.static import NONE, StaticValue
from asclens_compiler.frontend.surfaces import Launch, Origin
from asclens_compiler.frontend.values import POISON, KernelValue

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.module import ModuleEnv
    from asclens_compiler.source.span import Span


@dataclass(slots=True, eq=False)
class FunctionValue(KernelValue):
    """A function defined in Python; `jit` tells whether it carries `@asc.jit`."""

    node: ast.FunctionDef
    module: ModuleEnv
    jit: bool
    owner: KernelValue | None = None
    kind = "function"

    @property
    def name(self) -> str:
        """Return the bare name."""
        return self.node.name

    def describe(self) -> str:
        """Return for example `the function helper`."""
        return f"the function `{self.node.name}`"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Functions have no attributes that a kernel could use."""
        return ctx.no_member(self, name, span)

    def getitem(self, ctx: Context, index: KernelValue, span: Span) -> KernelValue:
        """Subscript a kernel with its launch options, in host code."""
        if not ctx.static or not self.jit:
            return ctx.not_supported(f"{self.describe()} cannot be indexed", span, "Kernels are launched by host code.")
        items = index.items()
        return LaunchHandle(self, items[0] if items else index)

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Inline the body; run-time parameters become run-time values, `ConstExpr` ones stay constants."""
        if ctx.static and self.jit:
            return ctx.report(launch_missing.report(self.name, span))
        if ctx.static:
            return inline(ctx, self, args, kwargs, span, run_time=False)
        if self.jit and not ctx.surface.needs_jit:
            return ctx.not_supported(
                f"{self.describe()} carries `@asc.jit`, which a staged kernel cannot call", span,
                "Helpers of staged kernels are plain functions: remove the decorator, or write one without.",
            )  # fmt: skip
        if not self.jit and ctx.surface.needs_jit:
            ctx.fail(undecorated_helper.report(self.name, self.module.source.span(self.node), span))
        ctx.note(CallFact(span=span, api=self.name, summary=ast.get_docstring(self.node) or ""))
        return inline(ctx, self, args, kwargs, span, run_time=self.jit)


@dataclass(frozen=True, slots=True, eq=False)
class LaunchHandle(KernelValue):
    """A kernel with launch options, `kernel[core_num, stream]`; calling it is a launch."""

    function: FunctionValue
    core_num: KernelValue
    kind = "kernel launch"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Record the launch."""
        number = self.core_num.value if isinstance(self.core_num, StaticValue) else None
        launch = Launch(
            open_ended=ctx.open_call,
            args=tuple(args), kwargs=tuple(kwargs.items()), core_num=number if isinstance(number, int) else None,
            origin=Origin.LAUNCH_SITE, span=span,
        )  # fmt: skip
        ctx.launches.append((self.function.node, launch))
        return NONE


def inline(
    ctx: Context,
    function: FunctionValue,
    args: Sequence[KernelValue],
    kwargs: Mapping[str, KernelValue],
    span: Span,
    *,
    run_time: bool,
) -> KernelValue:
    """Walk the body of a function in place of a call and return what it returns.

    With `run_time`, arguments of parameters that are not `ConstExpr` become run-time values, as the
    toolchain makes them; otherwise they pass through unchanged.
    """
    if any(frame.node is function.node for frame in ctx.frames):
        return ctx.fail(recursion.report(function.name, span))
    if len(ctx.frames) >= MAX_CALL_DEPTH:
        return ctx.fail(nesting.report(MAX_CALL_DEPTH, span))
    given = list(args) if function.owner is None else [function.owner, *args]
    bound = bind(ctx, function.node, function.module, given, kwargs, span)
    if bound is None:
        return POISON
    frame = Frame(function.name, function.node, function.module, function.module.source)
    for parameter in parameters(function.node, function.module):
        value = bound.get(parameter.name, POISON)
        frame.scope.values[parameter.name] = _pass(ctx, parameter, value, span) if run_time else value
    if run_time:
        _check_reuse(ctx, function, frame, span)
    with ctx.inlined(frame, span):
        ctx.walker.body(function.node.body)
    return frame.returned if frame.returned is not None else NONE


def _pass(ctx: Context, parameter: Parameter, value: KernelValue, span: Span) -> KernelValue:
    """Return an argument as the parameter sees it."""
    if value is POISON:
        return POISON
    if parameter.constexpr:
        if value.held() is not None and not is_unknown(value):
            return ctx.fail(constexpr_argument.report(parameter.name, value.describe(), span))
        return value
    if isinstance(value, StaticValue) and isinstance(value.value, int | float):
        return materialize(ctx, value, None, span) or POISON
    if value.held() is None and value.is_compile_time():
        return ctx.fail(run_time_argument.report(parameter.name, value.describe(), span))
    return value


def _check_reuse(ctx: Context, function: FunctionValue, frame: Frame, span: Span) -> None:
    """Report a second call whose arguments differ in a way that the toolchain ignores or refuses."""
    if POISON in frame.scope.values.values():
        return
    key = tuple(
        (name, str(value.ir_type()) if value.held() is not None else value.describe())
        for name, value in frame.scope.values.items()
    )
    first = ctx.helper_calls.setdefault(function.name, (function.node, key, span))
    if first[0] is function.node and first[1] != key:
        changed = [name for (name, mine), (_, theirs) in zip(key, first[1], strict=False) if mine != theirs]
        ctx.report(toolchain_helper.report(function.name, changed, first[2], span))
