# SPDX-License-Identifier: Apache-2.0
"""ASC205: a kernel ends while a write to global memory may still be under way."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.ascir.program import Block, Branch, Loop, Op, Program, While
from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Fix, Related, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC205",
    name="write-in-flight",
    severity=Severity.ADVICE,
    message="The kernel ends without waiting for this write to global memory.",
    help="End the kernel with `PipeStage.sync()`.",
    message_zh="内核结束时没有等待这次全局内存写入完成。",
    help_zh="请在内核末尾调用 `PipeStage.sync()`。",
    source="staged surface: copies and stages are asynchronous, `PipeStage.sync()` drains the core",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report the last write that no synchronisation follows; further ones are related."""
    if not program.staged:
        return
    pending = _after(program.body, [], context)
    if not pending:
        return
    last = pending[-1]
    others: dict[int, Span] = {op.span.line: op.span for op in pending if op.span.line != last.span.line}
    related = tuple(Related(span=span, message="this write too") for span in others.values())
    yield RULE.report(last.span, related=related, fixes=_fixes(program, last, context))


def _after(block: Block, pending: list[Op], context: AnalysisContext) -> list[Op]:
    """Return the writes that may be under way behind a block."""
    for node in block.nodes:
        match node:
            case Op():
                if _drains(node):
                    pending = []
                elif any(access.base.memory is Memory.GM for access in context.accesses.written(node)):
                    pending = [*pending, node]
            case Loop():
                pending = _joined(pending, _after(node.body, pending, context))
            case Branch():
                pending = _joined(_after(node.then, pending, context), _after(node.orelse, pending, context))
            case While():
                pending = _joined(pending, _after(node.body, _after(node.before, pending, context), context))
    return pending


def _joined(one: list[Op], two: list[Op]) -> list[Op]:
    known = {op.index: op for op in (*one, *two)}
    return [known[index] for index in sorted(known)]


def _drains(op: Op) -> bool:
    return op.name.startswith("sync_all") or (op.name == "pipe_barrier" and op.attr("pipe") == "PIPE_ALL")


def _fixes(program: Program, last: Op, context: AnalysisContext) -> tuple[Fix, ...]:
    """Return the edit that adds the call behind the last statement of the kernel's own body."""
    outermost = [node.calls[-1] if node.calls else node.span for node in program.body.nodes]
    own = [span for span in outermost if span.file == last.span.file]
    if not own:
        return ()
    final = max(own, key=lambda span: (span.line, span.column))
    edit = context.statements.insert_after(final, "PipeStage.sync()")
    if edit is None:
        return ()
    return (Fix(title="Wait before the kernel ends", applicability=Applicability.SAFE, edits=(edit,)),)
