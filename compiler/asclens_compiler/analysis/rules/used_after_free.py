# SPDX-License-Identifier: Apache-2.0
"""ASC407: a tensor that is touched after it was freed."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC407",
    name="used-after-free",
    severity=Severity.ERROR,
    message="This tensor went back to {queue} in line {line}; its bytes may belong to another tensor.",
    help="Free it after its last use.",
    message_zh="该张量已在第 {line} 行归还给 {queue}，其内存可能已属于其他张量。",
    help_zh="请在最后一次使用之后释放。",
    source="CANN TQue pages; buffer states of the queue checks of the vendor: free, allocated, enqueued, dequeued",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.USED_AFTER_FREE):
        yield report(RULE, item, context)
