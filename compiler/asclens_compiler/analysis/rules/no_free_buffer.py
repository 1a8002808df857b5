# SPDX-License-Identifier: Apache-2.0
"""ASC409: more tensors in use than a queue has buffers."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC409",
    name="no-free-buffer",
    severity=Severity.ERROR,
    message="{queue} has {count} buffers and this would be tensor {live} in use: the core hangs.",
    help="Free one before, or give the queue more buffers.",
    message_zh="{queue} 有 {count} 块内存，而这将是第 {live} 个在用张量：内核会挂起。",
    help_zh="请先释放一个，或为队列分配更多内存。",
    source="CANN TQue pages; buffer states of the queue checks of the vendor: free, allocated, enqueued, dequeued",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.NO_FREE_BUFFER):
        yield report(RULE, item, context)
