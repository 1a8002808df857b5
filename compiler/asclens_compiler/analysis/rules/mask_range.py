# SPDX-License-Identifier: Apache-2.0
"""ASC505: a mask that counts more elements than a repeat has."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_mask_range
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC505",
    name="mask-range",
    severity=Severity.ERROR,
    message="`mask` is {found}; one repeat of these types has {allowed} elements.",
    help="Use more repeats of a full mask, or the count form.",
    message_zh="`mask` 为 {found}；一次迭代的元素范围为 {allowed}。",
    help_zh="请增加迭代次数，或使用按个数的形式。",
    source="CANN general constraints: one repeat has 256 bytes",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.MASK):
        yield report(RULE, item, context, fix_mask_range)
