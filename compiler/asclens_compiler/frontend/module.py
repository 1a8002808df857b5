# SPDX-License-Identifier: Apache-2.0
"""Modules as kernels see them: global names to values, without executing anything."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import cached_property

from asclens_compiler.frontend.asc_names import AscModule, import_value, neutral_surface
from asclens_compiler.frontend.builtins import BUILTINS
from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.context import Context, Frame
from asclens_compiler.frontend.functions import FunctionValue
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.frontend.walker import Walker
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText


class ModuleEnv:
    """Answer what a global name is; subclasses know from the text or from a launch record."""

    source: SourceText

    def lookup(self, name: str) -> KernelValue | None:
        """Return the value of a global name, None when the module has none, POISON when unknown."""
        raise NotImplementedError

    def names(self) -> Iterable[str]:
        """Return the global names (for suggestions)."""
        raise NotImplementedError

    def functions(self) -> Iterable[tuple[ast.FunctionDef, str]]:
        """Return the functions defined in the module's text, nested ones too, with their qualified names."""
        return ()

    def is_jit(self, node: ast.FunctionDef) -> bool:
        """Tell whether a function is decorated with `asc.jit`, called or not."""
        return any(
            self.refers_to(item.func if isinstance(item, ast.Call) else item, "asc.jit") for item in node.decorator_list
        )

    def evaluate(self, node: ast.expr) -> KernelValue:
        """Return the value of an expression in the module's global scope; POISON when unknown."""
        context = Context(surface=neutral_surface(), frame=Frame("<module>", node, self, self.source), soc="")
        return Walker(context).expression(node)

    def refers_to(self, node: ast.expr, path: str) -> bool:
        """Tell whether an expression is the facade name `path` (`asc.jit`)."""
        return self.facade_path(node) == path

    def facade_path(self, node: ast.expr) -> str:
        """Return the canonical facade name that a dotted expression denotes, else an empty text."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return ""
        value = self.lookup(node.id)
        for part in reversed(parts):
            if not isinstance(value, AscModule):
                return ""
            value = value.member(part)
        return getattr(value, "path", "") if value is not None else ""


class StaticModule(ModuleEnv):
    """A module known from its text. Names are evaluated on first use; the last binding counts."""

    def __init__(self, source: SourceText, tree: ast.Module) -> None:
        self.source = source
        self.tree = tree
        self._values: dict[str, KernelValue | None] = {}

    @cached_property
    def bindings(self) -> dict[str, list[ast.stmt]]:
        """Return the statements at module level that bind each name, in order."""
        found: dict[str, list[ast.stmt]] = {}
        for statement in module_statements(self.tree.body):
            for name in _bound_names(statement):
                found.setdefault(name, []).append(statement)
        return found

    def names(self) -> Iterable[str]:
        """Return the global names."""
        return self.bindings

    def lookup(self, name: str) -> KernelValue | None:
        """Return the value of a global name."""
        if name in self._values:
            return self._values[name]
        statements = self.bindings.get(name)
        if statements is None:
            return self._starred(name)
        self._values[name] = POISON  # a name that depends on itself is unknown
        self._values[name] = value = self._value(name, statements)
        return value

    def _starred(self, name: str) -> KernelValue | None:
        """Return what `from module import *` may bind; the names of other files are unknown."""
        unknown = False
        for statement in self.bindings.get("*", ()):
            if isinstance(statement, ast.ImportFrom):
                value = import_value(statement.module or "", name) if not statement.level else POISON
                if (statement.module or "").split(".")[0] != "asc":
                    unknown = True
                elif value is not POISON:
                    return value
        return POISON if unknown and name not in BUILTINS else None

    def _value(self, name: str, statements: list[ast.stmt]) -> KernelValue:
        statement = statements[-1]
        if isinstance(statement, ast.FunctionDef):
            return FunctionValue(statement, self, self.is_jit(statement))
        if isinstance(statement, ast.ClassDef):
            return ClassValue(statement, self)
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return self._imported(name, statements)
        if len(statements) > 1 and not all(isinstance(item, ast.Assign) for item in statements):
            return POISON
        if isinstance(statement, ast.Assign):
            return self._assigned(name, statement)
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            return self.evaluate(statement.value)
        return POISON

    def _imported(self, name: str, statements: list[ast.stmt]) -> KernelValue:
        """Return what an import binds; several imports of the facade add up (`import asc.x`, `import asc`)."""
        for statement in statements:
            if isinstance(statement, ast.Import):
                for alias in statement.names:
                    if (alias.asname or alias.name.split(".")[0]) == name:
                        return import_value(alias.name if alias.asname else alias.name.split(".")[0])
            elif isinstance(statement, ast.ImportFrom):
                for alias in statement.names:
                    if (alias.asname or alias.name) == name and not statement.level:
                        return import_value(statement.module or "", alias.name)
        return POISON

    def _assigned(self, name: str, statement: ast.Assign) -> KernelValue:
        value = self.evaluate(statement.value)
        for target in statement.targets:
            if isinstance(target, ast.Name) and target.id == name:
                return value
            items = value.items()
            if isinstance(target, ast.Tuple) and items is not None and len(items) == len(target.elts):
                for element, item in zip(target.elts, items, strict=True):
                    if isinstance(element, ast.Name) and element.id == name:
                        return item
        return POISON

    def functions(self) -> Iterable[tuple[ast.FunctionDef, str]]:
        """Return the functions of the text in order."""
        pending: list[tuple[list[ast.stmt], str]] = [(self.tree.body, "")]
        found: list[tuple[ast.FunctionDef, str]] = []
        while pending:
            body, prefix = pending.pop()
            for statement in module_statements(body):
                if isinstance(statement, ast.FunctionDef):
                    found.append((statement, prefix + statement.name))
                    pending.append((statement.body, f"{prefix}{statement.name}.<locals>."))
                elif isinstance(statement, ast.ClassDef):
                    pending.append((statement.body, f"{prefix}{statement.name}."))
        return sorted(found, key=lambda item: item[0].lineno)


def definition_span(source: SourceText, node: ast.FunctionDef | ast.ClassDef) -> Span:
    """Return the range of the name in a definition's first line."""
    span = source.span(node)
    start = source.line(span.line).find(node.name, span.column - 1)
    if start < 0:
        return Span(span.file, span.line, span.column, span.line, span.column + 3)
    return Span(span.file, span.line, start + 1, span.line, start + 1 + len(node.name))


def module_statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module in order, those inside `if`, `try`, `with` and loops included."""
    pending = [iter(body)]
    while pending:
        statement = next(pending[-1], None)
        if statement is None:
            pending.pop()
            continue
        yield statement
        if isinstance(statement, ast.If | ast.For | ast.While | ast.With | ast.Try):
            inner: list[ast.stmt] = [*statement.body, *getattr(statement, "orelse", ())]
            for handler in getattr(statement, "handlers", ()):
                inner.extend(handler.body)
            inner.extend(getattr(statement, "finalbody", ()))
            pending.append(iter(inner))


def _bound_names(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield statement.name
    elif isinstance(statement, ast.Import):
        for alias in statement.names:
            yield alias.asname or alias.name.split(".")[0]
    elif isinstance(statement, ast.ImportFrom):
        for alias in statement.names:
            yield alias.asname or alias.name
    elif isinstance(statement, ast.Assign):
        for target in statement.targets:
            yield from _target_names(target)
    elif isinstance(statement, ast.AnnAssign | ast.AugAssign | ast.For):
        yield from _target_names(statement.target)
    elif isinstance(statement, ast.With):
        for item in statement.items:
            if item.optional_vars is not None:
                yield from _target_names(item.optional_vars)


def _target_names(target: ast.expr) -> Iterator[str]:
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from _target_names(element)
    elif isinstance(target, ast.Starred):
        yield from _target_names(target.value)
