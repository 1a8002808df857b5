# SPDX-License-Identifier: Apache-2.0
"""ASC312: a buffer length that is rounded up."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes_calls import fix_buffer_length
from asclens_compiler.analysis.verified import report
from asclens_compiler.analysis.verifier.findings import Fault
from asclens_compiler.ascir.program import Program
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC312",
    name="buffer-length",
    severity=Severity.WARNING,
    message="`init_buffer` is given {found} bytes; it takes whole blocks of 32 and makes it {rounded}.",
    help="Write {rounded}.",
    message_zh="`init_buffer` 的长度为 {found} 字节；按 32 字节取整为 {rounded}。",
    help_zh="请写 {rounded}。",
    source="CANN TPipe.InitBuffer page: len is a multiple of 32",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report each place once."""
    del program
    for item in context.findings.of(Fault.BUFFER_LENGTH):
        yield report(RULE, item, context, fix_buffer_length)
