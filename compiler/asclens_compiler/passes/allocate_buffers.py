# SPDX-License-Identifier: Apache-2.0
"""Pass `allocate-buffers`: every automatic tensor gets an address in its memory.

Reports tensors that do not fit, with what each needs. Runs before `insert-sync`, which orders
tensors that share bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.analysis.accesses import Accesses
from asclens_compiler.analysis.rules import buffers_do_not_fit
from asclens_compiler.analysis.tensors import BaseKind
from asclens_compiler.ascir.program import Const, Op, Program
from asclens_compiler.ascir.rewrite import IROp, Rewriter
from asclens_compiler.diagnostics.model import Diagnostic, Related
from asclens_compiler.hardware.chips import UB_SCRATCH_OFFSET, Target
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.passes.lifetimes import Life, lives
from asclens_compiler.passes.numbering import kernels_with_programs, ops_by_index
from asclens_compiler.passes.placement import Buffer, peak, place
from asclens_compiler.passes.selection import INSERT_SYNC_ATTR, has_automatic_tensors

# UB tensors end on whole repeats, which comparisons need. Mmad wants 1,024 bytes for its result (CANN Mmad page).
_ALIGNMENT_BYTES = {Memory.UB: 256, Memory.L1: 32, Memory.L0A: 512, Memory.L0B: 512, Memory.L0C: 1024}
_POOLS = frozenset({"pipe_init_buffer", "pipe_init_queue"})
MAX_LISTED = 6


def usable_bytes(memory: Memory, target: Target) -> int:
    """Return how much of a memory tensors may take: library calls use the top of UB as scratch."""
    return UB_SCRATCH_OFFSET if memory is Memory.UB else target.memory_bytes(memory)


def allocate_buffers(rewriter: Rewriter, *, target: Target) -> list[Diagnostic]:
    """Place the automatic tensors of all kernels; kernels with a tensor of unknown size stay as they are."""
    found: list[Diagnostic] = []
    for kernel, program in kernels_with_programs(rewriter):
        if not has_automatic_tensors(program):
            continue
        if kernel.attr(INSERT_SYNC_ATTR) is None:
            kernel.set_attr(INSERT_SYNC_ATTR, True)
        found += _Allocation(rewriter, kernel, program, target).run()
    return found


class _Allocation:
    def __init__(self, rewriter: Rewriter, kernel: IROp, program: Program, target: Target) -> None:
        self._rewriter = rewriter
        self._kernel = kernel
        self._program = program
        self._target = target
        self._accesses = Accesses(program)
        self._lives = lives(self._accesses)

    def run(self) -> list[Diagnostic]:
        """Place the tensors memory by memory."""
        if any(life.used and self._size(life) is None for life in self._lives):
            return []
        found: list[Diagnostic] = []
        ops = ops_by_index(self._rewriter, self._kernel, self._program)
        by_memory: dict[Memory, list[Life]] = {}
        for life in self._lives:
            if life.used:
                by_memory.setdefault(life.type.position.memory, []).append(life)
            else:
                self._rewriter.erase(ops[life.ident])
        for memory, group in by_memory.items():
            found += self._place(memory, group, ops)
        return found

    def _size(self, life: Life) -> int | None:
        view = self._accesses.views.of(life.reg)
        return view.size_bytes if view is not None else None

    def _place(self, memory: Memory, group: Sequence[Life], ops: dict[int, IROp]) -> list[Diagnostic]:
        alignment = _ALIGNMENT_BYTES.get(memory, self._target.alignment_bytes(memory))
        capacity = usable_bytes(memory, self._target)
        buffers = [
            Buffer(ident=life.ident, size_bytes=self._size(life) or 0, begin=life.begin, end=life.end) for life in group
        ]
        placement = place(buffers, capacity, alignment, self._reserved(memory))
        if placement.end_bytes > capacity:
            return [self._too_large(memory, group, buffers, capacity, alignment)]
        for life in group:
            self._settle(life, ops[life.ident], placement.addresses[life.ident], alignment)
        return []

    def _settle(self, life: Life, op: IROp, address: int, alignment: int) -> None:
        rewriter, span = self._rewriter, op.span
        names = rewriter.names(op.results[0])
        size = -(-(self._size(life) or 0) // alignment) * alignment
        elements = size * 8 // life.type.dtype.bits
        with rewriter.before(op) as builder:
            numbers = [builder.constant(value, DType.UINT32, span) for value in (address, elements)]
        (placed,) = rewriter.rebuild(
            op, name="local_tensor_v2", operands=numbers, attrs={"pos": life.type.position.value}
        )
        for name in names:
            rewriter.builder.set_name(placed, name)

    def _reserved(self, memory: Memory) -> int:
        """Return the bytes that hand-placed tensors and the pools of `TPipe` take from the start of a memory."""
        end = 0
        for node in self._program.walk():
            if not isinstance(node, Op):
                continue
            if node.name in _POOLS and memory is Memory.UB:
                end += self._pool_bytes(node)
            for reg in node.results:
                view = self._accesses.views.of(reg)
                if view is None or view.base.kind is not BaseKind.ABSOLUTE or view.base.memory is not memory:
                    continue
                if view.offset is not None and view.offset.is_constant and view.size_bytes is not None:
                    end = max(end, view.offset.constant + view.size_bytes)
        return end

    def _pool_bytes(self, op: Op) -> int:
        numbers = [int(item.value) for item in op.operands if isinstance(item, Const)]
        total = 1
        for number in numbers:
            total *= number
        return -(-total // 32) * 32 if numbers else 0

    def _too_large(
        self, memory: Memory, group: Sequence[Life], buffers: Sequence[Buffer], capacity: int, alignment: int
    ) -> Diagnostic:
        needed, living = peak(buffers, alignment)
        by_ident = {life.ident: life for life in group}
        needed += self._reserved(memory)
        shown = sorted(living, key=lambda buffer: -buffer.size_bytes)
        parts = [f"`{self._name(by_ident[item.ident])}` {item.size_bytes:,} bytes" for item in shown[:MAX_LISTED]]
        if len(shown) > MAX_LISTED:
            rest = sum(item.size_bytes for item in shown[MAX_LISTED:])
            parts.append(f"{len(shown) - MAX_LISTED} more {rest:,} bytes")
        first = by_ident[shown[0].ident]
        tile = self._tile(first, capacity, needed)
        name = self._name(first).removesuffix("_local")
        related = tuple(
            Related(span=by_ident[item.ident].op.span, message=f"{self._name(by_ident[item.ident])}: "
                    f"{item.size_bytes:,} bytes")
            for item in shown[1:MAX_LISTED]
        )  # fmt: skip
        return buffers_do_not_fit.RULE.report(
            first.op.span,
            related=related,
            memory=memory.value,
            available=capacity,
            needed=max(needed, capacity + 1),
            count=len(living),
            breakdown=", ".join(parts),
            advice=buffers_do_not_fit.LOOP.format(name=name, tile=tile) + ".",
            advice_zh=buffers_do_not_fit.LOOP_ZH.format(name=name, tile=tile) + "。",
        )

    def _name(self, life: Life) -> str:
        names = self._program.names.get(life.reg.index, ())
        return names[0] if names else f"value of line {life.op.span.line}"

    def _tile(self, life: Life, capacity: int, needed: int) -> int:
        """Return a power of two of elements with which everything fits."""
        elements = 1
        for extent in life.type.shape or (1,):
            elements *= extent
        wanted = max(1, elements * capacity // max(needed, 1))
        return 1 << (wanted.bit_length() - 1)
