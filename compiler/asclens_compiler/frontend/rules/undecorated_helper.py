# SPDX-License-Identifier: Apache-2.0
"""ASC125: a helper without `@asc.jit`."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Related, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC125",
    name="helper-without-jit",
    severity=Severity.ERROR,
    message="`{name}` is called in a kernel but is not decorated with `@asc.jit`.",
    help="Decorate the helper with `@asc.jit`.",
    message_zh="核函数调用了 `{name}`，但它没有 `@asc.jit` 装饰器。",
    help_zh="请为该辅助函数加上 `@asc.jit`。",
    source="pyasc 1.1.1 front end",
)


def report(name: str, definition: Span, span: Span) -> Diagnostic:
    """Make the diagnostic, with a fix at the definition."""
    place = Span(definition.file, definition.line, definition.column, definition.line, definition.column)
    edit = Edit(span=place, new_text="@asc.jit\n" + " " * (definition.column - 1))
    fix = Fix(title="Decorate with @asc.jit", applicability=Applicability.SAFE, edits=(edit,))
    related = (Related(span=place, message=f"`{name}` is defined here"),)
    return RULE.report(span, name=name, related=related, fixes=(fix,))
