# SPDX-License-Identifier: Apache-2.0
"""ASC809: a bfloat16 array argument."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC809",
    name="bfloat16-argument",
    severity=Severity.WARNING,
    message="pyasc 1.1.1 cannot take the bfloat16 array `{name}`; AscLens does.",
    help="Pass the bytes as uint16 and use `reinterpret_cast`, or convert on the host.",
    message_zh="pyasc 1.1.1 不接受 bfloat16 数组 `{name}`；AscLens 可以。",
    help_zh="请以 uint16 传入并使用 `reinterpret_cast`，或在主机侧转换。",
    source="pyasc 1.1.1 has no dtype named bfloat16; probe c24",
)


def report(name: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name)
