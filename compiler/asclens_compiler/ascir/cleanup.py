# SPDX-License-Identifier: Apache-2.0
"""Dead code and common subexpression elimination for pure `ascir` ops.

Upstream passes know nothing about ops of an IRDL dialect and leave them alone; which of ours are
pure stands in the opset.
"""

from __future__ import annotations

from asclens_compiler.ascir.pass_manager import Pass
from asclens_compiler.ascir.rewrite import IRBlock, IROp, Rewriter
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.opset.model import Role

Key = tuple[object, ...]


def remove_dead(rewriter: Rewriter) -> None:
    """Remove pure ops whose results nobody uses, last first, so that chains go at once."""
    for op in reversed(rewriter.walk()):
        row = op.row
        if row is not None and row.pure and not any(rewriter.uses(item) for item in op.results):
            rewriter.erase(op)


def merge_equal(rewriter: Rewriter) -> None:
    """Use one op for equal views of one tensor or pointer.

    Only pure ops that take a handle are merged: ops that make a handle of their own (a tensor, a
    queue) give a new one each time. A view of a handle that something changes later (`set_...` ops)
    is left alone.
    """
    order = {op: position for position, op in enumerate(rewriter.walk())}
    for body in rewriter.kernels_blocks():
        _merge_block(rewriter, body, {}, order)


def _merge_block(rewriter: Rewriter, block: IRBlock, outer: dict[Key, IROp], order: dict[IROp, int]) -> None:
    known = dict(outer)
    for op in block.ops:
        if _mergeable(op):
            key: Key = (op.name, op.operands, tuple(op.attrs.items()), tuple(item.type for item in op.results))
            first = known.get(key)
            if first is None:
                known[key] = op
            elif all(_settled(rewriter, item, order[first], order) for item in op.flat_operands):
                rewriter.replace(op, first.results)
            continue
        for inner in op.blocks:
            _merge_block(rewriter, inner, known, order)


def _mergeable(op: IROp) -> bool:
    row = op.row
    if row is None or not row.pure or not row.results:
        return False
    return any(operand.role in (Role.TENSOR, Role.HANDLE, Role.SRC) for operand in row.operands)


def _settled(rewriter: Rewriter, value: IRValue, position: int, order: dict[IROp, int]) -> bool:
    """Tell whether nothing changes the handle from `position` on, also not in a later trip of a loop."""
    owner = rewriter.definition(value)
    for user, index in rewriter.uses(value):
        if user not in order or index != 0 or "_set_" not in user.name:
            continue
        if order[user] > position or owner is None or user.block != owner.block:
            return False
    return True


MERGE_EQUAL = Pass(name="ascir-cse", run=merge_equal)
REMOVE_DEAD = Pass(name="ascir-dce", run=remove_dead)
