# SPDX-License-Identifier: Apache-2.0
"""How much of each memory the buffers of a kernel take."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.analysis.verifier.findings import Fault, Findings
from asclens_compiler.analysis.verifier.objects import Tensor
from asclens_compiler.ascir.program import Op
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES, TPIPE_MAX_BUFFERS, Target
from asclens_compiler.hardware.pipes import Memory


@dataclass(frozen=True, slots=True)
class _Claim:
    op: Op
    memory: Memory
    name: str
    count: int
    size_bytes: int | None

    @property
    def total_bytes(self) -> int:
        return self.count * (self.size_bytes or 0)


class Capacity:
    """Add up the buffers that `init_buffer` hands out, and check hand-placed tensors."""

    def __init__(self, target: Target, findings: Findings) -> None:
        self._target = target
        self._findings = findings
        self._claims: list[_Claim] = []

    def reset(self) -> None:
        """Forget all buffers."""
        self._claims = []

    def claim(self, op: Op, memory: Memory, name: str, count: int | None, length: int | None) -> None:
        """Take `count` buffers of `length` bytes, each rounded up to a block."""
        if count is None:
            return
        if length is not None and length % DATA_BLOCK_BYTES:
            rounded = -(-length // DATA_BLOCK_BYTES) * DATA_BLOCK_BYTES
            self._findings.add(Fault.BUFFER_LENGTH, op, found=length, rounded=rounded)
        size = None if length is None else -(-length // DATA_BLOCK_BYTES) * DATA_BLOCK_BYTES
        self._claims.append(_Claim(op, memory, name, count, size))
        used = sum(claim.count for claim in self._claims)
        if used > TPIPE_MAX_BUFFERS and used - count <= TPIPE_MAX_BUFFERS:
            self._findings.add(Fault.TOO_MANY_BUFFERS, op, count=used, most=TPIPE_MAX_BUFFERS)
        self._check(op, memory)

    def _check(self, op: Op, memory: Memory) -> None:
        claims = [claim for claim in self._claims if claim.memory is memory]
        needed, available = sum(claim.total_bytes for claim in claims), self._target.memory_bytes(memory)
        if needed <= available or needed - claims[-1].total_bytes > available:
            return
        parts = [f"{claim.name} {claim.count} x {claim.size_bytes:,}" for claim in claims if claim.size_bytes]
        rest = available - (needed - claims[-1].total_bytes)
        fits = rest // claims[-1].count // DATA_BLOCK_BYTES * DATA_BLOCK_BYTES if claims[-1].count else 0
        self._findings.add(
            Fault.MEMORY_FULL, op, *((claim.op, "takes part") for claim in claims[:-1]), memory=memory.value,
            needed=f"{needed:,}", available=f"{available:,}", breakdown=", ".join(parts), fits=fits,
        )  # fmt: skip

    def placed(self, op: Op, tensor: Tensor) -> None:
        """Check that a hand-placed tensor lies in its memory."""
        if not isinstance(tensor.start, int) or tensor.memory is Memory.GM:
            return
        end, available = tensor.start + (tensor.size_bytes or 1), self._target.memory_bytes(tensor.memory)
        if end > available or tensor.start < 0:
            self._findings.add(
                Fault.BEYOND_MEMORY, op, memory=tensor.memory.value, end=end, available=available, start=tensor.start
            )
