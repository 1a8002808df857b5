# SPDX-License-Identifier: Apache-2.0
"""ASC309: buffers that need more than a memory has."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_memory_full
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC309",
    name="memory-full",
    severity=Severity.ERROR,
    message="The buffers need {needed} bytes, but {memory} has {available}.",
    help="{breakdown}. At most {fits} bytes each fit here.",
    message_zh="缓冲区共需要 {needed} 字节，而 {memory} 只有 {available} 字节。",
    help_zh="{breakdown}。此处每块最多 {fits} 字节。",
    source="CANN Ascend C: memory sizes of architecture 2201; the device does not check",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.MEMORY_FULL):
        yield report(RULE, item, context, fix_memory_full)
