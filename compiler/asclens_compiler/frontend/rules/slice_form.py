# SPDX-License-Identifier: Apache-2.0
"""ASC130: a tensor slice with a stop or a step."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC130",
    name="tensor-slice-form",
    severity=Severity.ERROR,
    message="A tensor slice has a start only (`t[i:]`): the count is an argument of each call.",
    help="Write `t[start:]` and pass the number of elements to the call.",
    message_zh="张量切片只有起点（`t[i:]`）：元素个数是各接口的参数。",
    help_zh="请写成 `t[start:]`，并将元素个数传给接口。",
    source="pyasc 1.1.1 front end",
)


def report(span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span)
