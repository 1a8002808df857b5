# SPDX-License-Identifier: Apache-2.0
"""ASC506: an enum member that the call does not take."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC506",
    name="value-not-allowed",
    severity=Severity.ERROR,
    message="`{operand}` is {found}; the call takes {allowed}.",
    help="Use one of the listed members.",
    message_zh="`{operand}` 为 {found}；该调用支持 {allowed}。",
    help_zh="请使用列出的成员。",
    source="CANN Ascend C API page of the call and general constraints; the operation page cites each limit",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.ENUM):
        yield report(RULE, item, context)
