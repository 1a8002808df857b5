# SPDX-License-Identifier: Apache-2.0
"""Launch records: VALUE, FUNC, CLASS and ARG objects of docs/engine-protocol.md as frontend values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from asclens_compiler.errors import AscLensError
from asclens_compiler.frontend.asc_names import AscModule, OpaqueValue, import_value
from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.functions import FunctionValue
from asclens_compiler.frontend.hostvalues import (
    HostArray,
    HostDescriptor,
    HostScalar,
    HostStruct,
    Namespace,
    StructClass,
)
from asclens_compiler.frontend.module import StaticModule
from asclens_compiler.frontend.static import DictValue, SequenceValue, StaticValue
from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.text import SourceText

Json = Mapping[str, Any]
ReadFile = Callable[[str], str]


class RecordedModule(StaticModule):
    """A module whose globals are known from the live process; other names come from its text."""

    def __init__(self, source: SourceText, tree: ast.Module, recorded: Json, reader: RecordReader) -> None:
        super().__init__(source, tree)
        self._recorded = recorded
        self._reader = reader
        self._live: dict[str, KernelValue] = {}

    def lookup(self, name: str) -> KernelValue | None:
        """Return the live value of a global name."""
        if name in self._live:
            return self._live[name]
        value = self._recorded.get(name)
        if value is None:
            return super().lookup(name)
        self._live[name] = made = self._reader.value(value)
        return made

    def names(self) -> Iterable[str]:
        """Return all global names."""
        return [*self._recorded, *super().names()]


class RecordReader:
    """Read one launch record; files are parsed once, functions sent once are found by id."""

    def __init__(self, read_file: ReadFile, parse: Callable[[SourceText], ast.Module]) -> None:
        self._read_file = read_file
        self._parse = parse
        self._files: dict[tuple[str, int], tuple[SourceText, ast.Module]] = {}
        self._functions: dict[int, FunctionValue] = {}
        self._classes: dict[int, KernelValue] = {}

    def function(self, func: Json, *, jit: bool) -> FunctionValue:
        """Return a FUNC as a function value."""
        found = self._functions.get(func.get("id", -1))
        if found is not None:
            return found
        source, tree = self._file(func)
        node = find_definition(tree, func["line"], func["qualname"].rsplit(".", 1)[-1], ast.FunctionDef)
        if node is None:
            raise AscLensError(
                f"{func['file']}:{func['line']} has no function {func['qualname']}",
                help="The file changed since the script imported it: start the script again.",
            )
        assert isinstance(node, ast.FunctionDef)
        # The real toolchain does not see closure variables of `@asc.jit` functions.
        names = func.get("globals", {}) if jit else {**func.get("globals", {}), **func.get("closure", {})}
        module = RecordedModule(source, tree, names, self)
        value = FunctionValue(node, module, jit)
        self._functions[func.get("id", -1 - len(self._functions))] = value
        return value

    def cls(self, record: Json) -> ClassValue:
        """Return a CLASS as a class value."""
        found = self._classes.get(record.get("id", -1))
        if isinstance(found, ClassValue):
            return found
        source, tree = self._file(record)
        node = find_definition(tree, record["line"], record["qualname"].rsplit(".", 1)[-1], ast.ClassDef)
        if node is None:
            raise AscLensError(
                f"{record['file']}:{record['line']} has no class {record['qualname']}",
                help="The file changed since the script imported it: start the script again.",
            )
        assert isinstance(node, ast.ClassDef)
        bases = record.get("bases", ())
        written = [base for base in node.bases if not (isinstance(base, ast.Name) and base.id == "object")]
        named = {base.id: item for base, item in zip(written, bases, strict=False) if isinstance(base, ast.Name)}
        value = ClassValue(node, RecordedModule(source, tree, {**record.get("globals", {}), **named}, self))
        self._classes[record.get("id", -1 - len(self._classes))] = value
        for base in bases:
            self.value(base)  # later records refer to it by number
        return value

    def value(self, record: Json) -> KernelValue:
        """Return a VALUE."""
        kind = record["k"]
        maker = _PLAIN.get(kind)
        if maker is not None:
            return maker(record)
        if kind in ("tuple", "list"):
            return SequenceValue([self.value(item) for item in record["v"]], is_list=kind == "list")
        if kind == "dict":
            return DictValue([(self.value(key), self.value(item)) for key, item in record["v"]])
        if kind == "namespace":
            return Namespace(record["type"], {name: self.value(item) for name, item in record["attrs"].items()})
        if kind == "function":
            if "ref" in record:
                return self._functions.get(record["ref"], OpaqueValue("a function"))
            return self.function(record["v"], jit=bool(record.get("jit")))
        if kind == "class":
            if "ref" in record:
                return self._classes.get(record["ref"], OpaqueValue("a class"))
            return self.cls(record["v"])
        if kind == "struct_class":
            return self.struct_class(record)
        if kind == "instance":
            return Namespace(record["type"], {name: self.value(item) for name, item in record["attrs"].items()})
        if kind == "struct":
            return self.struct(record)
        return OpaqueValue(f"a {record.get('type', kind)}")

    def struct_class(self, record: Json) -> KernelValue:
        """Return the class of a host struct."""
        fields: list[tuple[str, DType | StructClass, str]] = []
        for name, kind, ir_name in record["fields"]:
            inner = DType(kind) if isinstance(kind, str) else self.value(kind)
            if isinstance(inner, DType | StructClass):
                fields.append((name, inner, ir_name))
        made = StructClass(record["type"], tuple(fields))
        self._classes[record.get("id", -1 - len(self._classes))] = made
        return made

    def struct(self, record: Json) -> HostStruct:
        """Return a struct argument: its field types, and numbers."""
        fields: list[tuple[str, DType | StructClass, str]] = []
        for name, kind, item in record["fields"]:
            if kind == "struct":
                inner = self.struct(item)
                fields.append((name, StructClass(inner.cls.name, inner.cls.fields), name))
            else:
                fields.append((name, DType(kind), name))
        return HostStruct(StructClass(record["type"], tuple(fields)))

    def argument(self, record: Json) -> KernelValue:
        """Return an ARG."""
        kind = record["k"]
        if kind == "array":
            shape = record["shape"]
            return HostArray(DType(record["dtype"]), None if shape is None else tuple(shape))
        if kind == "scalar":
            return HostScalar(DType(record["dtype"]), record["v"])
        if kind == "struct":
            return self.struct(record)
        return self.value(record["v"])

    def arguments(self, records: Sequence[Json]) -> tuple[tuple[KernelValue, ...], tuple[tuple[str, KernelValue], ...]]:
        """Return positional and named arguments."""
        args = tuple(self.argument(record) for record in records if record["name"] is None)
        kwargs = tuple((record["name"], self.argument(record)) for record in records if record["name"] is not None)
        return args, kwargs

    def _file(self, record: Json) -> tuple[SourceText, ast.Module]:
        text = record.get("text")
        if text is None:
            try:
                text = self._read_file(record["file"])
            except (OSError, UnicodeError) as error:
                raise AscLensError(f"{record['file']} cannot be read: {error}") from error
        key = (record["file"], hash(text))
        found = self._files.get(key)
        if found is None:
            source = SourceText(record["file"], text)
            found = self._files[key] = (source, self._parse(source))
        return found


def find_definition(
    tree: ast.Module, line: int, name: str, kind: type[ast.FunctionDef] | type[ast.ClassDef]
) -> ast.FunctionDef | ast.ClassDef | None:
    """Return the definition of `name` at `line`; a definition that moved is found by its name alone if unique."""
    candidates = [node for node in ast.walk(tree) if isinstance(node, kind) and node.name == name]
    for node in candidates:
        if node.lineno == line:
            return node
    return candidates[0] if len(candidates) == 1 else None


def _number(record: Json) -> KernelValue:
    value = record["v"]
    return StaticValue(float(value) if record["k"] == "float" else value)


def _enum(record: Json) -> KernelValue:
    row = opset().enums.get(record["type"])
    number = dict(row.members).get(record["v"], -1) if row is not None else -1
    plain = record.get("value", {}).get("v", number) if isinstance(record.get("value"), Mapping) else number
    return EnumValue(record["type"], record["v"], plain if isinstance(plain, int) else number)


def _path(record: Json) -> KernelValue:
    module, _, name = record["v"].rpartition(".")
    return import_value(module, name) if module else AscModule("asc")


def _tensor(record: Json) -> KernelValue:
    shape = record.get("shape")
    dtype = record.get("dtype")
    return HostDescriptor(
        DType(dtype) if dtype else None, None if shape is None else tuple(shape), record.get("scope") or None
    )


_PLAIN: dict[str, Callable[[Json], KernelValue]] = {
    "none": lambda _record: StaticValue(None),
    "bool": _number,
    "int": _number,
    "float": _number,
    "str": _number,
    "dtype": lambda record: DTypeValue(DType(record["v"])),
    "enum": _enum,
    "module": _path,
    "api": _path,
    "tensor": _tensor,
}
