# SPDX-License-Identifier: Apache-2.0
"""Which memory a tensor register stands for: the buffer behind it and the byte where it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from asclens_compiler.analysis.affine import Affine, AffineForms
from asclens_compiler.analysis.definitions import Definitions
from asclens_compiler.ascir.program import Const, Op, Operand, Program, Reg
from asclens_compiler.ascir.types import GlobalType, LocalType, PointerType
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position


class BaseKind(Enum):
    """Say how a buffer is named."""

    ABSOLUTE = "absolute"  # by byte address in its memory
    AUTO = "auto"  # placed by the compiler
    PARAM = "param"  # a kernel parameter
    OBJECT = "object"  # a queue or buffer of the kernel
    ANY = "any"  # not known: may be any buffer of its memory


@dataclass(frozen=True, slots=True)
class Base:
    """A buffer; `ident` is the defining register or node, -1 for ABSOLUTE and ANY."""

    memory: Memory
    kind: BaseKind
    ident: int = -1

    def may_meet(self, other: Base) -> bool:
        """Tell whether two buffers may have bytes in common.

        Different parameters are taken to be different arrays.
        """
        if self.memory is not other.memory:
            return False
        if BaseKind.ANY in (self.kind, other.kind):
            return True
        return self == other if self.kind is other.kind else BaseKind.AUTO not in (self.kind, other.kind)


@dataclass(frozen=True, slots=True)
class View:
    """A tensor: its buffer, first byte, bytes to its end and element type; None where not known."""

    base: Base
    offset: Affine | None
    size_bytes: int | None
    dtype: DType


_ANYWHERE = frozenset({"que_bind_alloc_tensor", "que_bind_deque_tensor", "que_bind_deque_tensor_pos"})


class TensorViews:
    """Find the views of the tensor registers of one program."""

    def __init__(self, program: Program, definitions: Definitions, forms: AffineForms) -> None:
        self._program = program
        self._definitions = definitions
        self._forms = forms
        self._known: dict[int, View | None] = {}
        self._buffers = _global_buffers(program)
        self._pointer_params = {param.reg.index for param in program.params}

    def of(self, operand: Operand | tuple[Operand, ...] | None) -> View | None:
        """Return the view of an operand; None for what is no tensor."""
        if not isinstance(operand, Reg):
            return None
        if operand.index not in self._known:
            self._known[operand.index] = None  # a cycle through loop-carried values ends here
            self._known[operand.index] = self._find(operand)
        return self._known[operand.index]

    def _find(self, reg: Reg) -> View | None:
        kind = self._program.reg_types[reg.index]
        if isinstance(kind, LocalType):
            fallback = View(Base(kind.position.memory, BaseKind.ANY), None, None, kind.dtype)
        elif isinstance(kind, GlobalType | PointerType):
            fallback = View(Base(Memory.GM, BaseKind.ANY), None, None, kind.dtype)
        else:
            return None
        if reg.index in self._pointer_params:
            return View(Base(Memory.GM, BaseKind.PARAM, reg.index), Affine(), None, kind.dtype)
        node = self._definitions.definition(reg.index)
        if not isinstance(node, Op):
            return fallback
        rule = _RULES.get(node.name)
        found = rule(self, node, reg) if rule is not None else None
        return found or fallback

    def dtype_of(self, reg: Reg) -> DType:
        """Return the element type of a tensor register."""
        kind = self._program.reg_types[reg.index]
        return kind.dtype if isinstance(kind, LocalType | GlobalType | PointerType) else DType.UNKNOWN

    def _auto(self, op: Op, reg: Reg) -> View | None:
        kind = self._program.reg_types[reg.index]
        if not isinstance(kind, LocalType):
            return None
        size = _bytes_of(kind)
        return View(Base(kind.position.memory, BaseKind.AUTO, op.index), Affine(), size, kind.dtype)

    def _placed(self, op: Op, reg: Reg) -> View | None:
        kind = self._program.reg_types[reg.index]
        if not isinstance(kind, LocalType):
            return None
        address, elements = (self._forms.of(item) for item in op.operands if isinstance(item, Reg | Const))
        size = None
        if elements is not None and elements.is_constant and kind.dtype is not DType.UNKNOWN:
            size = elements.constant * kind.dtype.bits // 8
        return View(Base(_memory(op, kind), BaseKind.ABSOLUTE), address, size, kind.dtype)

    def _part(self, op: Op, reg: Reg) -> View | None:
        whole = self.of(op.operands[0])
        index = op.operands[1]
        if whole is None or isinstance(index, tuple) or index is None:
            return whole
        elements = self._forms.of(index)
        dtype = self.dtype_of(reg)
        if elements is None or whole.offset is None or dtype is DType.UNKNOWN:
            return View(whole.base, None, None, dtype)
        moved = elements.times(dtype.bits)
        if moved.constant % 8 or any(factor % 8 for _, factor in moved.terms):
            return View(whole.base, None, None, dtype)
        step = Affine(moved.constant // 8, tuple((register, factor // 8) for register, factor in moved.terms))
        rest = None
        if whole.size_bytes is not None and step.is_constant:
            rest = max(0, whole.size_bytes - step.constant)
        return View(whole.base, whole.offset.plus(step), rest, dtype)

    def _same(self, op: Op, reg: Reg) -> View | None:
        whole = self.of(op.operands[0])
        return None if whole is None else View(whole.base, whole.offset, whole.size_bytes, self.dtype_of(reg))

    def _global(self, op: Op, reg: Reg) -> View | None:
        del op
        setter = self._buffers.get(reg.index)
        if setter is None:
            return None
        pointer = self.of(setter.operands[1])
        if pointer is None:
            return None
        size = setter.operands[2] if len(setter.operands) > 2 else None
        dtype = self.dtype_of(reg)
        elements = self._forms.constant(size)
        size_bytes = elements * dtype.size_bytes if elements is not None and dtype is not DType.UNKNOWN else None
        return View(pointer.base, pointer.offset, size_bytes or None, dtype)

    def _object(self, op: Op, reg: Reg) -> View | None:
        kind = self._program.reg_types[reg.index]
        owner = op.operands[0]
        if not isinstance(kind, LocalType) or not isinstance(owner, Reg):
            return None
        return View(Base(kind.position.memory, BaseKind.OBJECT, owner.index), None, None, kind.dtype)


def _memory(op: Op, kind: LocalType) -> Memory:
    name = op.attr("pos")
    return Position(name).memory if isinstance(name, str) and name else kind.position.memory


def _bytes_of(kind: LocalType) -> int | None:
    if kind.shape is None or kind.dtype is DType.UNKNOWN:
        return None
    elements = 1
    for extent in kind.shape:
        elements *= extent
    return -(-elements * kind.dtype.bits // 8)


def _global_buffers(program: Program) -> dict[int, Op]:
    """Return, for each global tensor whose buffer is set exactly once, the op that sets it."""
    found: dict[int, Op] = {}
    twice: set[int] = set()
    for node in program.walk():
        if isinstance(node, Op) and node.name == "global_tensor_set_global_buffer":
            tensor = node.operands[0]
            if isinstance(tensor, Reg):
                if tensor.index in found:
                    twice.add(tensor.index)
                found[tensor.index] = node
    return {register: op for register, op in found.items() if register not in twice}


_RULES: dict[str, Callable[[TensorViews, Op, Reg], View | None]] = {
    "local_tensor_auto": TensorViews._auto,  # pyright: ignore[reportPrivateUsage]
    "local_tensor_v2": TensorViews._placed,  # pyright: ignore[reportPrivateUsage]
    "local_tensor_subindex": TensorViews._part,  # pyright: ignore[reportPrivateUsage]
    "local_tensor_bracket": TensorViews._part,  # pyright: ignore[reportPrivateUsage]
    "global_tensor_subindex": TensorViews._part,  # pyright: ignore[reportPrivateUsage]
    "global_tensor_bracket": TensorViews._part,  # pyright: ignore[reportPrivateUsage]
    "reinterpret_cast": TensorViews._same,  # pyright: ignore[reportPrivateUsage]
    "global_tensor": TensorViews._global,  # pyright: ignore[reportPrivateUsage]
    "ptr_offset": TensorViews._part,  # pyright: ignore[reportPrivateUsage]
    "tbuf_get_tensor": TensorViews._object,  # pyright: ignore[reportPrivateUsage]
    "tbuf_get_with_offset": TensorViews._object,  # pyright: ignore[reportPrivateUsage]
    **dict.fromkeys(sorted(_ANYWHERE), TensorViews._object),  # pyright: ignore[reportPrivateUsage]
}
