# SPDX-License-Identifier: Apache-2.0
"""Which op of a unit a node of the decoded program is."""

from __future__ import annotations

from asclens_compiler.ascir.program import Program
from asclens_compiler.ascir.rewrite import IROp, Rewriter
from asclens_compiler.errors import InternalError

_NO_NODE = frozenset({"arith.constant", "scf.yield", "scf.condition", "func.return"})


def kernels_with_programs(rewriter: Rewriter) -> list[tuple[IROp, Program]]:
    """Return every kernel with its decoded program."""
    return list(zip(rewriter.kernels(), rewriter.unit.decode(), strict=True))


def ops_by_index(rewriter: Rewriter, kernel: IROp, program: Program) -> dict[int, IROp]:
    """Return the op of each node; both walks go outer before inner and skip literals and terminators."""
    indices = [node.index for node in program.walk()]
    ops = [op for op in rewriter.walk(kernel) if _is_node(rewriter, op)]
    if len(indices) != len(ops):
        raise InternalError(f"{len(ops)} ops stand against {len(indices)} nodes", op=program.kernel, span=program.span)
    return dict(zip(indices, ops, strict=True))


def _is_node(rewriter: Rewriter, op: IROp) -> bool:
    if op.name in _NO_NODE:
        return False
    # A literal cast to its unsigned twin is a literal again.
    return op.name != "arith.bitcast" or rewriter.literal(op.results[0]) is None
