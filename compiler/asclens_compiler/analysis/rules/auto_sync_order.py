# SPDX-License-Identifier: Apache-2.0
"""ASC220: an order that only the automatic synchronisation of the toolchain gives."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC220",
    name="ordered-by-auto-sync-only",
    severity=Severity.ADVICE,
    message=(
        "{kind} on pipe {second} is ordered after the {before} of line {line} on pipe {first} by `auto_sync` only."
    ),
    help="Keep `auto_sync` on, or write the pair set_flag/wait_flag {needed}.",
    message_zh="流水线 {second} 上的访问仅由 `auto_sync` 保证在第 {line} 行流水线 {first} 的访问之后。",
    help_zh="请保持 `auto_sync` 开启，或显式写出 {needed} 的 set_flag/wait_flag。",
    source="CANN key features page, tables 1-3",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.AUTO_SYNC_ONLY):
        yield report(RULE, item, context)
