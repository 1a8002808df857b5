# SPDX-License-Identifier: Apache-2.0
"""What can be seen of a machine that stands still: variables, tensors, memory, flags, queues, pipes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from asclens_compiler.ascir.types import ScalarType
from asclens_compiler.backends.simulator.arrays import Array
from asclens_compiler.backends.simulator.core import Core
from asclens_compiler.backends.simulator.emit.scalars import rounder, wrap
from asclens_compiler.backends.simulator.history import History
from asclens_compiler.backends.simulator.lanes import LANES, N_LANES, SCALAR, flag_name
from asclens_compiler.backends.simulator.machine import Machine
from asclens_compiler.backends.simulator.ops.queue_state import BufState, QueueState
from asclens_compiler.backends.simulator.plans.base import as_scalar
from asclens_compiler.backends.simulator.values import Pointer, Ref, StructValue, Tensor, Unset, form_of
from asclens_compiler.backends.simulator.variables import Variables
from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position
from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorView:
    """A tensor as the debugger shows it; `address` is in bytes of its memory."""

    dtype: DType
    shape: tuple[int, ...]
    memory: Memory
    position: Position
    address: int
    nbytes: int
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """A variable: `value` is a number or text; `tensor` or `fields` are set for tensors and structs."""

    name: str
    type: str
    value: int | float | bool | str
    register: int = -1
    tensor: TensorView | None = None
    fields: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FlagView:
    """A flag that is set, and the line that set it."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueView:
    """A queue: depth, what is enqueued (buffer numbers, oldest first), and each buffer's state and range."""

    name: str
    position: Position
    depth: int
    queued: tuple[int, ...]
    buffers: tuple[tuple[str, int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PipeView:
    """A pipe: when it is free, busy cycles, and the lines of instructions that wait in it."""

    name: str
    free_at_cycle: int
    busy_cycles: int
    waiting: tuple[Span, ...]


class Inspector:
    """Look at the cores of a machine, and change what they hold."""

    def __init__(self, machine: Machine, variables: Variables, history: History) -> None:
        self.machine = machine
        self.variables = variables
        self.history = history

    def _core(self, core: int) -> Core:
        return self.machine.cores[core]

    # -- variables ----------------------------------------------------------------------------------------
    def locals(self, core: int, depth: int) -> tuple[Variable, ...]:
        """Return the variables of a frame (0 = kernel), by name."""
        owner = self._core(core)
        found = self.variables.at(owner.pc, depth)
        return tuple(self._variable(name, register, owner.regs[register]) for name, register in sorted(found.items()))

    def _variable(self, name: str, register: int, value: Any) -> Variable:
        kind = self.machine.program.reg_types[register]
        if isinstance(value, Tensor):
            view = tensor_view(value)
            shown = f"{view.memory.value}[{view.address}:{view.address + view.nbytes}]"
            return Variable(name=name, type=f"tensor {value.dtype.value}", value=shown, register=register, tensor=view)
        if isinstance(value, StructValue):
            return Variable(name=name, type=value.name, value=repr(value), register=register, fields=value.items())
        if isinstance(value, Pointer):
            shown = f"{value.owner.name} + {value.address - value.owner.lo} bytes"
            return Variable(name=name, type=f"pointer {value.dtype.value}", value=shown, register=register)
        if isinstance(value, Ref):
            state = self._core(0).objects.get(value.index)
            named = getattr(state, "name", value.kind)
            return Variable(name=name, type=value.kind, value=str(named), register=register)
        if isinstance(value, Unset) or value is None:
            return Variable(name=name, type="tensor", value="no memory yet", register=register)
        text = kind.dtype.value if isinstance(kind, ScalarType) else type(value).__name__
        return Variable(name=name, type=text, value=value, register=register)

    def value(self, core: int, depth: int, name: str) -> Any:
        """Return the raw value of a variable: a number, or what a tensor or pointer refers to as an array copy.

        Raises AscLensError when the frame has no such variable.
        """
        owner = self._core(core)
        register = self.variables.at(owner.pc, depth).get(name)
        if register is None:
            raise AscLensError(f"There is no variable {name!r} here.")
        value = owner.regs[register]
        if isinstance(value, Pointer):  # the rest of its array
            array = value.owner
            value = Tensor(array, form_of(value.dtype), max(value.address, array.lo), array.hi)
        return self.contents(value) if isinstance(value, Tensor) else value

    def contents(self, tensor: Tensor, start: int = 0, count: int | None = None) -> Array:
        """Return elements of a tensor (a copy), cut to what lies in its memory."""
        bank = tensor.owner.bank
        room = max(min(tensor.hi, len(bank.data)) - tensor.lo, 0) // tensor.size - start
        elems = max(min(room, room if count is None else count), 0)
        return np.array(bank.view(tensor.form, tensor.lo + start * tensor.size, elems))

    def tensor(self, core: int, depth: int, name: str) -> Tensor | None:
        """Return the handle of a tensor variable, or None."""
        owner = self._core(core)
        register = self.variables.at(owner.pc, depth).get(name)
        value = owner.regs[register] if register is not None else None
        return value if isinstance(value, Tensor) else None

    def set_local(self, core: int, depth: int, name: str, value: float) -> None:
        """Change a scalar variable; raises AscLensError for anything else."""
        owner = self._core(core)
        register = self.variables.at(owner.pc, depth).get(name)
        kind = self.machine.program.reg_types[register] if register is not None else None
        if register is None or not isinstance(kind, ScalarType):
            raise AscLensError(f"Only scalar variables can be changed; {name!r} is none.")
        fitted = rounder(kind.dtype)(float(value)) if kind.dtype.is_float else wrap(int(value), kind.dtype)

        def change() -> None:
            owner.regs[register] = fitted

        self.history.edit(change)

    def set_element(self, tensor: Tensor, index: int, value: float) -> None:
        """Change one element of a tensor."""
        if not 0 <= index < tensor.elems:
            raise AscLensError(f"Element {index} does not exist; the tensor has {tensor.elems}.")
        data = as_scalar(value, tensor.dtype).tobytes()
        self._write(tensor.owner.bank, tensor.lo + index * tensor.size, data)

    # -- memory -------------------------------------------------------------------------------------------
    def read_memory(self, core: int, memory: Memory, address: int, count: int) -> bytes:
        """Return bytes of a memory, fewer when they reach past its end."""
        bank = self._core(core).bank(memory)
        first = max(address, 0)
        return bank.data[first : max(min(address + count, bank.size), first)].tobytes()

    def write_memory(self, core: int, memory: Memory, address: int, data: bytes) -> None:
        """Change bytes of a memory; raises AscLensError outside it."""
        bank = self._core(core).bank(memory)
        if address < 0 or address + len(data) > bank.size:
            raise AscLensError(f"{memory.value} has {bank.size} bytes; {address} to {address + len(data)} is outside.")
        self._write(bank, address, data)

    def _write(self, bank: Any, address: int, data: bytes) -> None:
        def change() -> None:
            bank.data[address : address + len(data)] = np.frombuffer(data, np.uint8)
            bank.mark(address, address + len(data))
            if bank is self.machine.gm:
                self.machine.written.update(
                    owner for owner in self.machine.arrays.owners.values() if owner.lo <= address < owner.hi
                )

        self.history.edit(change)

    # -- synchronisation ------------------------------------------------------------------------------------
    def flags(self, core: int) -> tuple[FlagView, ...]:
        """Return the flags that are set."""
        owner, instrs = self._core(core), self.machine.code.flat.instrs
        return tuple(FlagView(name=flag_name(key), span=instrs[owner.flag_pc[key]].span) for key in sorted(owner.flags))

    def queues(self, core: int) -> tuple[QueueView, ...]:
        """Return the queues and TBufs of a core."""
        found: list[QueueView] = []
        for state in self._core(core).objects.values():
            if isinstance(state, QueueState):
                buffers = tuple((item.state.value, item.owner.lo, item.owner.hi) for item in state.buffers)
                queued = tuple(number for number, _ in state.fifo)
                depth = state.kind.depth
                found.append(
                    QueueView(name=state.name, position=state.position, depth=depth, queued=queued, buffers=buffers)
                )
            elif isinstance(state, BufState) and state.owner is not None:
                buffers = (("buffer", state.owner.lo, state.owner.hi),)
                found.append(QueueView(name=state.name, position=state.position, depth=0, queued=(), buffers=buffers))
        return tuple(found)

    def pipes(self, core: int) -> tuple[PipeView, ...]:
        """Return the pipes of a core."""
        owner, instrs = self._core(core), self.machine.code.flat.instrs
        return tuple(
            PipeView(
                name=LANES[lane].name,
                free_at_cycle=owner.clk[lane],
                busy_cycles=owner.busy[lane] + (owner.clk[lane] if lane == SCALAR else 0),
                waiting=tuple(instrs[item[0]].span for item in owner.queues[lane]),
            )
            for lane in range(N_LANES)
        )


def tensor_view(tensor: Tensor) -> TensorView:
    """Return how a tensor is shown; its address in global memory counts from the start of its array."""
    base = tensor.owner.lo if tensor.memory is Memory.GM else 0
    return TensorView(
        dtype=tensor.dtype,
        shape=tensor.shape or (tensor.elems,),
        memory=tensor.memory,
        position=tensor.position,
        address=tensor.lo - base,
        nbytes=max(tensor.hi - tensor.lo, 0),
        owner=tensor.owner.name,
    )


__all__ = ["FlagView", "Inspector", "PipeView", "QueueView", "TensorView", "Variable", "tensor_view"]
