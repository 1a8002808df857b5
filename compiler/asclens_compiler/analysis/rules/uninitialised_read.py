# SPDX-License-Identifier: Apache-2.0
"""ASC311: a read of local memory that nothing has written."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC311",
    name="uninitialised-read",
    severity=Severity.ERROR,
    message="This reads {read} bytes of `{operand}`, but bytes {first} to {last} were never written.",
    help="Write the whole range first, or read less.",
    message_zh="此处读取 `{operand}` 的 {read} 字节，但字节 {first} 到 {last} 从未被写入。",
    help_zh="请先写入整个范围，或减少读取。",
    source="local memories start with arbitrary contents",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.NEVER_WRITTEN):
        yield report(RULE, item, context)
