# SPDX-License-Identifier: Apache-2.0
"""ASC412: more buffers than a TPipe has."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC412",
    name="too-many-buffers",
    severity=Severity.ERROR,
    message="The queues and buffers of this kernel add up to {count} buffers; a TPipe has {most}.",
    help="Use fewer buffers per queue.",
    message_zh="此内核的队列与缓冲区共 {count} 块；TPipe 只有 {most} 块。",
    help_zh="请减少每个队列的块数。",
    source="CANN TPipe.InitBuffer page: at most 64 buffers per kernel",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.TOO_MANY_BUFFERS):
        yield report(RULE, item, context)
