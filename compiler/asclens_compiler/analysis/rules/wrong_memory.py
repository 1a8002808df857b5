# SPDX-License-Identifier: Apache-2.0
"""ASC306: an operand in a memory that the instruction cannot reach."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC306",
    name="wrong-memory",
    severity=Severity.ERROR,
    message="`{operand}` is in {found}, but this instruction takes it from {allowed}.",
    help="Copy the data to {allowed} first.",
    message_zh="`{operand}` 位于 {found}，但该指令要求位于 {allowed}。",
    help_zh="请先将数据搬运到 {allowed}。",
    source="CANN Ascend C API page of the call and general constraints; the operation page cites each limit",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.WRONG_MEMORY):
        yield report(RULE, item, context)
