# SPDX-License-Identifier: Apache-2.0
"""Source text of live functions and classes, and the names that they refer to."""

from __future__ import annotations

import ast
import inspect
import linecache
import os
import tokenize
import warnings
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any, Union

Definition = Union[ast.FunctionDef, ast.ClassDef]
Chains = dict[str, set[tuple[str, ...]]]


class SourceError(OSError):
    """Report that the source text of a kernel is not at hand."""


class Source:
    """The text of one file as it was when its code was loaded."""

    def __init__(self, file: str, text: str, on_disk: bool) -> None:
        self.file = file
        self.text = text
        self.on_disk = on_disk  # the text equals the file's, at the time `stamp` was taken
        self.stamp = _stamp(file)
        self._definitions: list[tuple[str, Definition]] | None = None

    def unchanged_on_disk(self) -> bool:
        """Tell whether readers of the file see the same text."""
        return self.on_disk and self.stamp is not None and _stamp(self.file) == self.stamp

    def definitions(self) -> list[tuple[str, Definition]]:
        """Return every function and class with its qualified name; SourceError when it does not parse."""
        if self._definitions is None:
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    tree = ast.parse(self.text, self.file)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                raise SourceError(f"the source of {self.file} cannot be parsed: {error}") from None
            self._definitions = list(_definitions(tree, ""))
        return self._definitions


_sources: dict[str, Source] = {}


def remember(subject: Callable[..., Any]) -> Source:
    """Return the source of a function or class and keep it, should the file change later.

    SourceError when there is none (interactive input, `exec`).
    """
    file = file_of(subject)
    known = _sources.get(file)
    if known is not None:
        return known
    module_globals = getattr(subject, "__globals__", None)
    lines = linecache.getlines(file, module_globals)
    if not lines:
        raise SourceError(
            f"the source of {getattr(subject, '__qualname__', subject)} is not at hand: kernels are compiled from "
            f"their text, so they must stand in a file ({file} is none)"
        )
    text = "".join(lines)
    on_disk = _read(file)
    # linecache ends the last line, whether the file does or not.
    source = _sources[file] = Source(file, text, on_disk is not None and text in (on_disk, on_disk + "\n"))
    return source


def file_of(subject: Any) -> str:
    """Return the file that a function or class comes from; SourceError when there is none."""
    code = getattr(subject, "__code__", None)
    if isinstance(code, CodeType):
        return code.co_filename
    try:
        return inspect.getfile(subject)
    except (TypeError, OSError) as error:
        raise SourceError(f"the source of {subject!r} is not at hand: {error}") from None


def find(subject: Any) -> tuple[Source, Definition]:
    """Return the source and the syntax node of a live function or class.

    SourceError when it is not written with `def` or `class` in a file.
    """
    source = remember(subject)
    code = getattr(subject, "__code__", None)
    if isinstance(code, CodeType):
        for _, node in source.definitions():
            if isinstance(node, ast.FunctionDef) and node.name == code.co_name and code.co_firstlineno in _starts(node):
                return source, node
        what = "a lambda" if code.co_name == "<lambda>" else "not written with `def`"
        raise SourceError(f"{subject.__qualname__} ({source.file}:{code.co_firstlineno}) is {what}: use a named `def`")
    wanted = subject.__qualname__
    found = [node for name, node in source.definitions() if name == wanted and isinstance(node, ast.ClassDef)]
    if not found:
        raise SourceError(f"no class {wanted} stands in {source.file}")
    line = getattr(subject, "__firstlineno__", None)
    return source, next((node for node in found if line in _starts(node)), found[-1])


def _starts(node: Definition) -> set[int]:
    return {node.lineno, *(decorator.lineno for decorator in node.decorator_list[:1])}


def referenced(node: ast.AST) -> Chains:
    """Return the names that a definition mentions outside decorators, each with the attribute chains that follow it."""
    chains: Chains = {}
    inner: set[int] = set()
    for item in ast.walk(node):
        if id(item) in inner:
            continue
        if isinstance(item, (ast.FunctionDef, ast.ClassDef)):
            inner.update(id(part) for decorator in item.decorator_list for part in ast.walk(decorator))
        elif isinstance(item, ast.Attribute):
            path: list[str] = []
            at: ast.expr = item
            while isinstance(at, ast.Attribute):
                inner.add(id(at))
                path.append(at.attr)
                at = at.value
            if isinstance(at, ast.Name):
                inner.add(id(at))
                chains.setdefault(at.id, set()).add(tuple(reversed(path)))
        elif isinstance(item, ast.Name):
            chains.setdefault(item.id, set()).add(())
        elif isinstance(item, ast.Constant) and isinstance(item.value, str):
            _add_text_annotation(item.value, chains)
    return chains


def _add_text_annotation(text: str, chains: Chains) -> None:
    """Names in an annotation that is written as text (`"asc.ConstExpr[int]"`)."""
    if len(text) > 200 or not text.strip():
        return
    root = text.split("[", 1)[0].split(".", 1)[0].strip()
    if root.isidentifier():
        chains.setdefault(root, set()).add(())


def _definitions(node: ast.AST, prefix: str) -> Iterator[tuple[str, Definition]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            name = f"{prefix}{child.name}"
            yield name, child
            yield from _definitions(child, f"{name}." if isinstance(child, ast.ClassDef) else f"{name}.<locals>.")
        elif isinstance(child, (ast.stmt, ast.ExceptHandler)) or type(child).__name__ == "match_case":
            yield from _definitions(child, prefix)


def _read(file: str) -> str | None:
    try:
        with tokenize.open(file) as stream:
            return stream.read()
    except (OSError, SyntaxError, UnicodeDecodeError):
        return None


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
