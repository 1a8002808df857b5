# SPDX-License-Identifier: Apache-2.0
"""ASC132: a malformed `# asclens:` comment."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC132",
    name="directive-form",
    severity=Severity.WARNING,
    message="This directive cannot be read: {reason}.",
    help="Write `# asclens: assume x=float16[16384] n=2048` or `# asclens: run kernel x=rand(1024)`.",
    message_zh="无法识别该指令：{reason}。",
    help_zh="请写成 `# asclens: assume x=float16[16384] n=2048` 或 `# asclens: run kernel x=rand(1024)`。",
    source="AscLens directives",
)


def report(reason: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, reason=reason)
