# SPDX-License-Identifier: Apache-2.0
"""ASC408: a tensor that is given to another queue than it comes from."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_wrong_queue
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC408",
    name="wrong-queue",
    severity=Severity.ERROR,
    message="This tensor comes from {owner} but is {how} {queue}.",
    help="Name {owner}.",
    message_zh="该张量来自 {owner}，却用于 {queue}。",
    help_zh="请使用 {owner}。",
    source="CANN TQue pages; buffer states of the queue checks of the vendor: free, allocated, enqueued, dequeued",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.WRONG_QUEUE):
        yield report(RULE, item, context, fix_wrong_queue)
