# SPDX-License-Identifier: Apache-2.0
"""ASC504: a parameter outside its field."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_value_range
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC504",
    name="value-range",
    severity=Severity.ERROR,
    message="`{operand}` is {found}, outside {allowed}.",
    help="Split the call, or use a value in {allowed}.",
    message_zh="`{operand}` 为 {found}，超出 {allowed}。",
    help_zh="请拆分调用，或使用 {allowed} 内的值。",
    source="CANN Ascend C API page of the call and general constraints; the operation page cites each limit",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.RANGE):
        yield report(RULE, item, context, fix_value_range)
