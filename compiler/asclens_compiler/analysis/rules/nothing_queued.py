# SPDX-License-Identifier: Apache-2.0
"""ASC403: a deque of an empty queue."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_nothing_queued
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC403",
    name="nothing-queued",
    severity=Severity.ERROR,
    message="Nothing is enqueued in {queue} here: the core hangs.",
    help="Enqueue a tensor before.",
    message_zh="{queue} 此时为空：内核会挂起。",
    help_zh="请先将张量入队。",
    source="CANN TQue pages; buffer states of the queue checks of the vendor: free, allocated, enqueued, dequeued",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.NOTHING_QUEUED):
        yield report(RULE, item, context, fix_nothing_queued)
