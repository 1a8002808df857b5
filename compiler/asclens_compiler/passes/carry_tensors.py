# SPDX-License-Identifier: Apache-2.0
"""Pass `carry-tensors`: tensors that pass through loops and branches get a buffer of their own.

In the traced program a name that a block rebinds is a value passed on by the block. Memory cannot
be passed on, so each such value becomes one buffer that is filled before the loop and at the end of
each trip, or at the end of each branch; `coalesce-tensors` then removes the copies it can.
"""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.ascir.builder import Builder
from asclens_compiler.ascir.rewrite import IRBlock, IROp, Rewriter
from asclens_compiler.ascir.types import LocalType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.passes.local_copies import copy_tensor
from asclens_compiler.source.span import Span


def carry_tensors(rewriter: Rewriter) -> None:
    """Give every tensor that a loop or branch passes on a buffer."""
    for kernel in rewriter.kernels():
        if kernel.attr("staged") is not True:
            continue
        for op in rewriter.walk(kernel):
            if op.name == "scf.for":
                _loop(rewriter, op)
            elif op.name == "scf.if":
                _branch(rewriter, op)
            elif op.name == "scf.while":
                _while(rewriter, op)


def _carried(values: Sequence[IRValue]) -> list[int]:
    return [position for position, value in enumerate(values) if isinstance(value.type, LocalType)]


def _home(rewriter: Rewriter, op: IROp, like: IRValue, names: Sequence[str]) -> IRValue:
    with rewriter.before(op) as builder:
        home = builder.op("local_tensor_auto", [[]], results=[like.type], span=op.span)[0]
    for name in names:
        rewriter.builder.set_name(home, name)
    return home


def _loop(rewriter: Rewriter, op: IROp) -> None:
    inits = op.flat_operands[3:]
    arguments = op.blocks[0].arguments[1:]
    homes: dict[int, IRValue] = {}
    for position in _carried(inits):
        homes[position] = _enter(rewriter, op, 3 + position, inits[position], arguments[position])
    _fill_at_end(rewriter, op.blocks[0], homes, op.span)
    for position, home in homes.items():
        rewriter.replace_uses(op.results[position], home)


def _enter(rewriter: Rewriter, op: IROp, operand: int, init: IRValue, argument: IRValue) -> IRValue:
    home = _home(rewriter, op, init, rewriter.names(argument))
    with rewriter.before(op) as builder:
        copy_tensor(builder, home, init, op.span)
    op.set_operand(operand, home)
    rewriter.replace_uses(argument, home)
    return home


def _while(rewriter: Rewriter, op: IROp) -> None:
    inits = op.flat_operands
    before, body = op.blocks
    homes: dict[int, IRValue] = {}
    for position in _carried(inits):
        home = _enter(rewriter, op, position, inits[position], before.arguments[position])
        rewriter.replace_uses(body.arguments[position], home)
        homes[position] = home
    condition = before.ops[-1]
    for position, home in homes.items():
        condition.set_operand(1 + position, home)
    _fill_at_end(rewriter, body, homes, op.span)
    for position, home in homes.items():
        rewriter.replace_uses(op.results[position], home)


def _branch(rewriter: Rewriter, op: IROp) -> None:
    homes: dict[int, IRValue] = {}
    for position in _carried(op.results):
        result = op.results[position]
        homes[position] = _home(rewriter, op, result, rewriter.names(result))
    for block in op.blocks:
        _fill_at_end(rewriter, block, homes, op.span)
    for position, home in homes.items():
        rewriter.replace_uses(op.results[position], home)


def _fill_at_end(rewriter: Rewriter, block: IRBlock, homes: dict[int, IRValue], span: Span) -> None:
    """Copy what a block yields into the homes, all at once: a home may be what another one gets."""
    terminator = block.ops[-1]
    yields = terminator.flat_operands
    moved = {position: yields[position] for position, home in homes.items() if yields[position] != home}
    with rewriter.before(terminator) as builder:
        sources = {position: _kept(builder, value, position, homes, moved, span) for position, value in moved.items()}
        for position, source in sources.items():
            copy_tensor(builder, homes[position], source, span)
    for position, home in homes.items():
        terminator.set_operand(position, home)


def _kept(
    builder: Builder, value: IRValue, position: int, homes: dict[int, IRValue], moved: dict[int, IRValue], span: Span
) -> IRValue:
    """Return the value, from a spare buffer when it is a home that is overwritten too."""
    overwritten = [homes[other] for other in moved if other != position]
    if value not in overwritten:
        return value
    spare = builder.op("local_tensor_auto", [[]], results=[value.type], span=span)[0]
    copy_tensor(builder, spare, value, span)
    return spare
