# SPDX-License-Identifier: Apache-2.0
"""ASC214: a flag that is set again before its wait."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_flag_set_twice
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC214",
    name="flag-set-twice",
    severity=Severity.ERROR,
    message="Flag {event} {id} is set again, but no wait has taken the set of line {line}.",
    help="Wait for the first set before this one, or use another event id.",
    message_zh="标志 {event} {id} 再次置位，但第 {line} 行的置位尚未被等待。",
    help_zh="请先等待前一次置位，或改用另一个事件 ID。",
    source=(
        "CANN SetFlag/WaitFlag(ISASI): one binary flag per pair of pipes and id; a set waits for its pipe, a "
        "wait holds its pipe; two sets without a wait are undefined"
    ),
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.SET_TWICE):
        yield report(RULE, item, context, fix_flag_set_twice)
