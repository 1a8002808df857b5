# SPDX-License-Identifier: Apache-2.0
"""The entry of a staged kernel: its parameters and the GLOBAL tensors that it declares."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from asclens_compiler.ascir.program import CoreKind
from asclens_compiler.ascir.types import AscType, GlobalType, PointerType, ScalarType
from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.hostvalues import HostArray, HostScalar
from asclens_compiler.frontend.parameters import Parameter, parameters
from asclens_compiler.frontend.rules import call_arguments, parameter_form, staged_argument
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.staged.descriptions import Description, describe_call
from asclens_compiler.frontend.staged.extents import (
    Shape,
    elems_of,
    fixed,
    may_agree,
    merged,
    sizes_of,
)
from asclens_compiler.frontend.staged.instances import InstanceValue, unknown_instance
from asclens_compiler.frontend.staged.symbolic import name_unknowns
from asclens_compiler.frontend.staged.tensors import GlobalTensor
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.surfaces import KernelSource, Launch, Origin
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context

_SCALARS = {"int": DType.INT32, "float": DType.FLOAT32, "bool": DType.INT1}
_CUBE = frozenset({"matmul", "mmad"})
_TENSOR_USES = frozenset({"to_local", "copy_from", "shape", "dtype"})


@dataclass(slots=True, eq=False)
class Declarations(KernelValue):
    """The GLOBAL tensors that the body declares, by the place of the `Tensor(...)` call."""

    pointers: dict[Span, tuple[str, IRValue, HostArray | None]] = field(
        default_factory=dict[Span, "tuple[str, IRValue, HostArray | None]"]
    )
    kind = "declarations"


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """One run-time parameter of the kernel."""

    name: str
    type: AscType
    span: Span
    array: HostArray | None = None
    declared: Description = field(default_factory=Description)
    call: Span | None = None


def begin_kernel(ctx: Context, kernel: KernelSource, launch: Launch) -> bool:
    """Open the kernel and bind `self`, its parameters and its declared tensors."""
    module, node = kernel.module, kernel.node
    arguments = node.args
    if arguments.vararg is not None or arguments.kwarg is not None:
        ctx.fail(parameter_form.report(node.name, module.source.span(arguments.vararg or arguments.kwarg or node)))
    rows = list(parameters(node, module))
    receiver = rows.pop(0).name if kernel.owner is not None and rows else ""
    declared = _declared(node, module)
    given = _bind(ctx, kernel, rows, declared, launch)
    entries = [entry for row in rows if (entry := _parameter(ctx, kernel, row, given)) is not None]
    entries += [_declaration(kernel, name, call, given) for name, call in declared]
    params = [(entry.name, entry.type, entry.span) for entry in entries]
    core_kind = _core_kind(kernel)
    ctx.singletons["core kind"] = (StaticValue(core_kind.value), kernel.span)
    attrs: dict[str, object] = {"core_kind": core_kind, "auto_sync": False, "staged": True}
    handles = ctx.builder.begin_kernel(kernel.name, params, kernel.span, attrs=attrs)
    if kernel.owner is not None and receiver:
        instance = _instance(ctx, kernel, kernel.owner, launch)
        named = name_unknowns(ctx, instance, kernel.span) if isinstance(instance, InstanceValue) else instance
        ctx.scope.values[receiver] = named
    table = Declarations()
    ctx.singletons["declarations"] = (table, kernel.span)
    for entry, handle in zip(entries, handles, strict=True):
        if entry.call is not None:
            table.pointers[entry.call] = (entry.name, handle, entry.array)
        elif isinstance(entry.type, ScalarType):
            ctx.scope.values[entry.name] = Scalar(handle, entry.type.dtype)
        else:
            value = global_tensor(ctx, entry.name, handle, entry.declared, entry.array, entry.span)
            ctx.scope.values[entry.name] = value
        if ctx.record_facts and entry.call is None:
            ctx.facts.append(ctx.scope.values[entry.name].fact(entry.name, entry.span))
    return True


def _instance(ctx: Context, kernel: KernelSource, owner: ast.ClassDef, launch: Launch) -> KernelValue:
    if launch.instance is not None and launch.instance is not POISON:
        return launch.instance
    from asclens_compiler.frontend.asc_names import neutral_surface  # noqa: PLC0415  only needed without a launch
    from asclens_compiler.frontend.context import Context, Frame  # noqa: PLC0415  the annotation is for types only
    from asclens_compiler.frontend.walker import Walker  # noqa: PLC0415  only needed without a launch

    frame = Frame("<module>", owner, kernel.module, kernel.module.source)
    host = Context(surface=neutral_surface(), frame=frame, soc=ctx.soc)
    Walker(host)
    return unknown_instance(host, ClassValue(owner, kernel.module), kernel.span)


def _bind(
    ctx: Context,
    kernel: KernelSource,
    rows: Sequence[Parameter],
    declared: Sequence[tuple[str, ast.Call]],
    launch: Launch,
) -> dict[str, KernelValue]:
    """Return what the launch gives to each parameter and declared tensor, by name; report what does not fit."""
    names = [*(row.name for row in rows), *(name for name, _ in declared)]
    bound = dict(zip(names, launch.args, strict=False))
    bound.update({name: value for name, value in launch.kwargs if name in names})
    if launch.origin in (Origin.LAUNCH_SITE, Origin.RECORD):
        span = launch.span if launch.span is not None else kernel.span
        if len(launch.args) > len(names):
            ctx.fail(call_arguments.report_count(kernel.name, len(names), len(launch.args), span))
        for name, _ in launch.kwargs:
            if name not in names:
                ctx.fail(call_arguments.report_keyword(kernel.name, name, names, span))
        optional = {row.name for row in rows if row.default is not None}
        missing = [name for name in names if name not in bound and name not in optional]
        if missing:
            ctx.fail(call_arguments.report_missing(kernel.name, missing, span))
    return bound


def _parameter(ctx: Context, kernel: KernelSource, row: Parameter, given: Mapping[str, KernelValue]) -> _Entry | None:
    module, span = kernel.module, kernel.module.source.span(row.node)
    if row.name not in given and row.default is not None:
        ctx.scope.values[row.name] = module.evaluate(row.default)
        return None
    value = given.get(row.name, POISON)
    _check_kind(ctx, kernel, row, value, span)
    if isinstance(value, HostArray):
        described = _annotation(kernel, row)
        return _Entry(row.name, PointerType(_dtype(value, described)), span, value, described)
    if isinstance(value, StaticValue) and isinstance(value.value, int | float):
        return _Entry(row.name, ScalarType(_SCALARS[type(value.value).__name__]), span)
    if isinstance(value, HostScalar):
        return _Entry(row.name, ScalarType(value.dtype), span)
    if value is not POISON:
        ctx.scope.values[row.name] = value
        return None
    annotation = row.annotation
    if isinstance(annotation, ast.Name) and annotation.id in _SCALARS:
        return _Entry(row.name, ScalarType(_SCALARS[annotation.id]), span)
    if _names_tensor(kernel, row) or _used_as_tensor(kernel.node, row.name):
        described = _annotation(kernel, row)
        return _Entry(row.name, PointerType(described.dtype or DType.UNKNOWN), span, None, described)
    ctx.scope.values[row.name] = POISON
    ctx.incomplete = True
    return None


def _check_kind(ctx: Context, kernel: KernelSource, row: Parameter, value: KernelValue, span: Span) -> None:
    """Report a number for a parameter annotated as tensor, and the reverse."""
    number = isinstance(value, HostScalar) or (isinstance(value, StaticValue) and isinstance(value.value, int | float))
    annotation = row.annotation
    if number and _names_tensor(kernel, row):
        declared = "a tensor"
    elif isinstance(value, HostArray) and isinstance(annotation, ast.Name) and annotation.id in _SCALARS:
        declared = f"a number ({annotation.id})"
    else:
        return
    ctx.fail(staged_argument.RULE.report(span, name=row.name, declared=declared, given=value.describe()))


def _names_tensor(kernel: KernelSource, row: Parameter) -> bool:
    annotation = row.annotation
    if isinstance(annotation, ast.Call):
        annotation = annotation.func
    return annotation is not None and kernel.module.refers_to(annotation, "asc.Tensor")


def _used_as_tensor(node: ast.FunctionDef, name: str) -> bool:
    """Tell whether a parameter without annotation is used as only tensors are."""
    for item in ast.walk(node):
        if isinstance(item, ast.Attribute) and item.attr in _TENSOR_USES:
            base = item.value.value if isinstance(item.value, ast.Subscript) else item.value
            if isinstance(base, ast.Name) and base.id == name:
                return True
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Name | ast.Attribute):
            called = item.func.id if isinstance(item.func, ast.Name) else item.func.attr
            if called in _CUBE and any(isinstance(value, ast.Name) and value.id == name for value in item.args[:3]):
                return True
    return False


def _annotation(kernel: KernelSource, row: Parameter) -> Description:
    annotation = row.annotation
    if not isinstance(annotation, ast.Call) or not _names_tensor(kernel, row):
        return Description()
    return describe_call(
        [kernel.module.evaluate(item) for item in annotation.args],
        {item.arg: kernel.module.evaluate(item.value) for item in annotation.keywords if item.arg},
    )


def _declared(node: ast.FunctionDef, module: object) -> list[tuple[str, ast.Call]]:
    """Return the GLOBAL tensors that a body declares, with their names, in order."""
    found: list[tuple[str, ast.Call]] = []
    for item in ast.walk(node):
        value = item.value if isinstance(item, ast.Assign | ast.AnnAssign) else None
        if not isinstance(value, ast.Call) or not _is_global_tensor(value, module):
            continue
        target = item.targets[0] if isinstance(item, ast.Assign) else item.target  # pyright: ignore
        name = target.id if isinstance(target, ast.Name) else f"tensor{len(found)}"
        found.append((name, value))
    return sorted(found, key=lambda pair: (pair[1].lineno, pair[1].col_offset))


def _is_global_tensor(call: ast.Call, module: object) -> bool:
    path = getattr(module, "facade_path")(call.func)  # noqa: B009  typed loosely: any module view will do
    if path != "asc.Tensor":
        return False
    scopes = [item.value for item in call.keywords if item.arg == "scope"] or call.args[2:3]
    return any(isinstance(item, ast.Attribute) and item.attr == "GLOBAL" for item in scopes)


def _declaration(kernel: KernelSource, name: str, call: ast.Call, given: Mapping[str, KernelValue]) -> _Entry:
    module = kernel.module
    value = given.get(name, POISON)
    array = value if isinstance(value, HostArray) else None
    described = describe_call([], {item.arg: module.evaluate(item.value) for item in call.keywords if item.arg})
    span = module.source.span(call)
    return _Entry(name, PointerType(_dtype(array, described)), span, array, described, span)


def _dtype(array: HostArray | None, described: Description) -> DType:
    if array is not None and array.dtype is not DType.UNKNOWN:
        return array.dtype
    return described.dtype or DType.UNKNOWN


def global_tensor(
    ctx: Context, name: str, pointer: IRValue, declared: Description, array: HostArray | None, span: Span
) -> GlobalTensor:
    """Make the tensor behind a pointer parameter; report a launch that passes something else."""
    passed = Description(dtype=array.dtype, shape=_array_shape(array)) if array is not None else Description()
    dtype = _dtype(array, declared)
    clash = (
        declared.dtype is not None and array is not None
        and DType.UNKNOWN not in (declared.dtype, array.dtype) and declared.dtype is not array.dtype
    ) or not may_agree(declared.shape, passed.shape)  # fmt: skip
    if clash:
        ctx.fail(staged_argument.RULE.report(span, name=name, declared=declared.text(), given=passed.text()))
    shape = passed.shape if clash and passed.shape is not None else merged(declared.shape, passed.shape)
    builder = ctx.builder
    kind = GlobalType(dtype, sizes_of(shape))
    handle = builder.op("global_tensor", [], results=[kind], span=span, names=(name,))[0]
    count = elems_of(shape)
    size = builder.constant(count, DType.INT32, span) if count is not None else None
    builder.op("global_tensor_set_global_buffer", [handle, pointer, size], span=span)
    return GlobalTensor(handle, dtype, shape, name)


def _array_shape(array: HostArray) -> Shape | None:
    return None if array.shape is None else fixed(array.shape)


def _core_kind(kernel: KernelSource) -> CoreKind:
    """Return MIX for kernels that may use the cube unit, else AIV."""
    roots: list[ast.AST] = [kernel.node, *([kernel.owner] if kernel.owner is not None else [])]
    seen: set[int] = set()
    while roots:
        root = roots.pop()
        if id(root) in seen:
            continue
        seen.add(id(root))
        for item in ast.walk(root):
            name = item.id if isinstance(item, ast.Name) else item.attr if isinstance(item, ast.Attribute) else ""
            if name in _CUBE:
                return CoreKind.MIX
            if isinstance(item, ast.Name):
                value = kernel.module.lookup(item.id)
                helper = getattr(value, "node", None)
                if isinstance(helper, ast.FunctionDef):
                    roots.append(helper)
    return CoreKind.AIV
