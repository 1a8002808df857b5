# SPDX-License-Identifier: Apache-2.0
"""ASC507: a bit mask of more than two words."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC507",
    name="mask-words",
    severity=Severity.ERROR,
    message="This bit mask has {found} words; a mask has one or two.",
    help="One bit per element: two words of 64 bits for 16-bit types, one for 32-bit types.",
    message_zh="该位掩码有 {found} 个字；掩码应为一或两个字。",
    help_zh="每个元素一位：16 位类型两个 64 位字，32 位类型一个。",
    source="CANN general constraints: bit-wise mask",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.MASK_WORDS):
        yield report(RULE, item, context)
