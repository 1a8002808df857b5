# SPDX-License-Identifier: Apache-2.0
"""ASC308: a hand-placed tensor that does not lie in its memory."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC308",
    name="beyond-memory",
    severity=Severity.ERROR,
    message="This tensor takes bytes {start} to {end}, but {memory} has {available}.",
    help="Use a lower address or fewer elements.",
    message_zh="该张量占用字节 {start} 到 {end}，但 {memory} 只有 {available} 字节。",
    help_zh="请使用更低的地址或更少的元素。",
    source="CANN Ascend C: memory sizes of architecture 2201",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.BEYOND_MEMORY):
        yield report(RULE, item, context)
