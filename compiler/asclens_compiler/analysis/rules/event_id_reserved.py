# SPDX-License-Identifier: Apache-2.0
"""ASC217: an event id that the system uses."""

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
    code="ASC217",
    name="event-id-reserved",
    severity=Severity.ADVICE,
    message="Event id {id} is reserved; kernels may use 0 to 5.",
    help="Use an id from 0 to 5.",
    message_zh="事件 ID {id} 为系统保留；内核可使用 0 到 5。",
    help_zh="请使用 0 到 5 的 ID。",
    source="CANN static tensor programming: id 6 is reserved, 7 belongs to automatic synchronisation",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.RESERVED_ID):
        yield report(RULE, item, context, fix_event_id)
