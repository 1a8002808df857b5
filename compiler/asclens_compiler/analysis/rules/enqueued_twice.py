# SPDX-License-Identifier: Apache-2.0
"""ASC411: a tensor that is enqueued a second time."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes import fix_remove
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC411",
    name="enqueued-twice",
    severity=Severity.ERROR,
    message="This tensor is enqueued in {queue} since line {line} already.",
    help="Remove one of the two calls.",
    message_zh="该张量自第 {line} 行起已在 {queue} 中。",
    help_zh="请删除其中一次调用。",
    source="CANN TQue pages; buffer states of the queue checks of the vendor: free, allocated, enqueued, dequeued",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.ENQUEUED_TWICE):
        yield report(RULE, item, context, fix_remove)
