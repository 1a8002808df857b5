# SPDX-License-Identifier: Apache-2.0
"""The Ascend C-level surface: `@asc.jit` kernels of real pyasc."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from asclens_compiler.frontend.asc_names import neutral_surface
from asclens_compiler.frontend.ascendc.calls import call_path
from asclens_compiler.frontend.ascendc.entry import begin_kernel
from asclens_compiler.frontend.ascendc.lowerings import ceildiv_of, number_of
from asclens_compiler.frontend.ascendc.structs import host_struct, make_struct, struct_class
from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.context import Context
from asclens_compiler.frontend.hostvalues import HostStruct, StructClass
from asclens_compiler.frontend.module import ModuleEnv, definition_span
from asclens_compiler.frontend.surfaces import KernelSource, Launch
from asclens_compiler.frontend.values import KernelValue
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
                span = definition_span(module.source, node)
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
        if scalar is not None:
            return scalar(ctx, [*args, *kwargs.values()], span)
        if path in _STATIC_CALLS:
            return neutral_surface().call_api(ctx, path, args, kwargs, span)
        tiling = host_struct(path)
        if tiling is not None:
            return make_struct(ctx, tiling, args, kwargs, span)
        return call_path(ctx, path, args, kwargs, span)

    def call_on_host(
        self, ctx: Context, path: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Make a tiling struct; the host has no other objects of this surface."""
        del ctx, args, kwargs, span
        cls = host_struct(path)
        return HostStruct(cls) if cls is not None else None

    def make_struct(
        self, ctx: Context, cls: StructClass, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Make a struct."""
        return make_struct(ctx, cls, args, kwargs, span)

    def instantiate(
        self, ctx: Context, cls: ClassValue, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Make a struct of a user class."""
        found = struct_class(cls)
        return make_struct(ctx, found, args, kwargs, span) if found is not None else None

    def unbound_name(self, ctx: Context, name: str, span: Span) -> KernelValue | None:
        """Return None."""
        del ctx, name, span


SURFACE = AscendCSurface()
