# SPDX-License-Identifier: Apache-2.0
"""The two surfaces behind one protocol, and the list of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.frontend.classes import ClassValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.hostvalues import StructClass
    from asclens_compiler.frontend.module import ModuleEnv
    from asclens_compiler.frontend.values import KernelValue


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KernelSource:
    """A kernel found in a module: the function to walk, and the class it is a method of."""

    name: str
    qualname: str
    surface: Surface
    node: ast.FunctionDef
    module: ModuleEnv
    span: Span
    owner: ast.ClassDef | None = None


class Origin(Enum):
    """Say where the knowledge about a kernel's arguments comes from."""

    LAUNCH_SITE = "launch site"
    RECORD = "recorded launch"
    ASSUME = "assume directive"
    RUN = "run directive"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Launch:
    """What is known about one launch of a kernel.

    `args` and `kwargs` hold compile-time values, `HostArray` for arrays, `POISON` where unknown.
    `instance` is the operator object of a staged kernel. `label` names the specialisation.
    """

    args: tuple[KernelValue, ...] = ()
    kwargs: tuple[tuple[str, KernelValue], ...] = ()
    core_num: int | None = None
    options: tuple[tuple[str, KernelValue], ...] = ()
    instance: KernelValue | None = None
    origin: Origin = Origin.UNKNOWN
    span: Span | None = None
    label: str = field(default="")
    open_ended: bool = False  # more arguments may come from `*args` or `**kwargs`


class Surface(Protocol):
    """One way to write kernels."""

    name: str
    needs_jit: bool  # helpers must carry `@asc.jit`

    def find_kernels(self, module: ModuleEnv) -> Sequence[KernelSource]:
        """Return the kernels that a module defines; executes nothing."""
        ...

    def begin(self, ctx: Context, kernel: KernelSource, launch: Launch) -> bool:
        """Start the kernel in `ctx.builder` and bind its parameters in `ctx.scope`; False after an error."""
        ...

    def finish(self, ctx: Context, kernel: KernelSource) -> None:
        """Check what must hold at the end of the kernel."""
        ...

    def asc_member(self, ctx: Context, path: str, name: str, span: Span) -> KernelValue | None:
        """Return what the facade name `path.name` means inside a kernel; None when there is no such name."""
        ...

    def call_api(
        self, ctx: Context, path: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call the facade name `path` (`asc.add`) inside a kernel."""
        ...

    def call_on_host(
        self, ctx: Context, path: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Call a facade name in host code, nothing being built; None when this surface has no meaning for it."""
        ...

    def instantiate(
        self, ctx: Context, cls: ClassValue, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Make an instance of a user class; None when this surface does not know how."""
        ...

    def make_struct(
        self, ctx: Context, cls: StructClass, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Make a host struct: a value on the host, an object of the device in a kernel."""
        ...

    def unbound_name(self, ctx: Context, name: str, span: Span) -> KernelValue | None:
        """Return a meaning for a name that nothing in the file defines; None when there is none."""
        ...


# Modules with a `SURFACE`, asked in this order.
SURFACE_MODULES = ("asclens_compiler.frontend.ascendc.surface", "asclens_compiler.frontend.staged.surface")


@cache
def surfaces() -> tuple[Surface, ...]:
    """Return all surfaces."""
    found: list[Surface] = []
    for name in SURFACE_MODULES:
        try:
            module = import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not name.startswith(error.name):
                raise
            continue
        found.append(module.SURFACE)
    return tuple(found)


def surface_named(name: str) -> Surface:
    """Return a surface by name; raise KeyError when there is none."""
    for surface in surfaces():
        if surface.name == name:
            return surface
    raise KeyError(name)
