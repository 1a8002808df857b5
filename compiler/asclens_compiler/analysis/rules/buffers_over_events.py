# SPDX-License-Identifier: Apache-2.0
"""ASC413: more buffers in a queue than event ids for their flags."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC413",
    name="more-buffers-than-events",
    severity=Severity.WARNING,
    message="{queue} gets {count} buffers, but only {most} flags of one kind exist.",
    help="Use at most {most} buffers; two are enough to overlap copies and compute.",
    message_zh="{queue} 分配了 {count} 块内存，但同类标志只有 {most} 个。",
    help_zh="最多使用 {most} 块；两块即可实现搬运与计算重叠。",
    source="CANN AllocTensor page: at most 8 buffers in flight per event on A2/A3",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.BUFFERS_OVER_EVENTS):
        yield report(RULE, item, context)
