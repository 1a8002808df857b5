# SPDX-License-Identifier: Apache-2.0
"""The Ascend C-level surface: `@asc.jit` kernels of real pyasc."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from asclens_compiler.frontend.asc_names import neutral_surface
from asclens_compiler.frontend.ascendc.calls import call_path
from asclens_compiler.frontend.ascendc.entry import begin_kernel
from asclens_compiler.frontend.ascendc.lowerings import ceildiv_of, number_of
from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.context import Context
from asclens_compiler.frontend.module import ModuleEnv
from asclens_compiler.frontend.surfaces import KernelSource, Launch
from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import Span

# Calls that make compile-time or scalar values and need no op row.
_SCALAR_CALLS = {"asc.number": number_of, "asc.ceildiv": ceildiv_of}
_STATIC_CALLS = ("asc.DataType", "asc.ConstExpr")


class AscendCSurface:
    """Kernels that call Ascend C functions one to one."""

    name = "ascendc"
    needs_jit = True

    def find_kernels(self, module: ModuleEnv) -> Sequence[KernelSource]:
        """Return every `@asc.jit` function of the module, nested ones too."""
        found: list[KernelSource] = []
        for node, qualname in module.functions():
            if module.is_jit(node):
                span = name_span(module, node)
                found.append(
                    KernelSource(name=node.name, qualname=qualname, surface=self, node=node, module=module, span=span)
                )
        return found

    def begin(self, ctx: Context, kernel: KernelSource, launch: Launch) -> bool:
        """Open the kernel and bind its parameters."""
        return begin_kernel(ctx, kernel, launch)

    def finish(self, ctx: Context, kernel: KernelSource) -> None:
        """Check nothing more."""

    def asc_member(self, ctx: Context, path: str, name: str, span: Span) -> KernelValue | None:
        """Return None: plain names."""
        del ctx, path, name, span

    def call_api(
        self, ctx: Context, path: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call an Ascend C function or make an object."""
        scalar = _SCALAR_CALLS.get(path)
        if scalar is not None and path not in opset().apis:
            return scalar(ctx, [*args, *kwargs.values()], span)
        if path in _STATIC_CALLS:
            return neutral_surface().call_api(ctx, path, args, kwargs, span)
        return call_path(ctx, path, args, kwargs, span)

    def call_on_host(
        self, ctx: Context, path: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Return None: host objects of this surface are structs, which are classes."""
        del ctx, path, args, kwargs, span

    def instantiate(
        self, ctx: Context, cls: ClassValue, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Return None: no user classes yet."""
        del ctx, cls, args, kwargs, span

    def unbound_name(self, ctx: Context, name: str, span: Span) -> KernelValue | None:
        """Return None."""
        del ctx, name, span


def name_span(module: ModuleEnv, node: ast.FunctionDef) -> Span:
    """Return the range of a function's name (its `def` line)."""
    span = module.source.span(node)
    text = module.source.line(span.line)
    start = text.find(node.name, span.column - 1)
    if start < 0:
        return Span(span.file, span.line, span.column, span.line, span.column + 3)
    return Span(span.file, span.line, start + 1, span.line, start + 1 + len(node.name))


SURFACE = AscendCSurface()
