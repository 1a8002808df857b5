# SPDX-License-Identifier: Apache-2.0
"""Which kernels a pass works on."""

from __future__ import annotations

from asclens_compiler.ascir.program import Op, Program
from asclens_compiler.ascir.rewrite import IROp

INSERT_SYNC_ATTR = "insert_sync"


def has_automatic_tensors(program: Program) -> bool:
    """Tell whether the compiler must place a tensor."""
    return any(isinstance(node, Op) and node.name == "local_tensor_auto" for node in program.walk())


def wants_sync(kernel: IROp, program: Program) -> bool:
    """Tell whether the compiler orders the pipes: staged kernels, and `insert_sync` (set or implied)."""
    return program.staged or kernel.attr(INSERT_SYNC_ATTR) is True
