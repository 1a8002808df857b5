# SPDX-License-Identifier: Apache-2.0
"""ASC023: a `while` that nothing in its body can end."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC023",
    name="endless-while",
    severity=Severity.ERROR,
    message="Nothing in the body changes `{condition}`, so this loop never ends once entered.",
    help="Change a name of the condition in the body, or use `for i in range(...)`.",
    message_zh="循环体不会改变 `{condition}`，进入后循环永不结束。",
    help_zh="请在循环体内改变条件中的名字，或用 `for i in range(...)`。",
    source="Python semantics; kernels have no `break`",
)


def report(condition: str, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, condition=condition)
