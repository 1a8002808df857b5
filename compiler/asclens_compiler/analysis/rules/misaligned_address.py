# SPDX-License-Identifier: Apache-2.0
"""ASC302: a local operand that starts between two units of its memory."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC302",
    name="misaligned-address",
    severity=Severity.ERROR,
    message="`{operand}` starts at byte {found}; in {memory} operands start at {allowed}.",
    help="Move the start to {allowed}.",
    message_zh="`{operand}` 起始于字节 {found}；{memory} 中的操作数须起始于 {allowed}。",
    help_zh="请将起始地址调整为 {allowed}。",
    source="CANN general constraints: start addresses of local operands",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.ALIGNMENT):
        yield report(RULE, item, context)
