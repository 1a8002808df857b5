# SPDX-License-Identifier: Apache-2.0
"""ASC213: a flag that is still set when the kernel ends."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_set_without_wait
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC213",
    name="set-without-wait",
    severity=Severity.ERROR,
    message="Flag {event} {id} is set here and never waited for: it stays set into the next kernel.",
    help="Wait for it on pipe {pipe}, or remove the set.",
    message_zh="标志 {event} {id} 在此置位但从未被等待：会遗留到下一个内核。",
    help_zh="请在流水线 {pipe} 上等待它，或删除该置位。",
    source="CANN NPU architecture 2201: an unconsumed set leaks into the next kernel",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.SET_NOT_AWAITED):
        yield report(RULE, item, context, fix_set_without_wait)
