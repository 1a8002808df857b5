# SPDX-License-Identifier: Apache-2.0
"""ASC501: an element type that the instruction does not take."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC501",
    name="dtype-unsupported",
    severity=Severity.ERROR,
    message="`{operand}` is {found}; on this chip the call takes {allowed}.",
    help="Convert the data with `asc.cast` first.",
    message_zh="`{operand}` 为 {found}；该芯片上此调用支持 {allowed}。",
    help_zh="请先用 `asc.cast` 转换数据。",
    source="CANN Ascend C API page of the call and general constraints; the operation page cites each limit",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.DTYPE):
        yield report(RULE, item, context)
