# SPDX-License-Identifier: Apache-2.0
"""ASC108: a scalar conversion that the toolchain does not have."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC108",
    name="scalar-cast-unsupported",
    severity=Severity.ERROR,
    message="A run-time {source} cannot be converted to {target}: integer and float convert only at equal width.",
    help="Convert in two steps through the equally wide type, for example `x.cast(asc.int32).cast(asc.float32)`.",
    message_zh="运行期 {source} 无法转换为 {target}：整数与浮点只能在位宽相同时互转。",
    help_zh="请经由同宽类型分两步转换，例如 `x.cast(asc.int32).cast(asc.float32)`。",
    source="pyasc 1.1.1 PlainValue.cast",
)


def report(source: str, target: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, source=source, target=target)
