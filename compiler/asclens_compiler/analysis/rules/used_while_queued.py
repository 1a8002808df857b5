# SPDX-License-Identifier: Apache-2.0
"""ASC406: a tensor that is touched between enque and deque."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC406",
    name="used-while-queued",
    severity=Severity.ERROR,
    message="This tensor is enqueued in {queue} since line {line} and must not be touched.",
    help="Use what `deque` returns, or touch it before `enque`.",
    message_zh="该张量自第 {line} 行起已入队到 {queue}，不能再访问。",
    help_zh="请使用 `deque` 返回的张量，或在 `enque` 之前访问。",
    source="CANN TQue pages; buffer states of the queue checks of the vendor: free, allocated, enqueued, dequeued",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.USED_WHILE_QUEUED):
        yield report(RULE, item, context)
