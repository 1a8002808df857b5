# SPDX-License-Identifier: Apache-2.0
"""ASC802: a literal that a run-time block changes."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC802",
    name="literal-carried",
    severity=Severity.WARNING,
    message=(
        "`{name}` starts as the literal {value} and this run-time block changes it; pyasc 1.1.1 cannot "
        "compile that, AscLens makes it a run-time value."
    ),
    help="Start with `{name} = asc.number({value}, asc.{dtype})`.",
    message_zh="`{name}` 以字面量 {value} 开始并被此运行期代码块修改；pyasc 1.1.1 无法编译，AscLens 将其作为运行期值。",
    help_zh="请以 `{name} = asc.number({value}, asc.{dtype})` 开始。",
    source="pyasc 1.1.1: type check of re-assigned names, dominance error; probes y61, y64",
)


def report(name: str, value: object, span: Span) -> Diagnostic:
    """Make the diagnostic."""
    return RULE.report(span, name=name, value=value, dtype="float32" if isinstance(value, float) else "int32")
