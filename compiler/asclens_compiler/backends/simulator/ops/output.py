# SPDX-License-Identifier: Apache-2.0
"""What kernels print: printf, dumps, assertions, traps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.dtypes import numpy_dtype
from asclens_compiler.backends.simulator.findings import StopRun
from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.printf import c_format
from asclens_compiler.backends.simulator.rules import trap
from asclens_compiler.backends.simulator.values import Tensor

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

_PER_LINE = 8


class Trapped(StopRun):
    """The kernel asked to stop, whatever the options say."""


@handler("printf")
def printf(call: Call, core: Core, values: tuple[Any, ...] = ()) -> None:
    """Print formatted text."""
    core.machine.print(core, call.pc, c_format(str(call.attr("desc", "")), values))


@handler("print_time_stamp")
def print_time_stamp(call: Call, core: Core, desc: int) -> None:
    """Print the time in cycles."""
    core.machine.print(core, call.pc, f"time stamp {desc}: {core.clk[0]} cycles")


def _dump(call: Call, core: Core, tensor: Any, count: int, title: str) -> None:
    if not isinstance(tensor, Tensor):
        core.machine.print(core, call.pc, f"{title}: no memory")
        return
    elems = max(min(int(count), tensor.elems), 0)
    values = tensor.owner.bank.view(tensor.form, tensor.lo, elems)
    kind = numpy_dtype(tensor.dtype)
    texts = [f"{float(value):.6g}" if tensor.dtype.is_float else str(int(value)) for value in values.astype(kind)]
    rows = [", ".join(texts[at : at + _PER_LINE]) for at in range(0, len(texts), _PER_LINE)]
    place = f"{tensor.owner.name}, {tensor.dtype.value}, {tensor.memory.value}, {elems} elements"
    core.machine.print(core, call.pc, f"{title}: {place}\n" + "\n".join(f"  [{row}]" for row in rows))


@handler("dump_tensor")
def dump_tensor(call: Call, core: Core, tensor: Any, desc: Any, size: int, *_shape: Any) -> None:
    """Print the first elements of a tensor."""
    _dump(call, core, tensor, size, f"dump_tensor {desc}")


@handler("dump_acc_chk_point")
def dump_acc_chk_point(call: Call, core: Core, tensor: Any, index: Any, offset: int, size: int) -> None:
    """Print elements of a tensor from an offset."""
    moved = tensor.at(int(offset)) if isinstance(tensor, Tensor) else tensor
    _dump(call, core, moved, size, f"dump_acc_chk_point {index}")


@handler("local_tensor_print", "global_tensor_print")
def tensor_print(call: Call, core: Core, tensor: Any, count: int | None = None) -> None:
    """Print the first elements of a tensor."""
    elems = tensor.elems if isinstance(tensor, Tensor) and count is None else count or 0
    _dump(call, core, tensor, elems, "print")


def _stop(call: Call, core: Core, what: str) -> None:
    findings = core.machine.findings
    span = call.op.span
    raise Trapped(findings.report(trap.RULE, span, core.id, calls=call.op.calls, what=what))


@handler("assert")
def assert_(call: Call, core: Core, condition: Any, values: tuple[Any, ...] = ()) -> None:
    """Stop the kernel when a condition does not hold."""
    if condition:
        return
    message = c_format(str(call.attr("message", "") or ""), values)
    _stop(call, core, f"Assertion failed: {message}" if message else "Assertion failed")


@handler("trap")
def trap_(call: Call, core: Core) -> None:
    """Stop the kernel."""
    _stop(call, core, "The kernel called trap()")
