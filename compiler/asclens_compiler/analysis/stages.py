# SPDX-License-Identifier: Apache-2.0
"""Which stage each op of a staged kernel stands in."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.ascir.program import Block, Branch, Loop, Op, Program, While

# Names of pipes stand for the unit whose compute runs there.
UNIT_OF = {"V": "VECTOR", "M": "CUBE", "S": "SCALAR"}


def ops_with_stage(program: Program) -> Iterator[tuple[Op, Op | None]]:
    """Yield every op with the innermost `stage_start` that it stands behind, None outside stages.

    A stage ends with its `stage_end`, or with its block when that is missing.
    """
    yield from _walk(program.body, None)


def _walk(block: Block, outer: Op | None) -> Iterator[tuple[Op, Op | None]]:
    opened: list[Op] = []
    for node in block.nodes:
        current = opened[-1] if opened else outer
        match node:
            case Op(name="stage_start"):
                opened.append(node)
            case Op(name="stage_end"):
                if opened:
                    opened.pop()
            case Op():
                yield node, current
            case Loop():
                yield from _walk(node.body, current)
            case Branch():
                yield from _walk(node.then, current)
                yield from _walk(node.orelse, current)
            case While():
                yield from _walk(node.before, current)
                yield from _walk(node.body, current)


def unit_name(start: Op) -> str:
    """Return the unit or pipe that a stage names."""
    return str(start.attr("unit"))
