# SPDX-License-Identifier: Apache-2.0
"""ASC404: a tensor that never goes back to its queue."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_not_freed
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC404",
    name="not-freed",
    severity=Severity.WARNING,
    message="This tensor of {queue} is {state} here and never freed.",
    help="Free it after its last use, so that its buffer can be used again.",
    message_zh="{queue} 的该张量在此 {state}，之后从未释放。",
    help_zh="请在最后一次使用后释放它。",
    source="CANN TQue pages; buffer states of the queue checks of the vendor: free, allocated, enqueued, dequeued",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.NOT_FREED):
        yield report(RULE, item, context, fix_not_freed)
