# SPDX-License-Identifier: Apache-2.0
"""ASC128: a GlobalTensor used before its buffer is set."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC128",
    name="global-tensor-without-buffer",
    severity=Severity.ERROR,
    message="This GlobalTensor has no buffer yet.",
    help="Call `set_global_buffer(pointer, size)` first.",
    message_zh="该 GlobalTensor 尚未设置内存。",
    help_zh="请先调用 `set_global_buffer(pointer, size)`。",
    source="pyasc 1.1.1 front end",
)


def report(span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span)
