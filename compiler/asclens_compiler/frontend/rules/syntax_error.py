# SPDX-License-Identifier: Apache-2.0
"""ASC001: text that is no Python."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText

RULE = Rule(
    code="ASC001",
    name="syntax-error",
    severity=Severity.ERROR,
    message="{fact}.",
    help="Correct the text; kernels are checked once the file parses.",
    message_zh="{fact}。",
    help_zh="请修正文本；文件可解析后才能检查核函数。",
    source="Python grammar",
)


def report(source: SourceText, error: SyntaxError) -> Diagnostic:
    """Make the diagnostic of a syntax error."""
    line = min(max(error.lineno or 1, 1), len(source.lines))
    column = max(error.offset or 1, 1)
    end_line = error.end_lineno or line
    end = error.end_offset or 0
    if end_line != line or end <= column:
        end = column + 1
    return RULE.report(Span(source.file, line, column, line, end), fact=f"Python cannot read this: {error.msg}")


def report_unreadable(source: SourceText, error: Exception) -> Diagnostic:
    """Make the diagnostic of text that the parser gives up on (null bytes, nesting)."""
    reason = "it nests too deeply" if isinstance(error, (RecursionError, MemoryError)) else str(error)
    return RULE.report(source.line_span(1), fact=f"Python cannot read this file: {reason}")
