# SPDX-License-Identifier: Apache-2.0
"""ASC216: an event id that the hardware does not have."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_event_id
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC216",
    name="event-id-range",
    severity=Severity.ERROR,
    message="Event id {id} is outside 0..{high}.",
    help="Use an id from 0 to 5; 6 and 7 are taken by the system.",
    message_zh="事件 ID {id} 超出范围 0..{high}。",
    help_zh="请使用 0 到 5；6 和 7 由系统占用。",
    source="CANN SetFlag/WaitFlag(ISASI): ids 0..7",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.EVENT_ID):
        yield report(RULE, item, context, fix_event_id)
