# SPDX-License-Identifier: Apache-2.0
"""ASC810: the negative of a run-time float."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC810",
    name="negative-float",
    severity=Severity.WARNING,
    message="pyasc 1.1.1 gives `-x` of a float no type, and its next use fails; AscLens negates.",
    help="Write `x * -1.0`.",
    message_zh="pyasc 1.1.1 对浮点值求 `-x` 的结果没有类型，再次使用会失败；AscLens 正常取负。",
    help_zh="请写成 `x * -1.0`。",
    source="pyasc 1.1.1 PlainValue.__neg__; probe y43",
)


def report(span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span)
