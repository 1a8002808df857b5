# SPDX-License-Identifier: Apache-2.0
"""ASC211: an access that nothing orders after an earlier access to the same bytes."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_missing_sync
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC211",
    name="missing-sync",
    severity=Severity.ERROR,
    message=(
        "{kind} on pipe {second} does not wait for the {before} of line {line} on pipe {first} to the same "
        "bytes of {memory}."
    ),
    help="{put} {needed} {place}.",
    message_zh="流水线 {second} 上的访问没有等待第 {line} 行在流水线 {first} 上对 {memory} 同一段字节的访问。",
    help_zh="请在两次访问之间加入 {needed} 的标志对或屏障。",
    source=(
        "CANN in-core synchronisation: pipes run on their own; what auto_sync orders stands in the key "
        "features page, tables 1-3"
    ),
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.MISSING_SYNC):
        yield report(RULE, item, context, fix_missing_sync)
