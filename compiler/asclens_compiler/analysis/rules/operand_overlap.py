# SPDX-License-Identifier: Apache-2.0
"""ASC304: two operands of one instruction that share some bytes."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC304",
    name="operand-overlap",
    severity=Severity.ERROR,
    message="{operands} share some of their bytes ({found}); they must be {allowed}.",
    help="Work in place, or give each operand bytes of its own.",
    message_zh="{operands} 部分重叠（{found}）；必须完全相同或互不重叠。",
    help_zh="请原地计算，或为每个操作数使用独立的内存。",
    source="CANN general constraints: address overlap",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.OPERAND_OVERLAP):
        yield report(RULE, item, context)
