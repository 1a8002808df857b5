# SPDX-License-Identifier: Apache-2.0
"""ASC013: an assert on a run-time value."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC013",
    name="assert-at-run-time",
    severity=Severity.ERROR,
    message="`assert` in a kernel checks compile-time conditions, this one is known only at run time.",
    help="Report with `asc.printf` under an `if`, or make the checked value a `ConstExpr` parameter.",
    message_zh="核函数中的 `assert` 只检查编译期条件，此条件运行期才知道。",
    help_zh="请在 `if` 中用 `asc.printf` 报告，或将被检查的值改为 `ConstExpr` 参数。",
    source="pyasc 1.1.1 front end",
)


def report(span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span)
