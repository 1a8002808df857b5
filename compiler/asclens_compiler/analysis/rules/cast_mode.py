# SPDX-License-Identifier: Apache-2.0
"""ASC503: a cast or round mode that the hardware lacks."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_cast_mode
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC503",
    name="cast-mode",
    severity=Severity.ERROR,
    message="There is no cast {found}; the hardware has {allowed}.",
    help="Use a listed round mode, or cast in two steps.",
    message_zh="没有 {found} 的转换；硬件支持 {allowed}。",
    help_zh="请使用列出的舍入模式，或分两步转换。",
    source="CANN Cast page, table for Atlas A2/A3",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.CAST_MODE):
        yield report(RULE, item, context, fix_cast_mode)
