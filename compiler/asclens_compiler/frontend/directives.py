# SPDX-License-Identifier: Apache-2.0
"""`# asclens:` comments: `assume NAME=VALUE ...` and `run KERNEL(...) NAME=VALUE ...`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.frontend.rules import directive_form
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText

_COMMENT = re.compile(r"#\s*asclens:\s*(\w+)\s*(.*?)\s*$")
_PAIR = re.compile(r"([A-Za-z_]\w*)\s*=\s*")
KINDS = ("assume", "run")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Directive:
    """One comment. `target` is the kernel (or operator call) of `run`, empty for `assume`.

    `values` are the pairs in order; a value is a Python expression (`2048`, `float16[16384]`,
    `rand(1024)`).
    """

    kind: str
    line: int
    span: Span
    target: ast.expr | None
    values: tuple[tuple[str, ast.expr], ...]


def target_name(directive: Directive) -> str:
    """Return the name of the kernel that a `run` directive starts."""
    target = directive.target
    if isinstance(target, ast.Call):
        target = target.func
    return target.id if isinstance(target, ast.Name) else ""


def find_directives(source: SourceText) -> tuple[list[Directive], list[Diagnostic]]:
    """Return the directives of a file in order, and what is wrong with them."""
    found: list[Directive] = []
    problems: list[Diagnostic] = []
    for number, line in enumerate(source.lines, 1):
        if "asclens:" not in line:
            continue
        match = _COMMENT.search(line)
        if match is None:
            continue
        span = Span(source.file, number, match.start() + 1, number, len(source.line(number).rstrip()) + 1)
        parsed = _parse(match.group(1), match.group(2), number, span)
        if isinstance(parsed, Diagnostic):
            problems.append(parsed)
        else:
            found.append(parsed)
    return found, problems


def _parse(kind: str, text: str, line: int, span: Span) -> Directive | Diagnostic:
    if kind not in KINDS:
        return directive_form.report(f"`{kind}` is no directive", span)
    target: ast.expr | None = None
    if kind == "run":
        head, text = _split_target(text)
        target = _expression(head)
        if target is None:
            return directive_form.report(f"`run` needs a kernel, not `{head}`", span)
    values: list[tuple[str, ast.expr]] = []
    for name, value in _pairs(text):
        node = _expression(value)
        if not name or node is None:
            return directive_form.report(f"`{value if node is None else name}` is no NAME=VALUE", span)
        values.append((name, node))
    return Directive(kind=kind, line=line, span=span, target=target, values=tuple(values))


def _split_target(text: str) -> tuple[str, str]:
    depth = 0
    for index, char in enumerate(text):
        depth += (char in "([") - (char in ")]")
        if char == " " and depth == 0:
            return text[:index], text[index:]
    return text, ""


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    """Split `a=1 b=float16[2, 3]` at blanks outside brackets."""
    position = 0
    text = text.strip()
    while position < len(text):
        match = _PAIR.match(text, position)
        if match is None:
            yield "", text[position:]
            return
        start = end = match.end()
        depth = 0
        while end < len(text) and (depth or text[end] not in " ,"):
            depth += (text[end] in "([") - (text[end] in ")]")
            end += 1
        yield match.group(1), text[start:end]
        while end < len(text) and text[end] in " ,":
            end += 1
        position = end


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
