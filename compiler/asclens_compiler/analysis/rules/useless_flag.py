# SPDX-License-Identifier: Apache-2.0
"""ASC221: a flag that no access needs."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_useless_flag
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC221",
    name="useless-flag",
    severity=Severity.ADVICE,
    message="Flag {event} orders nothing here: no access on either side needs it.",
    help="Remove its sets and waits; each costs the scalar unit two instructions.",
    message_zh="标志 {event} 在此不起作用：两侧没有需要它的访问。",
    help_zh="请删除其置位与等待。",
    source="CANN in-core synchronisation: a flag is needed between accesses to common bytes",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.USELESS_FLAG):
        yield report(RULE, item, context, fix_useless_flag)
