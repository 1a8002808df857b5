# SPDX-License-Identifier: Apache-2.0
"""ASC206: global memory is read again after a write to it, without a synchronisation between."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from asclens_compiler.analysis.accesses import Access
from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.tensors import BaseKind
from asclens_compiler.ascir.program import Block, Branch, Loop, Op, Program, While
from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Fix, Related, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.hardware.pipes import Memory

RULE = Rule(
    code="ASC206",
    name="global-reread",
    severity=Severity.ERROR,
    message="This reads global memory that line {line} wrote, and nothing waits for that write.",
    help="Put `PipeStage.sync()` between the write of line {line} and this line.",
    message_zh="此处读取第 {line} 行写入的全局内存，但没有等待该写入完成。",
    help_zh="请在第 {line} 行的写入与此行之间调用 `PipeStage.sync()`。",
    source="staged surface: the compiler orders UB, not global memory",
)


def check(program: Program, context: AnalysisContext) -> Iterator[Diagnostic]:
    """Report reads whose bytes certainly overlap an earlier write of the same core."""
    if program.staged:
        yield from _Walk(context).block(program.body)


@dataclass(slots=True, eq=False)
class _Walk:
    """Follow the writes that are under way; `reported` holds the pairs already named."""

    context: AnalysisContext
    pending: list[Access] = field(default_factory=list[Access])
    reported: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])

    def block(self, block: Block) -> Iterator[Diagnostic]:
        """Walk a block."""
        for node in block.nodes:
            match node:
                case Op():
                    yield from self._op(node)
                case Loop():
                    before = list(self.pending)
                    yield from self.block(node.body)
                    yield from self._next_trip(node)
                    self.pending = _joined(before, self.pending)
                case Branch():
                    before = list(self.pending)
                    yield from self.block(node.then)
                    after_then, self.pending = self.pending, before
                    yield from self.block(node.orelse)
                    self.pending = _joined(after_then, self.pending)
                case While():
                    yield from self.block(node.before)
                    yield from self.block(node.body)

    def _op(self, op: Op) -> Iterator[Diagnostic]:
        if op.name.startswith("sync_all") or (op.name == "pipe_barrier" and op.attr("pipe") == "PIPE_ALL"):
            self.pending = []
            return
        accesses = [item for item in self.context.accesses.of(op) if item.base.memory is Memory.GM]
        yield from self._reads(accesses, None)
        self.pending += [item for item in accesses if item.write]

    def _next_trip(self, loop: Loop) -> Iterator[Diagnostic]:
        """Check reads at the start of a trip against what the trip before left under way."""
        left = [item for item in self.pending if loop in self.context.definitions.ancestors(item.op)]
        if not left or self.context.accesses.forms.trip_count(loop) in (0, 1):
            return
        kept, self.pending = self.pending, left
        for node in loop.body.nodes:
            if not isinstance(node, Op):
                continue
            if node.name.startswith("sync_all") or node.name == "pipe_barrier":
                break
            reads = [item for item in self.context.accesses.of(node) if item.base.memory is Memory.GM]
            yield from self._reads(reads, loop)
        self.pending = kept

    def _reads(self, accesses: list[Access], loop: Loop | None) -> Iterator[Diagnostic]:
        for read in accesses:
            if read.write or read.base.kind is BaseKind.ANY:
                continue
            for write in reversed(self.pending):
                if write.op is read.op or not certainly_overlap(write, read, self.context, loop):
                    continue
                pair = (write.op.span.line, read.op.span.line)
                if pair not in self.reported:
                    self.reported.add(pair)
                    yield self._report(write, read)
                break

    def _report(self, write: Access, read: Access) -> Diagnostic:
        related = (Related(span=write.op.span, message="the write"),)
        edit = self.context.statements.insert_before(read.op.span, "PipeStage.sync()")
        fixes: tuple[Fix, ...] = ()
        if edit is not None:
            fixes = (Fix(title="Wait for the write", applicability=Applicability.SAFE, edits=(edit,)),)
        return RULE.report(read.op.span, line=write.op.span.line, related=related, fixes=fixes)


def _joined(one: list[Access], two: list[Access]) -> list[Access]:
    return [*one, *(item for item in two if item not in one)]


def certainly_overlap(write: Access, read: Access, context: AnalysisContext, loop: Loop | None) -> bool:
    """Tell whether a write and a later read have bytes in common in some trip of the loops around them.

    Nothing is certain about offsets that depend on numbers only the launch knows, unless these cancel.
    """
    if write.base != read.base or not write.exact or not read.exact:
        return False
    if write.size_bytes is None or read.size_bytes is None:
        return False
    spread = context.accesses.difference(write, read, loop)
    return spread is not None and spread.holds_between(1 - read.size_bytes, write.size_bytes - 1) is True
