# SPDX-License-Identifier: Apache-2.0
"""ASC305: an access past the end of a tensor."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_out_of_bounds
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC305",
    name="out-of-bounds",
    severity=Severity.ERROR,
    message="This touches {found} of `{operand}`, which has {allowed}.",
    help="Reduce the count, or make the tensor larger.",
    message_zh="此处访问 `{operand}` 的 {found}，而其只有 {allowed}。",
    help_zh="请减小元素个数，或增大张量。",
    source="CANN general constraints: the touched bytes lie inside the tensor",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.OUT_OF_BOUNDS):
        yield report(RULE, item, context, fix_out_of_bounds)
