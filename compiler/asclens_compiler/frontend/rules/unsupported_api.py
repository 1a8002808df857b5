# SPDX-License-Identifier: Apache-2.0
"""ASC129: a public call that AscLens does not implement."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC129",
    name="unsupported-api",
    severity=Severity.ERROR,
    message="`{name}` is not supported: {reason}.",
    help="Use another call.",
    message_zh="不支持 `{name}`：{reason}。",
    help_zh="请使用其他接口。",
    source="opset rows",
)


def report(name: str, reason: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name, reason=reason.rstrip("."))
