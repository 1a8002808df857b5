# SPDX-License-Identifier: Apache-2.0
"""Pass `lower-stages`: the marks of stages become marks of pipes.

The order between stages and copies is not in the marks; `insert-sync` finds it in the data.
"""

from __future__ import annotations

from asclens_compiler.ascir.rewrite import Rewriter

# Unit or pipe named at the start of a stage -> mark of the pipe that its compute runs on.
_MARKS = {
    "VECTOR": "pipe_v", "CUBE": "pipe_m", "SCALAR": "pipe_s", "V": "pipe_v", "M": "pipe_m", "S": "pipe_s",
    "MTE1": "pipe_mte1", "MTE2": "pipe_mte2", "MTE3": "pipe_mte3", "FIX": "pipe_fix",
}  # fmt: skip


def lower_stages(rewriter: Rewriter) -> None:
    """Replace `stage_start` by the mark of its pipe, and drop `stage_end`."""
    for op in rewriter.walk():
        if op.name == "stage_start":
            rewriter.rebuild(op, name=_MARKS[str(op.attr("unit"))], attrs={})
        elif op.name == "stage_end":
            rewriter.erase(op)
