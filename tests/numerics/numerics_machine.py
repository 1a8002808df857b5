# SPDX-License-Identifier: Apache-2.0
"""Run one vector op on the real machine: operands go from global memory to UB and back."""

from __future__ import annotations

import numpy as np
from asclens_compiler.ascir.types import HandleType, ScalarType
from asclens_compiler.backends.simulator.dtypes import dtype_of
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.registry import opset
from kernel_dsl import Kernel


class Params(tuple):
    """Fields of a parameter struct in the order of its row."""

    def __new__(cls, name, *values):
        made = super().__new__(cls, values)
        made.name = name
        return made


class Lists(tuple):
    """Tensors that a merge reads."""


def padded(array):
    raw = np.ascontiguousarray(array).view(np.uint8).ravel()
    return np.concatenate([raw, np.zeros(-len(raw) % 32, np.uint8)]).view(array.dtype)


class Bench:
    """A kernel that loads every tensor operand, runs ops, and stores every tensor operand."""

    def __init__(self):
        self.kernel = Kernel()
        self.place = 0
        self.tensors, self.memories, self.globals = {}, {}, {}
        self.pointers = []

    def tensor(self, name, array):
        """Put an array in UB before the ops run."""
        data = padded(array)
        dtype = dtype_of(data)
        pointer = self.kernel.pointer(name, dtype)
        self.pointers.append(data)
        whole = self.kernel.gm(pointer, dtype=dtype, var=name)
        local = self.kernel.local(self.place, len(data), "VECCALC", dtype=dtype, var=name)
        self.place += -(-data.nbytes // 256) * 256 + 256
        self.kernel.copy(local, whole, len(data))
        self.tensors[name], self.globals[name], self.memories[name] = local, whole, data
        return local

    def operand(self, name, value):
        if isinstance(value, np.ndarray):
            return self.tensor(name, value)
        if isinstance(value, Params):
            return self.kernel.struct(value.name, *value)
        if isinstance(value, Lists):
            items = tuple(self.tensor(f"{name}{i}", item) for i, item in enumerate(value))
            return self.kernel.op("mrg_sort_src_list", items, result=HandleType("MrgSortSrcList"))
        if isinstance(value, tuple) and value and isinstance(value[0], np.ndarray):
            return tuple(self.tensor(f"{name}{i}", item) for i, item in enumerate(value))
        return value

    def run(self, op, operands, attrs, results=()):
        """Run an op; return the tensors afterwards, the findings, and the op's results."""
        row = opset().ops[op]
        given = {item.name: self.operand(item.name, operands.get(item.name)) for item in row.operands}
        kernel = self.kernel
        kernel.barrier()
        out = None
        if row.results:
            out = kernel.asc(op, **given, **attrs, result=ScalarType(DType(row.results[0])))
        else:
            kernel.asc(op, **given, **attrs)
        kernel.barrier()
        for name, local in self.tensors.items():
            kernel.copy(self.globals[name], local, len(self.memories[name]))
        answer = np.zeros(8, np.int32)
        if out is not None:
            pointer = kernel.pointer("answer", DType.INT32)
            kernel.asc("global_tensor_set_value", tensor=kernel.gm(pointer, dtype=DType.INT32), offset=0, value=out)
            self.pointers.append(answer)
        result = kernel.run(*self.pointers)
        assert result.ok, result.error
        return self.memories, result.violations, answer[0]
