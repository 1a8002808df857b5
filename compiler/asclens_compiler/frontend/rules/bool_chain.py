# SPDX-License-Identifier: Apache-2.0
"""ASC011: `and` or `or` of more than two operands."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC011",
    name="boolean-chain",
    severity=Severity.ERROR,
    message="`{operator}` joins two conditions in a kernel, here {count}.",
    help="Group pairs with parentheses: {rewritten}.",
    message_zh="核函数中 `{operator}` 只能连接两个条件，此处有 {count} 个。",
    help_zh="请用括号两两分组：{rewritten}。",
    source="pyasc 1.1.1 front end",
)


def report(operator: str, texts: Sequence[str], span: Span) -> Diagnostic:
    """Make the diagnostic; `texts` are the conditions as written."""
    text = texts[0]
    for index, part in enumerate(texts[1:]):
        text = f"({text}) {operator} {part}" if index else f"{text} {operator} {part}"
    fixes: tuple[Fix, ...] = ()
    if span.line == span.end_line:
        edit = Edit(span=span, new_text=text)
        fixes = (Fix(title="Group pairs", applicability=Applicability.SAFE, edits=(edit,)),)
    return RULE.report(span, operator=operator, count=len(texts), rewritten=f"`{text}`", fixes=fixes)
