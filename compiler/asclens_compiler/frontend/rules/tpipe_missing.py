# SPDX-License-Identifier: Apache-2.0
"""ASC401: buffers without a TPipe."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC401",
    name="no-tpipe",
    severity=Severity.ERROR,
    message="There is no TPipe yet in this kernel.",
    help="Make one first: `pipe = asc.TPipe()`.",
    message_zh="此核函数中尚无 TPipe。",
    help_zh="请先创建：`pipe = asc.TPipe()`。",
    source="pyasc 1.1.1 front end",
)


def report(span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span)
