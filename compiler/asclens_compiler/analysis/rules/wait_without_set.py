# SPDX-License-Identifier: Apache-2.0
"""ASC212: a wait whose flag nothing sets on some path."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_wait_without_set
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC212",
    name="wait-without-set",
    severity=Severity.ERROR,
    message="Pipe {pipe} waits for flag {event} {id}, which nothing sets on this path: the core hangs.",
    help="Set the flag on pipe {source} before this line, on every path that leads here.",
    message_zh="流水线 {pipe} 等待标志 {event} {id}，但此路径上没有置位：内核会挂起。",
    help_zh="请在到达此行的每条路径上先由流水线 {source} 置位该标志。",
    source=(
        "CANN SetFlag/WaitFlag(ISASI): one binary flag per pair of pipes and id; a set waits for its pipe, a "
        "wait holds its pipe"
    ),
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.WAIT_WITHOUT_SET):
        yield report(RULE, item, context, fix_wait_without_set)
