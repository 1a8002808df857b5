# SPDX-License-Identifier: Apache-2.0
"""The entry of a kernel: parameter types from the launch or the annotations, jit options."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.ascir.program import CoreKind
from asclens_compiler.ascir.types import AscType, PointerType, ScalarType, StructType
from asclens_compiler.frontend.ascendc.objects import PointerValue
from asclens_compiler.frontend.ascendc.structs import struct_class, struct_object
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.facts import ValueFact
from asclens_compiler.frontend.hostvalues import HostArray, HostScalar, HostStruct, StructClass
from asclens_compiler.frontend.parameters import Parameter, parameters
from asclens_compiler.frontend.rules import (
    jit_option,
    kernel_default,
    parameter_form,
)
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.surfaces import KernelSource, Launch

CODEGEN_OPTIONS = ("capture_exceptions", "ir_multithreading")
COMPILE_OPTIONS = (
    "debug", "strip_loc", "verify_sync", "print_ir_before_all", "run_passes", "kernel_type", "opt_level", "auto_sync",
    "auto_sync_log", "bisheng_options", "always_compile", "matmul_cube_only", "insert_sync",
)  # fmt: skip
_LAUNCH_OPTIONS = ("core_num", "stream")
_SCALARS = {"int": DType.INT32, "float": DType.FLOAT32, "bool": DType.INT8}
# Calls of the cube core; a kernel that names one runs on both cores of an AI Core.
_CUBE = ("Matmul", "mmad", "fixpipe", "load_data")


@dataclass(slots=True, eq=False)
class _Entry:
    """One run-time parameter on its way into the kernel's signature."""

    parameter: Parameter
    type: AscType
    array: HostArray | None = None
    unknown_const: bool = False
    struct: StructClass | None = None


def begin_kernel(ctx: Context, kernel: KernelSource, launch: Launch) -> bool:
    """Open the kernel in the builder and bind its parameters in the scope."""
    module, node = kernel.module, kernel.node
    arguments = node.args
    if arguments.vararg is not None or arguments.kwarg is not None:
        ctx.fail(parameter_form.report(node.name, module.source.span(arguments.vararg or arguments.kwarg or node)))
    options = jit_options(ctx, kernel, launch)
    given = bind_launch(kernel, launch)
    entries: list[_Entry] = []
    values = ctx.scope.values
    for parameter in parameters(node, module):
        span = module.source.span(parameter.node)
        if parameter.name in (*CODEGEN_OPTIONS, *COMPILE_OPTIONS, *_LAUNCH_OPTIONS):
            ctx.fail(jit_option.report_parameter(parameter.name, span))
        if parameter.default is not None:
            ctx.report(kernel_default.report(parameter.name, module.source.span(parameter.default)))
        value = given.get(parameter.name, POISON)
        if parameter.constexpr and value is not POISON:
            values[parameter.name] = value
            continue
        entry = _entry(parameter, value, kernel)
        if entry is None:
            values[parameter.name] = POISON
            ctx.incomplete = True
            continue
        entries.append(entry)
    spans = [module.source.span(entry.parameter.node) for entry in entries]
    params = [(entry.parameter.name, entry.type, span) for entry, span in zip(entries, spans, strict=True)]
    attrs = _attributes(kernel, options)
    ctx.insert_sync = attrs.get("insert_sync") is True if "insert_sync" in attrs else None
    handles = ctx.builder.begin_kernel(kernel.name, params, kernel.span, attrs=attrs)
    for entry, handle, span in zip(entries, handles, spans, strict=True):
        values[entry.parameter.name] = value = _value(ctx, entry, handle, span)
        _note(ctx, entry, value, span)
    return True


def bind_launch(kernel: KernelSource, launch: Launch) -> dict[str, KernelValue]:
    """Return the arguments of a launch by parameter name."""
    names = [parameter.name for parameter in parameters(kernel.node, kernel.module)]
    bound = dict(zip(names, launch.args, strict=False))
    bound.update({name: value for name, value in launch.kwargs if name in names})
    return bound


def _entry(parameter: Parameter, value: KernelValue, kernel: KernelSource) -> _Entry | None:
    if isinstance(value, HostArray):
        return _Entry(parameter, PointerType(value.dtype), value)
    if isinstance(value, StaticValue) and isinstance(value.value, int | float):
        return _Entry(parameter, ScalarType(_SCALARS[type(value.value).__name__]))
    if isinstance(value, HostScalar):
        return _Entry(parameter, ScalarType(value.dtype))
    if isinstance(value, HostStruct):
        return _Entry(parameter, StructType(value.cls.name), struct=value.cls)
    if parameter.constexpr:
        dtype = _SCALARS.get(parameter.required)
        return _Entry(parameter, ScalarType(dtype), unknown_const=True) if dtype is not None else None
    annotation = parameter.annotation
    if annotation is None:
        return None
    if isinstance(annotation, ast.Name) and annotation.id in _SCALARS:
        return _Entry(parameter, ScalarType(_SCALARS[annotation.id]))
    if kernel.module.refers_to(annotation, "asc.GlobalAddress"):
        return _Entry(parameter, PointerType(DType.UNKNOWN))
    known = kernel.module.evaluate(annotation)
    cls = struct_class(known)
    if cls is not None:
        return _Entry(parameter, StructType(cls.name), struct=cls)
    if isinstance(known, DTypeValue):
        return _Entry(parameter, ScalarType(known.dtype))
    return None


def _value(ctx: Context, entry: _Entry, handle: IRValue, span: Span) -> KernelValue:
    if isinstance(entry.type, PointerType):
        return PointerValue("GlobalAddress", handle, entry.type.dtype)
    if entry.struct is not None:
        (copy,) = ctx.builder.op("copy_struct", [handle], results=[entry.type], span=span)
        return struct_object(entry.struct, copy)
    assert isinstance(entry.type, ScalarType)
    return Scalar(handle, entry.type.dtype, entry.unknown_const)


def _note(ctx: Context, entry: _Entry, value: KernelValue, span: Span) -> None:
    if not ctx.record_facts:
        return
    fact = value.fact(entry.parameter.name, span)
    array = entry.array
    if array is not None:
        size = array.elems
        fact = ValueFact(
            span=span, name=fact.name, type=fact.type, dtype=fact.dtype, shape=array.shape, memory="GM", position="GM",
            bytes=size * array.dtype.size_bytes if size is not None else None,
        )  # fmt: skip
    ctx.facts.append(fact)


def jit_options(ctx: Context, kernel: KernelSource, launch: Launch) -> dict[str, KernelValue]:
    """Return the options of `@asc.jit(...)`, overridden by those of the launch; report unknown names."""
    options: dict[str, KernelValue] = {}
    module = kernel.module
    for decorator in kernel.node.decorator_list:
        if not isinstance(decorator, ast.Call) or not module.refers_to(decorator.func, "asc.jit"):
            continue
        for keyword in decorator.keywords:
            if keyword.arg is None:
                continue
            if keyword.arg not in (*CODEGEN_OPTIONS, *COMPILE_OPTIONS):
                known = (*CODEGEN_OPTIONS, *COMPILE_OPTIONS)
                ctx.fail(jit_option.report(keyword.arg, known, module.source.span(keyword)))
                continue
            options[keyword.arg] = module.evaluate(keyword.value)
    options.update({name: value for name, value in (*launch.options, *launch.kwargs) if name in COMPILE_OPTIONS})
    return options


def _attributes(kernel: KernelSource, options: dict[str, KernelValue]) -> dict[str, object]:
    auto_sync = options.get("auto_sync")
    insert_sync = options.get("insert_sync")
    attrs: dict[str, object] = {
        "core_kind": _core_kind(kernel, options.get("kernel_type")),
        "auto_sync": not (isinstance(auto_sync, StaticValue) and auto_sync.value is False),
        "staged": False,
    }
    if isinstance(insert_sync, StaticValue) and isinstance(insert_sync.value, bool):
        attrs["insert_sync"] = insert_sync.value
    return attrs


def _core_kind(kernel: KernelSource, option: KernelValue | None) -> CoreKind:
    name = option.member if isinstance(option, EnumValue) else ""
    if isinstance(option, StaticValue) and isinstance(option.value, str):
        name = option.value
    if name:
        return CoreKind.MIX if "MIX" in name else CoreKind.AIC if "AIC" in name else CoreKind.AIV
    text = "\n".join(kernel.module.source.lines[kernel.node.lineno - 1 : kernel.node.end_lineno])
    return CoreKind.MIX if any(word in text for word in _CUBE) else CoreKind.AIV
