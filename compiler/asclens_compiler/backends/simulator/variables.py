# SPDX-License-Identifier: Apache-2.0
"""Which register holds a Python variable at an address, frame by frame."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.ascir.program import Reg
from asclens_compiler.backends.simulator.flatten import Do, Flat, LoopNext, Move
from asclens_compiler.source.span import Span

Scope = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Binding:
    """A register that holds a variable from `pc` on, seen in `scope`, in the frame called by `calls`."""

    register: int
    pc: int
    scope: Scope
    calls: tuple[Span, ...]


class Variables:
    """All bindings of one program by name."""

    def __init__(self, flat: Flat) -> None:
        self.flat = flat
        self._bindings: dict[str, list[Binding]] = {}
        names = flat.program.names
        for param in flat.program.params:
            for name in dict.fromkeys((param.name, *names.get(param.reg.index, ()))):
                self._add(name, Binding(param.reg.index, -1, (), ()))
        for pc, instr in enumerate(flat.instrs):
            scope = instr.inner if isinstance(instr, Move) else instr.scope
            for reg in _defined(instr):
                for name in names.get(reg.index, ()):
                    self._add(name, Binding(reg.index, pc, scope, instr.calls))

    def _add(self, name: str, binding: Binding) -> None:
        self._bindings.setdefault(name, []).append(binding)

    def at(self, pc: int, depth: int) -> dict[str, int]:
        """Return the register of each variable that frame `depth` (0 = kernel) sees at an address."""
        instr = self.flat.instrs[pc]
        chain = instr.calls[len(instr.calls) - depth :] if depth else ()
        found: dict[str, int] = {}
        for name, bindings in self._bindings.items():
            alive = [item for item in bindings if item.pc < pc and instr.scope[: len(item.scope)] == item.scope]
            here = [item for item in alive if item.calls == chain]
            if here:
                found[name] = max(here, key=lambda item: item.pc).register
        return found


def _defined(instr: object) -> tuple[Reg, ...]:
    if isinstance(instr, Do):
        return () if instr.part else instr.op.results
    if isinstance(instr, Move):
        return instr.targets
    return instr.carried if isinstance(instr, LoopNext) else ()
