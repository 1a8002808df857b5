# SPDX-License-Identifier: Apache-2.0
"""ASC215: a wait that stands in front of its set."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_wait_before_set
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC215",
    name="wait-before-set",
    severity=Severity.WARNING,
    message="This waits for flag {event} {id}, but line {line} sets it only afterwards.",
    help="Put the set in front of the wait, right behind what pipe {pipe} waits for.",
    message_zh="此处等待标志 {event} {id}，但第 {line} 行才将其置位。",
    help_zh="请把置位放在等待之前，紧跟流水线 {pipe} 所依赖的操作。",
    source=(
        "CANN SetFlag/WaitFlag(ISASI): one binary flag per pair of pipes and id; a set waits for its pipe, a "
        "wait holds its pipe"
    ),
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.WAIT_BEFORE_SET):
        yield report(RULE, item, context, fix_wait_before_set)
