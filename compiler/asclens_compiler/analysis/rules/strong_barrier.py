# SPDX-License-Identifier: Apache-2.0
"""ASC222: a barrier over all pipes in a loop, where one flag is enough."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_strong_barrier
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC222",
    name="strong-barrier",
    severity=Severity.ADVICE,
    message="This barrier stops all pipes in each trip, but only {second} after {first} needs an order.",
    help="Use the pair set_flag and wait_flag {event}: the other pipes go on.",
    message_zh="该屏障在每次循环中停住所有流水线，但只有 {first} 到 {second} 需要保证顺序。",
    help_zh="请改用 {event} 的 set_flag 与 wait_flag。",
    source="CANN in-core synchronisation: PIPE_ALL waits for every pipe",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.STRONG_BARRIER):
        yield report(RULE, item, context, fix_strong_barrier)
