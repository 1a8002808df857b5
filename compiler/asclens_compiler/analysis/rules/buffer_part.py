# SPDX-License-Identifier: Apache-2.0
"""ASC313: a tensor that ends behind its buffer."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC313",
    name="buffer-part",
    severity=Severity.ERROR,
    message="This tensor ends at byte {end} of its buffer, which has {available}.",
    help="Take fewer elements, or make the buffer larger.",
    message_zh="该张量结束于缓冲区的字节 {end}，而缓冲区只有 {available} 字节。",
    help_zh="请减少元素，或增大缓冲区。",
    source="CANN TBuf.Get and GetWithOffset pages",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.BUFFER_PART):
        yield report(RULE, item, context)
