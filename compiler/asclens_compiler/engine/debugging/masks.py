# SPDX-License-Identifier: Apache-2.0
"""Which tensors of a staged kernel are masks: one bit an element, shown as booleans."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from asclens_compiler.ascir.program import Const, Op, Program, Reg

_LOGIC = ("and_l2", "or_l2", "not_l2")


def masks_of(program: Program) -> dict[int, int]:
    """Return the registers that hold masks, with the number of their elements (0: as many as there are bits)."""
    if not program.staged:
        return {}
    ops = [node for node in program.walk() if isinstance(node, Op)]
    same = {op.results[0].index: _register(op.operands[0]) for op in ops if op.name == "reinterpret_cast"}
    found: dict[int, int] = {}
    for op in ops:
        registers = [same.get(index, index) for index in map(_register, op.operands)]
        if op.name.startswith("compare"):
            found[registers[0]] = _count(op.operands[-1])
        elif op.name.startswith("select"):
            found.setdefault(registers[1], _count(op.operands[-1]))
        elif op.name in _LOGIC:
            known = [found[index] for index in registers[1:] if index in found]
            if known:
                found.setdefault(registers[0], known[0])
    found.pop(-1, None)
    return found


def booleans(data: npt.NDArray[Any], count: int) -> npt.NDArray[np.bool_]:
    """Return the elements of a mask from its bytes."""
    bits = np.unpackbits(np.asarray(data, np.uint8), bitorder="little").astype(np.bool_)
    return bits[:count] if count else bits


def _register(operand: object) -> int:
    return operand.index if isinstance(operand, Reg) else -1


def _count(operand: object) -> int:
    return int(operand.value) if isinstance(operand, Const) else 0
