# SPDX-License-Identifier: Apache-2.0
"""Which lines of a file run on the device, and what the functions there are called."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.engine.findings_text import read_file
from asclens_compiler.frontend.driver import deep_recursion, find_kernels, parse
from asclens_compiler.frontend.module import StaticModule
from asclens_compiler.source.text import SourceText


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceBody:
    """A function that runs on the device: its lines, and those where a statement starts."""

    name: str
    first: int
    last: int
    stops: tuple[int, ...]

    def stop_at(self, line: int) -> int | None:
        """Return the first stop at or after a line."""
        return next((stop for stop in self.stops if stop >= line), None)


def device_bodies(source: SourceText) -> list[DeviceBody]:
    """Return kernels of both surfaces and the helpers they call, in source order; runs no user code."""
    tree = parse(source)
    if isinstance(tree, Diagnostic):
        return []
    with deep_recursion():
        module = StaticModule(source, tree)
        nodes = {kernel.node: kernel.name for kernel in find_kernels(module)}
        nodes |= {node: name for node, name in module.functions() if module.is_jit(node)}
        staged = [kernel.node for kernel in find_kernels(module) if kernel.surface.name == "staged"]
        nodes |= dict(_called(staged, dict(module.functions())))
    bodies = [_body(node, nodes[node]) for node in sorted(nodes, key=lambda node: node.lineno)]
    return [body for body in bodies if body.stops]


def _called(
    kernels: list[ast.FunctionDef], functions: dict[ast.FunctionDef, str]
) -> Iterator[tuple[ast.FunctionDef, str]]:
    """Yield the functions and methods that staged kernels reach by name."""
    by_name: dict[str, list[ast.FunctionDef]] = {}
    for node in functions:
        by_name.setdefault(node.name, []).append(node)
    pending, seen = list(kernels), set(kernels)
    while pending:
        for item in ast.walk(pending.pop()):
            if not isinstance(item, ast.Call):
                continue
            name = item.func.id if isinstance(item.func, ast.Name) else ""
            if isinstance(item.func, ast.Attribute) and isinstance(item.func.value, ast.Name):
                name = item.func.attr if item.func.value.id == "self" else ""
            for node in by_name.get(name, ()):
                if node not in seen:
                    seen.add(node)
                    pending.append(node)
                    yield node, functions[node]


def _body(node: ast.FunctionDef, name: str) -> DeviceBody:
    stops = {
        item.lineno
        for part in node.body
        for item in ast.walk(part)
        if isinstance(item, ast.stmt) and not _is_text(item) and not isinstance(item, ast.Pass)
    }
    return DeviceBody(name=name, first=node.lineno, last=node.end_lineno or node.lineno, stops=tuple(sorted(stops)))


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def function_name(file: str, line: int) -> str:
    """Return the name of the innermost function around a line of a file on disk, empty when there is none."""
    try:
        stamp = os.stat(file).st_mtime_ns
    except OSError:
        return ""
    names = [(first, name) for first, last, name in _functions(file, stamp) if first <= line <= last]
    return max(names)[1] if names else ""


@lru_cache(maxsize=32)
def _functions(file: str, stamp: int) -> tuple[tuple[int, int, str], ...]:
    del stamp
    try:
        tree = parse(SourceText(file, read_file(file)))
    except (OSError, UnicodeError):
        return ()
    if isinstance(tree, Diagnostic):
        return ()
    return tuple(
        (node.lineno, node.end_lineno or node.lineno, node.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
    )
