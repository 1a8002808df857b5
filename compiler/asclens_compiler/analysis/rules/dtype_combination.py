# SPDX-License-Identifier: Apache-2.0
"""ASC502: element types that do not go together."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC502",
    name="dtype-combination",
    severity=Severity.ERROR,
    message="{operands} are {found}; the call takes {allowed}.",
    help="Convert one of them with `asc.cast`.",
    message_zh="{operands} 为 {found}；该调用支持 {allowed}。",
    help_zh="请先用 `asc.cast` 转换。",
    source="CANN Ascend C API page of the call and general constraints; the operation page cites each limit",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.DTYPE_PAIR):
        yield report(RULE, item, context)
