# SPDX-License-Identifier: Apache-2.0
"""ASC133: a kernel called without launch options."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC133",
    name="kernel-called-directly",
    severity=Severity.ERROR,
    message="`{name}` is a kernel and is called without launch options.",
    help="Launch it on a number of cores: `{name}[core_num](...)`.",
    message_zh="`{name}` 是核函数，调用时缺少启动选项。",
    help_zh="请指定核数启动：`{name}[core_num](...)`。",
    source="pyasc 1.1.1: the body then runs as plain Python and its first call fails; probe c16",
)


def report(name: str, span: Span) -> Diagnostic:
    """Make the diagnostic at the call."""
    return RULE.report(span, name=name)
