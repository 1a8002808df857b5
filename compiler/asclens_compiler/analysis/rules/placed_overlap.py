# SPDX-License-Identifier: Apache-2.0
"""ASC310: two hand-placed tensors that share bytes while both are in use."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC310",
    name="placed-overlap",
    severity=Severity.ERROR,
    message="This tensor shares bytes {low} to {high} of {memory} with that of line {line}, and both are in use.",
    help="Move one of them.",
    message_zh="该张量与第 {line} 行的张量共用 {memory} 的字节 {low} 到 {high}，且二者同时在用。",
    help_zh="请移动其中一个。",
    source="hand-placed tensors reserve nothing (CANN static tensor programming)",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.PLACED_OVERLAP):
        yield report(RULE, item, context)
