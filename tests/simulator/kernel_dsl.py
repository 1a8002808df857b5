# SPDX-License-Identifier: Apache-2.0
"""Build decoded programs by hand: every call gets a line of its own, counted from 1."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
from asclens_compiler.ascir.program import Block, Branch, Const, CoreKind, Loop, Op, Param, Program, Reg, While
from asclens_compiler.ascir.types import (
    BufferType,
    GlobalType,
    HandleType,
    LocalType,
    PointerType,
    QueueType,
    ScalarType,
    StructType,
)
from asclens_compiler.backends.simulator.api import ArrayArg, ScalarArg, SimOptions
from asclens_compiler.backends.simulator.run import simulate
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Position
from asclens_compiler.hardware.queues import queue_ends
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import Span

F16, F32, I16, I32, I64, U8 = (
    DType.FLOAT16, DType.FLOAT32, DType.INT16, DType.INT32, DType.INT64, DType.UINT8,
)  # fmt: skip
FILE = "kernel.py"


class Kernel:
    """A kernel under construction."""

    def __init__(self, name="kernel", *, auto_sync=True, kind=CoreKind.AIV):
        self.name, self.auto_sync, self.kind = name, auto_sync, kind
        self.types, self.names, self.params = [], {}, []
        self.stack = [[]]
        self.line = 0
        self.count = 0

    # -- registers and places
    def reg(self, kind, name=""):
        self.types.append(kind)
        if name:
            self.names[len(self.types) - 1] = (name,)
        return Reg(len(self.types) - 1)

    def span(self):
        self.line += 1
        return Span(FILE, self.line, 1, self.line, 20)

    def const(self, value, dtype=None):
        if isinstance(value, (Reg, Const)) or value is None:
            return value
        if isinstance(value, tuple):
            return tuple(self.const(item, I64) for item in value)
        if dtype is None:
            dtype = DType.INT1 if isinstance(value, bool) else I32 if isinstance(value, int) else F32
        return Const(value, ScalarType(dtype))

    # -- nodes
    def op(self, name, *operands, result=None, var="", **attrs):
        regs = () if result is None else (self.reg(result, var),)
        self.stack[-1].append(
            Op(index=self._next(), name=name, operands=tuple(self.const(x) for x in operands), results=regs,
               attrs=tuple(attrs.items()), span=self.span())
        )  # fmt: skip
        return regs[0] if regs else None

    def asc(self, name, *, result=None, var="", **given):
        """Add an op by operand and attribute names of its row."""
        row = opset().ops[name]
        operands = [given.pop(item.name, None) for item in row.operands]
        return self.op(name, *operands, result=result, var=var, **given)

    def _next(self):
        self.count += 1
        return self.count

    def math(self, name, *operands, dtype=I32, var="", **attrs):
        return self.op(f"arith.{name}", *operands, result=ScalarType(dtype), var=var, **attrs)

    @contextmanager
    def loop(self, lower, upper, step=1, carry=(), var="i"):
        induction = self.reg(ScalarType(I32), var)
        inits = tuple(self.const(item) for item in carry)
        carried = tuple(self.reg(self._type(item)) for item in inits)
        results = tuple(self.reg(self._type(item)) for item in inits)
        span = self.span()
        self.stack.append([])
        frame = LoopFrame(induction, carried, results)
        yield frame
        body = Block(tuple(self.stack.pop()))
        self.stack[-1].append(
            Loop(index=self._next(), induction=induction, lower=self.const(lower), upper=self.const(upper),
                 step=self.const(step), carried=carried, inits=inits, body=body,
                 yields=tuple(self.const(item) for item in frame.yields), results=results, span=span)
        )  # fmt: skip

    def _type(self, item):
        return item.type if isinstance(item, Const) else self.types[item.index]

    def branch(self, condition, then, orelse=None):
        span = self.span()
        blocks = []
        for build in (then, orelse):
            self.stack.append([])
            if build is not None:
                build()
            blocks.append(Block(tuple(self.stack.pop())))
        self.stack[-1].append(
            Branch(index=self._next(), condition=condition, then=blocks[0], orelse=blocks[1], then_yields=(),
                   else_yields=(), results=(), span=span)
        )  # fmt: skip

    def while_(self, init, before, body):
        """`before(x)` gives the condition, `body(x)` the next value; returns the final value."""
        span = self.span()
        init = self.const(init)
        carried, arg, result = (self.reg(self._type(init)) for _ in range(3))
        self.stack.append([])
        condition = before(carried)
        first = Block(tuple(self.stack.pop()))
        self.stack.append([])
        after = body(arg)
        second = Block(tuple(self.stack.pop()))
        self.stack[-1].append(
            While(index=self._next(), carried=(carried,), inits=(init,), before=first, condition=condition,
                  passed=(carried,), body_args=(arg,), body=second, yields=(after,), results=(result,), span=span)
        )  # fmt: skip
        return result

    # -- things kernels do
    def pointer(self, name, dtype=F32):
        return self._param(name, PointerType(dtype))

    def scalar(self, name, dtype=I32):
        return self._param(name, ScalarType(dtype))

    def _param(self, name, kind):
        reg = self.reg(kind, name)
        self.params.append(Param(reg=reg, name=name, type=kind, span=Span(FILE, 1, 1, 1, 2)))
        return reg

    def gm(self, pointer, size=None, var="", dtype=F32):
        tensor = self.asc("global_tensor", result=GlobalType(dtype), var=var)
        self.asc("global_tensor_set_global_buffer", tensor=tensor, buffer=pointer, size=size)
        return tensor

    def local(self, addr, elems, pos="VECIN", dtype=F32, var=""):
        return self.asc(
            "local_tensor_v2", addr=addr, tileSize=elems, pos=pos, result=LocalType(dtype, Position[pos]), var=var
        )

    def at(self, tensor, index):
        kind = self.types[tensor.index]
        name = "local_tensor_subindex" if isinstance(kind, LocalType) else "global_tensor_subindex"
        return self.asc(name, tensor=tensor, index=index, result=kind)

    def copy(self, dst, src, count):
        self.asc("data_copy_l2", dst=dst, src=src, calCount=count)
        return self.line

    def add(self, dst, a, b, count, name="add"):
        self.asc(f"{name}_l2", dst=dst, src0=a, src1=b, calCount=count)
        return self.line

    def set_flag(self, event, number=0):
        self.asc("set_flag", eventId=number, event=event)
        return self.line

    def wait_flag(self, event, number=0):
        self.asc("wait_flag", eventId=number, event=event)
        return self.line

    def sync(self, event, number=0):
        self.set_flag(event, number)
        self.wait_flag(event, number)

    def barrier(self, pipe="ALL"):
        self.asc("pipe_barrier", pipe=f"PIPE_{pipe}")

    def block_idx(self):
        return self.asc("get_block_idx", result=ScalarType(I32), var="block")

    def pipe(self):
        return self.asc("pipe", result=HandleType("TPipe"), var="pipe")

    def queue(self, pos, depth=1, var=""):
        return self.asc("queue", result=QueueType(*queue_ends(Position[pos]), depth), var=var)

    def init_queue(self, pipe, queue, num, length):
        self.asc("pipe_init_queue", pipe=pipe, queue=queue, num=num, length=length)

    def alloc(self, queue, dtype=F32, var=""):
        return self._tensor("que_bind_alloc_tensor", queue, dtype, var)

    def deque(self, queue, dtype=F32, var=""):
        return self._tensor("que_bind_deque_tensor", queue, dtype, var)

    def _tensor(self, name, queue, dtype, var):
        kind = self.types[queue.index]
        position = kind.source if kind.target is Position.GM else kind.target
        return self.asc(name, queue=queue, result=LocalType(dtype, position), var=var)

    def enque(self, queue, tensor):
        self.asc("que_bind_enque_tensor", queue=queue, tensor=tensor)

    def free(self, queue, tensor):
        self.asc("que_bind_free_tensor", queue=queue, tensor=tensor)

    def tbuf(self, pipe, length, pos="VECCALC", dtype=F32):
        buffer = self.asc("tbuf", result=BufferType(Position[pos]), var="tbuf")
        self.asc("pipe_init_buffer", pipe=pipe, buffer=buffer, length=length)
        return self.asc("tbuf_get_tensor", buffer=buffer, result=LocalType(dtype, Position[pos]))

    def struct(self, name, *values):
        return self.op("construct", tuple(values), result=StructType(name))

    # -- done
    def build(self):
        return Program(
            kernel=self.name, span=Span(FILE, 1, 1, 1, 9), params=tuple(self.params), body=Block(tuple(self.stack[0])),
            reg_types=tuple(self.types), names=self.names, core_kind=self.kind, auto_sync=self.auto_sync,
        )  # fmt: skip

    def run(self, *args, blocks=1, target="Ascend910B1", **options):
        return simulate(
            self.build(), target=target, blocks=blocks, args=arguments(self, args), options=SimOptions(**options)
        )


class LoopFrame:
    def __init__(self, induction, carried, results):
        self.i, self.carried, self.results, self.yields = induction, carried, results, ()


def arguments(kernel, values):
    return [
        ArrayArg(name=param.name, data=value)
        if isinstance(value, np.ndarray)
        else ScalarArg(name=param.name, value=value)
        for param, value in zip(kernel.params, values, strict=True)
    ]


def codes(result):
    """Return (code, line) of all findings."""
    return sorted((item.code, item.span.line) for item in result.violations)
