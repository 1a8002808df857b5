# SPDX-License-Identifier: Apache-2.0
"""The staged surface: operators written with whole tensors and pipeline stages."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence

from asclens_compiler.diagnostics.model import Applicability, Edit, Fix
from asclens_compiler.frontend.asc_names import ApiValue, neutral_surface
from asclens_compiler.frontend.ascendc.calls import call_path
from asclens_compiler.frontend.ascendc.lowerings import ceildiv_of, number_of
from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.context import Context
from asclens_compiler.frontend.functions import FunctionValue
from asclens_compiler.frontend.hostvalues import StructClass
from asclens_compiler.frontend.module import ModuleEnv
from asclens_compiler.frontend.rules import staged_not_imported
from asclens_compiler.frontend.staged import contents
from asclens_compiler.frontend.staged.descriptions import describe_call
from asclens_compiler.frontend.staged.discovery import find_kernels
from asclens_compiler.frontend.staged.emit import allocate
from asclens_compiler.frontend.staged.entry import Declarations, begin_kernel, global_tensor
from asclens_compiler.frontend.staged.functions import call as call_function
from asclens_compiler.frontend.staged.instances import InstanceValue, instantiate
from asclens_compiler.frontend.staged.stages import MARKS, call_mark, tracker
from asclens_compiler.frontend.staged.tensors import LocalTensor, note_call
from asclens_compiler.frontend.static import NONE, StaticValue
from asclens_compiler.frontend.surfaces import KernelSource, Launch, Origin
from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import Span

# Calls of the other surface that mean the same here.
_SHARED = frozenset({"asc.printf", "asc.get_block_idx", "asc.get_block_num", "asc.static_assert"})
_STATIC = frozenset({"asc.DataType", "asc.ConstExpr"})
# Findings about the real toolchain do not concern kernels that it does not compile.
_TOOLCHAIN = "ASC8"


class StagedSurface:
    """Classes with a `process` method, and functions, that use `Tensor` and `PipeStage`."""

    name = "staged"
    needs_jit = False

    def find_kernels(self, module: ModuleEnv) -> Sequence[KernelSource]:
        """Return the kernels that a module defines."""
        return find_kernels(module, self)

    def begin(self, ctx: Context, kernel: KernelSource, launch: Launch) -> bool:
        """Open the kernel and bind its parameters."""
        return begin_kernel(ctx, kernel, launch)

    def finish(self, ctx: Context, kernel: KernelSource) -> None:
        """Report stages that never end, and drop what concerns only the real toolchain."""
        del kernel
        tracker(ctx).close_open(0)
        ctx.diagnostics[:] = [item for item in ctx.diagnostics if not item.code.startswith(_TOOLCHAIN)]

    def asc_member(self, ctx: Context, path: str, name: str, span: Span) -> KernelValue | None:
        """Return a name that only this surface has (`PipeStage.start`)."""
        del ctx, span
        full = f"{path}.{name}".removeprefix("asc.")
        if full in MARKS or f"staged.{full}" in opset().apis:
            return ApiValue(f"asc.{full}")
        return None

    def call_api(
        self, ctx: Context, path: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call a facade name inside a staged kernel."""
        name = path.removeprefix("asc.")
        if name == "Tensor":
            return _tensor(ctx, args, kwargs, span)
        if path in _STATIC:
            return neutral_surface().call_api(ctx, path, args, kwargs, span)
        if path in _SHARED:
            return call_path(ctx, path, args, kwargs, span)
        if name in ("ceildiv", "number"):
            values = [*args, *kwargs.values()]
            return (ceildiv_of if name == "ceildiv" else number_of)(ctx, values, span)
        for result in (
            call_mark(ctx, name, [*args, *kwargs.values()], span),
            call_function(ctx, name, args, kwargs, span) if name not in MARKS else None,
        ):
            if result is not None:
                return result
        return ctx.not_supported(
            f"`{path}` belongs to the Ascend C-level surface and does not exist in a staged kernel",
            span,
            "Use the operators and functions of whole tensors, or write an `@asc.jit` kernel.",
        )

    def call_on_host(
        self, ctx: Context, path: str, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Record `asc.launch(kernel, ...)`."""
        if path != "asc.launch" or not args:
            return None
        given = dict(kwargs)
        core_num = given.pop("core_num", None)
        number = core_num.value if isinstance(core_num, StaticValue) else None
        kernel = args[0]
        node: ast.AST | None = None
        if isinstance(kernel, InstanceValue):
            node = kernel.cls.node
        elif isinstance(kernel, FunctionValue):
            node = kernel.node
        if node is not None:
            launch = Launch(
                args=tuple(args[1:]),
                kwargs=tuple(given.items()),
                core_num=number if isinstance(number, int) else None if core_num is not None else 1,
                instance=kernel if isinstance(kernel, InstanceValue) else None,
                origin=Origin.LAUNCH_SITE,
                span=span,
            )
            ctx.launches.append((node, launch))
        return NONE

    def instantiate(
        self, ctx: Context, cls: ClassValue, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue | None:
        """Make an operator object."""
        return instantiate(ctx, cls, args, kwargs, span)

    def make_struct(
        self, ctx: Context, cls: StructClass, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Parameter structs belong to the other surface."""
        del cls, args, kwargs
        return ctx.not_supported("structs do not exist in a staged kernel", span, "Pass plain numbers.")

    def unbound_name(self, ctx: Context, name: str, span: Span) -> KernelValue | None:
        """Resolve a public staged function that the file forgot to import, with advice."""
        if f"staged.{name}" not in opset().apis or ctx.static:
            return None
        edit = _import_edit(ctx, name)
        fixes = (Fix(title=f"Import {name}", applicability=Applicability.SAFE, edits=(edit,)),) if edit else ()
        ctx.report(staged_not_imported.RULE.report(span, name=name, fixes=fixes))
        return ApiValue(f"asc.{name}")


def _import_edit(ctx: Context, name: str) -> Edit | None:
    """Return the edit that adds a name to the file's imports from `asc`."""
    source = ctx.frame.source
    try:
        tree = ast.parse(source.text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "asc" and not node.level and node.names:
            last = source.span(node.names[-1])
            place = Span(last.file, last.end_line, last.end_column, last.end_line, last.end_column)
            return Edit(span=place, new_text=f", {name}")
    first = next((node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)), None)
    line = source.span(first).line if first is not None else 1
    place = Span(source.file, line, 1, line, 1)
    return Edit(span=place, new_text=f"from asc import {name}\n")


def _tensor(ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span) -> KernelValue:
    """`Tensor(...)` in a kernel: UB for LOCAL scope, a tensor bound at launch for GLOBAL scope."""
    unknown = sorted(set(kwargs) - {"shape", "dtype", "scope"})
    if unknown or len(args) > 3:
        what = f"no argument `{unknown[0]}`" if unknown else "three arguments at most"
        return ctx.not_supported(f"`Tensor` has {what}", span, "Write `Tensor(shape=..., dtype=..., scope=...)`.")
    note_call(ctx, "Tensor", span)
    described = describe_call(args, kwargs)
    if described.scope == "GLOBAL":
        found = ctx.singletons.get("declarations")
        table = found[0] if found is not None else None
        entry = table.pointers.get(span) if isinstance(table, Declarations) else None
        if entry is None or len(ctx.frames) > 1:
            return ctx.not_supported(
                "a GLOBAL tensor is declared by an assignment in the kernel itself", span,
                "Write `a = Tensor(shape=..., dtype=..., scope=Scope.GLOBAL)` in its body.",
            )  # fmt: skip
        name, pointer, array = entry
        return global_tensor(ctx, name, pointer, described, array, span)
    if described.dtype is None and "dtype" not in kwargs and len(args) < 2:
        return ctx.not_supported("a LOCAL tensor needs a dtype", span, "Write `dtype=DataType.FLOAT32`.")
    if described.shape is None and "shape" not in kwargs and not args:
        return ctx.not_supported("a LOCAL tensor needs a shape", span, "Write `shape=(1024,)`.")
    dtype = described.dtype or DType.UNKNOWN
    handle = allocate(ctx, dtype, described.shape, span)
    contents.declare(ctx, handle)
    return LocalTensor(handle, dtype, described.shape, declared=True, depth=ctx.blocks)


SURFACE = StagedSurface()
