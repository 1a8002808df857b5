# SPDX-License-Identifier: Apache-2.0
"""Structs of user code and tilings: host classes as seen by kernels, field reads and writes."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import AscType, ScalarType, StructType
from asclens_compiler.frontend.asc_names import ApiValue
from asclens_compiler.frontend.ascendc.calls import number
from asclens_compiler.frontend.ascendc.objects import DeviceObject
from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.hostvalues import HostStruct, StructClass
from asclens_compiler.frontend.rules import no_member
from asclens_compiler.frontend.scalars import Scalar
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.registry import opset

if TYPE_CHECKING:
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.module import ModuleEnv
    from asclens_compiler.source.span import Span

STRUCT = "asc.language.core.struct.Struct"
_FIELD = "asc.language.core.struct.Field"
_STRUCT_FIELD = "asc.language.core.struct.StructField"


@dataclass(slots=True, eq=False)
class StructObject(DeviceObject):
    """A struct in the core; its fields are read and written one by one."""

    fields: tuple[tuple[str, DType | StructClass, str], ...] = ()
    kind = "struct"

    def describe(self) -> str:
        """Return for example `a struct TCubeTiling`."""
        return f"a struct `{self.cls}`"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read a field."""
        for field, kind, ir_name in self.fields:
            if field == name and self.handle is not None:
                wanted: AscType = ScalarType(kind) if isinstance(kind, DType) else StructType(kind.name)
                attrs = {"field": ir_name}
                (value,) = ctx.builder.op("member", [self.handle], attrs=attrs, results=[wanted], span=span)
                return Scalar(value, kind) if isinstance(kind, DType) else struct_object(kind, value)
        if name == "create_local":
            return _CreateLocal(self)
        return self._unknown(ctx, name, span)

    def setattr(self, ctx: Context, name: str, value: KernelValue, span: Span) -> None:
        """Write a field."""
        for field, kind, ir_name in self.fields:
            if field != name or self.handle is None:
                continue
            made = number(ctx, value, kind, span, exact=True) if isinstance(kind, DType) else value.held()
            if made is None:
                ctx.not_supported(f"the field `{name}` cannot hold {value.describe()}", span)
                return
            ctx.builder.op("set_member", [self.handle, made], attrs={"field": ir_name}, span=span)
            return
        self._unknown(ctx, name, span)

    def _unknown(self, ctx: Context, name: str, span: Span) -> KernelValue:
        place = type(span)(span.file, span.end_line, span.end_column - len(name), span.end_line, span.end_column)
        return ctx.fail(no_member.report(f"`{self.cls}`", name, [field for field, _, _ in self.fields], span, place))


@dataclass(frozen=True, slots=True, eq=False)
class _CreateLocal(KernelValue):
    owner: StructObject
    kind = "method"

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Copy the struct."""
        kind = self.owner.ir_type()
        if args or kwargs or kind is None or self.owner.handle is None:
            return ctx.not_supported("`create_local` takes no arguments", span)
        (copy,) = ctx.builder.op("copy_struct", [self.owner.handle], results=[kind], span=span)
        return self.owner.rebuilt(copy)


def struct_object(cls: StructClass, handle: IRValue) -> StructObject:
    """Return the kernel's view of a struct."""
    return StructObject(cls.name, handle, cls.fields)


def make_struct(
    ctx: Context, cls: StructClass, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
) -> KernelValue:
    """Make a struct: a host value, or in a kernel an empty one whose given fields are written."""
    if ctx.static:
        return HostStruct(cls)
    if args:
        return ctx.not_supported(f"{cls.describe()} takes keyword arguments", span)
    attrs = {"type": cls.name, "dtype": ""}
    (handle,) = ctx.builder.op("construct", [[]], attrs=attrs, results=[StructType(cls.name)], span=span)
    made = struct_object(cls, handle)
    for name, value in kwargs.items():
        if value is not POISON:
            made.setattr(ctx, name, value, span)
    return made


def struct_class(value: KernelValue | None) -> StructClass | None:
    """Return the struct class that a name stands for: a user class, a tiling, a recorded class; else None."""
    if isinstance(value, StructClass):
        return value
    if isinstance(value, ApiValue):
        return host_struct(value.path)
    if isinstance(value, ClassValue) and value.derives_from(STRUCT):
        return _from_class(value)
    return None


def host_struct(path: str) -> StructClass | None:
    """Return the class of a tiling of the facade (`asc.adv.TCubeTiling`)."""
    name = path.rsplit(".", 1)[-1]
    row = opset().structs.get(name)
    if row is None or not row.host:
        return None
    fields = tuple((item.name, item.dtype, item.ir_name or _camel(item.name)) for item in row.fields)
    return StructClass(name, fields)


def _camel(name: str) -> str:
    head, *rest = name.split("_")
    return head + "".join(part.capitalize() for part in rest)


def _from_class(cls: ClassValue) -> StructClass:
    fields: list[tuple[str, DType | StructClass, str]] = []
    for statement in cls.node.body:
        if not isinstance(statement, ast.Assign | ast.AnnAssign) or not isinstance(statement.value, ast.Call):
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if not isinstance(target, ast.Name):
            continue
        kind, ir_name = _field(cls.module, statement.value)
        if kind is not None:
            fields.append((target.id, kind, ir_name or target.id))
    return StructClass(cls.name, tuple(fields))


def _field(module: ModuleEnv, node: ast.Call) -> tuple[DType | StructClass | None, str]:
    path = module.facade_path(node.func)
    keywords = {item.arg: item.value for item in node.keywords if item.arg is not None}
    first = node.args[0] if node.args else keywords.get("dtype" if path == _FIELD else "struct_cls")
    position = 2
    given = keywords.get("name") or (node.args[position] if len(node.args) > position else None)
    label = module.evaluate(given) if given is not None else None
    name = label.value if isinstance(label, StaticValue) and isinstance(label.value, str) else ""
    if first is None:
        return None, name
    value = module.evaluate(first)
    if path == _FIELD and isinstance(value, DTypeValue):
        return value.dtype, name
    if path == _STRUCT_FIELD:
        return struct_class(value), name
    return None, name
