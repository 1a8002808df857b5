# SPDX-License-Identifier: Apache-2.0
"""Bring launch arguments into the machine: arrays into global memory, parameters into registers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from asclens_compiler.ascir.program import Param, Program
from asclens_compiler.ascir.types import GlobalType, PointerType, ScalarType
from asclens_compiler.backends.simulator.api import Arg, ArrayArg, ScalarArg, SimOptions, StructArg
from asclens_compiler.backends.simulator.arrays import POISON, raw_bytes
from asclens_compiler.backends.simulator.bundle import GM_GUARD_BYTES
from asclens_compiler.backends.simulator.emit.scalars import rounder, wrap
from asclens_compiler.backends.simulator.memory import Bank
from asclens_compiler.backends.simulator.values import Owner, Pointer, StructValue, Tensor, form_of
from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.chips import Target
from asclens_compiler.hardware.pipes import Memory

GM_ALIGN_BYTES = 512
WORKSPACE_BYTES = 1 << 20  # untouched pages of it cost nothing


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Launch:
    """What is run: a kernel, on how many blocks of which chip, with which arguments."""

    program: Program
    target: Target
    blocks: int
    args: Sequence[Arg]
    options: SimOptions = field(default_factory=SimOptions)


class GlobalArrays:
    """The arrays of a launch in one bank, each with a guard behind it."""

    def __init__(self, args: Sequence[Arg], *, with_workspace: bool = False) -> None:
        self.args = [arg for arg in args if isinstance(arg, ArrayArg)]
        self.owners: dict[str, Owner] = {}
        self.nbytes = sum(arg.data.nbytes for arg in self.args)
        at = GM_GUARD_BYTES
        starts: list[int] = []
        for arg in self.args:
            starts.append(at)
            at = -(-(at + arg.data.nbytes + GM_GUARD_BYTES) // GM_ALIGN_BYTES) * GM_ALIGN_BYTES
        self.bank = Bank(Memory.GM, at, WORKSPACE_BYTES if with_workspace else 0, filled=False)
        end = 0
        for arg, lo in zip(self.args, starts, strict=True):
            owner = self.owners[arg.name] = Owner(self.bank, lo, lo + arg.data.nbytes, arg.name, "array")
            self.bank.data[owner.lo : owner.hi] = raw_bytes(arg.data)
            self.bank.shadow.declare(owner.lo, owner.hi, owner)
            self.bank.data[end : owner.lo] = POISON
            end = owner.hi
        self.bank.data[end:] = POISON

    def workspace(self) -> Owner:
        """Return the system workspace: room behind the arrays, made when it is first asked for."""
        found = self.owners.get("")
        if found is None:
            lo = self.bank.size
            found = self.owners[""] = Owner(self.bank, lo, lo + WORKSPACE_BYTES, "the system workspace", "workspace")
        return found

    def write_back(self, written: set[Owner]) -> None:
        """Copy the arrays that were written back to the caller's arrays."""
        for arg in self.args:
            owner = self.owners[arg.name]
            if owner in written:
                values = np.frombuffer(self.bank.data[owner.lo : owner.hi], arg.data.dtype)
                arg.data[...] = np.reshape(values, arg.data.shape)


def parameter_values(program: Program, args: Sequence[Arg], arrays: GlobalArrays) -> list[tuple[int, Any]]:
    """Return (register, value) for all parameters.

    Raises AscLensError when arguments and parameters do not fit.
    """
    if len(args) != len(program.params):
        raise AscLensError(
            f"Kernel {program.kernel} takes {len(program.params)} arguments, the launch gives {len(args)}."
        )
    return [
        (param.reg.index, _value(program, param, arg, arrays)) for param, arg in zip(program.params, args, strict=True)
    ]


def _value(program: Program, param: Param, arg: Arg, arrays: GlobalArrays) -> Any:
    kind = param.type
    if isinstance(arg, ArrayArg):
        owner = arrays.owners[arg.name]
        if isinstance(kind, PointerType):
            return Pointer(owner, kind.dtype, owner.lo)
        if isinstance(kind, GlobalType):
            return Tensor(owner, form_of(kind.dtype), owner.lo, owner.hi, param.shape)
    elif isinstance(arg, ScalarArg) and isinstance(kind, ScalarType):
        value = arg.value
        return rounder(kind.dtype)(float(value)) if kind.dtype.is_float else wrap(int(value), kind.dtype)
    elif isinstance(arg, StructArg):
        return StructValue(arg.type, dict(arg.fields))
    raise AscLensError(
        f"Argument {arg.name!r} of kernel {program.kernel} is a {type(arg).__name__.removesuffix('Arg').lower()}, "
        f"parameter {param.name!r} is something else."
    )
