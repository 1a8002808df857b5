# SPDX-License-Identifier: Apache-2.0
"""ASC218: a barrier on a pipe that has none."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_sync import fix_scalar_barrier
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC218",
    name="scalar-barrier",
    severity=Severity.ERROR,
    message="`pipe_barrier` on {found} is a hardware error; it takes {allowed}.",
    help="Name the pipe whose instructions must be complete, or PIPE_ALL.",
    message_zh="对 {found} 使用 `pipe_barrier` 是硬件错误；可用 {allowed}。",
    help_zh="请指定需要等待的流水线，或使用 PIPE_ALL。",
    source="CANN PipeBarrier(ISASI)",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.SCALAR_BARRIER):
        yield report(RULE, item, context, fix_scalar_barrier)
