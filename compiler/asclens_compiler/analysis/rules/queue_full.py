# SPDX-License-Identifier: Apache-2.0
"""ASC410: more tensors enqueued than the depth of the queue."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC410",
    name="queue-full",
    severity=Severity.ERROR,
    message="{queue} has depth {depth} and this would be enqueued tensor {count}.",
    help="Dequeue one before, or give the queue a greater depth.",
    message_zh="{queue} 深度为 {depth}，而这将是第 {count} 个入队张量。",
    help_zh="请先出队一个，或增大队列深度。",
    source="CANN TQue pages; buffer states of the queue checks of the vendor: free, allocated, enqueued, dequeued",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.QUEUE_FULL):
        yield report(RULE, item, context)
