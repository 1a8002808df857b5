# SPDX-License-Identifier: Apache-2.0
"""ASC219: a flag between pipes that the core does not have."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC219",
    name="event-pipes",
    severity=Severity.WARNING,
    message="Flag {event} names pipe {pipe}, which {core} cores do not have.",
    help="Pipes of this kernel: {has}.",
    message_zh="标志 {event} 涉及流水线 {pipe}，而 {core} 核没有该流水线。",
    help_zh="此内核可用的流水线：{has}。",
    source="asc-devkit kernel_event.h: hard events of vector and cube cores",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.EVENT_PIPES):
        yield report(RULE, item, context)
