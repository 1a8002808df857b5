# SPDX-License-Identifier: Apache-2.0
"""ASC801: a `while` that pyasc 1.1.1 miscompiles."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC801",
    name="frozen-while",
    severity=Severity.WARNING,
    message=(
        "pyasc 1.1.1 computes this condition once, before the loop: changes of {names} in the body do "
        "not reach it. AscLens runs the loop as written."
    ),
    help="Use `for i in range(...)` with a trip count computed before the loop.",
    message_zh="pyasc 1.1.1 只在循环前计算一次该条件：循环体内对 {names} 的修改不会生效。AscLens 按所写执行。",
    help_zh="请用 `for i in range(...)`，并在循环前算出次数。",
    source="pyasc 1.1.1 visit_While; probe y60",
)


def report(names: Sequence[str], span: Span) -> Diagnostic:
    """Make the diagnostic; `names` are the changed names of the condition."""
    return RULE.report(span, names=", ".join(f"`{name}`" for name in names))
