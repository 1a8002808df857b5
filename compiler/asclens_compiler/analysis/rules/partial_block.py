# SPDX-License-Identifier: Apache-2.0
"""ASC303: a counted copy of a number of bytes that is no multiple of a block."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_partial_block
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC303",
    name="partial-block",
    severity=Severity.ERROR,
    message="This copy moves whole blocks of 32 bytes, but is asked for {found}: the rest is not copied.",
    help="Copy {allowed}, or use `data_copy_pad`.",
    message_zh="该搬运以 32 字节块为单位，但请求 {found}：余下部分不会被搬运。",
    help_zh="请搬运 {allowed}，或使用 `data_copy_pad`。",
    source="CANN DataCopy page; measured on a 910B4 for 4 and 16 bytes",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.PARTIAL_BLOCK):
        yield report(RULE, item, context, fix_partial_block)
