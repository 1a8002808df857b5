# SPDX-License-Identifier: Apache-2.0
"""ASC307: a copy between two memories without a path."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC307",
    name="no-copy-path",
    severity=Severity.ERROR,
    message="The hardware has no path from {found}.",
    help="Go through global memory or another local memory.",
    message_zh="硬件没有 {found} 的搬运通路。",
    help_zh="请经由全局内存或其他片上内存中转。",
    source="CANN DataCopy page: legal memories of source and destination on architecture 2201",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.NO_PATH):
        yield report(RULE, item, context)
