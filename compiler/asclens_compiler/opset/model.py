# SPDX-License-Identifier: Apache-2.0
"""The shape of an opset row: everything the tools know about one pyasc call, as data.

Conventions that all rows follow:
- Operand and attribute names are those of the real IR op (`calCount`, `repeatTimes`), in its order,
  attributes taken out. The mask of an `_l0` op is one scalar, of an `_l1` op a variadic of words.
- A SCALAR operand has exactly one entry in `dtypes`, the type AscIR materialises a literal to, or
  `same_as` naming the tensor whose element type it takes, or neither (any number).
- `results` names types: a dtype (`int32`), `element` (element type of the first tensor operand), or
  a handle (`LocalTensor`, `GlobalTensor`, `GlobalAddress`, `TQue`, a struct's name ...).
- `construct` makes parameter structs: attributes `type` and `dtype` ("" when there is none), then
  every numeric field of the `StructRow` in order, defaults included, lists flattened to `length`.
- In a `binding`, `self` is the object a method is called on; `returns` of a constructor is its class.
- Staged functions are rows named `staged.<name>`.

An *op row* (`OpRow`) describes one AscIR op = one Ascend C call form. An *API row* (`ApiRow`)
describes one public Python name, its overloads, and which op each overload becomes.
Families are modules in `opset/families/`; each has `OPS: tuple[OpRow, ...]`,
`APIS: tuple[ApiRow, ...]` and may have `STRUCTS` and `ENUMS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Pipe


class Role(Enum):
    """Say what an operand is to its op."""

    DST = "dst"  # tensor written
    SRC = "src"  # tensor read
    INOUT = "inout"  # tensor read and written
    SCALAR = "scalar"  # a number in a register
    PARAMS = "params"  # a parameter struct
    HANDLE = "handle"  # queue, buffer, pipe, pointer ...
    TENSOR = "tensor"  # tensor handle that the op itself does not touch (enque, free ...)


@dataclass(frozen=True, slots=True, kw_only=True)
class OperandRow:
    """One operand; `memories` and `dtypes` empty means "any"."""

    name: str
    role: Role
    memories: frozenset[Memory] = frozenset()
    dtypes: frozenset[DType] = frozenset()
    optional: bool = False
    variadic: bool = False
    struct: str = ""  # PARAMS: the struct's name
    same_as: str = ""  # SCALAR: the tensor operand whose element type it takes


@dataclass(frozen=True, slots=True, kw_only=True)
class AttrRow:
    """One attribute: an enum member's name (`enum` set), or a bool, int, float or text."""

    name: str
    enum: str = ""
    kind: type = str


class PipeRule(Enum):
    """Say how the pipe of an op follows from its operands when it is not fixed."""

    COPY_PATH = "copy-path"  # from the memories of dst and src: hardware/pipes paths table
    NONE = "none"  # declares or computes a handle; runs nowhere


class FootprintKind(Enum):
    """Say which bytes of a tensor operand an op touches."""

    COUNT = "count"  # the first `count` elements
    REPEAT = "repeat"  # mask / repeat / stride form
    WHOLE = "whole"  # all elements of the tensor
    ELEMENT = "element"  # one element at `index`
    CUSTOM = "custom"  # function of this name in opset/footprints.py


@dataclass(frozen=True, slots=True, kw_only=True)
class FootprintRow:
    """Footprint of one tensor operand; the other fields name the operands that decide it.

    COUNT: an absent count operand means the whole tensor. `packed_bits`: one bit per element.
    REPEAT: strides count 32-byte blocks; `params` names the repeat-params struct operand and `which`
    the field prefix ("dst", "src", "src0", "src1"), or `blk_stride` and `rep_stride` name scalar
    operands (or are decimal numbers) when there is no struct. One repeat has 256 bytes of the widest
    operand of `widest`. An empty `mask` means all elements, an empty `repeat` means 1.
    """

    operand: str
    kind: FootprintKind
    count: str = ""
    mask: str = ""
    repeat: str = ""
    params: str = ""
    which: str = ""
    blk_stride: str = ""
    rep_stride: str = ""
    widest: tuple[str, ...] = ()
    function: str = ""
    packed_bits: bool = False


class ConstraintKind(Enum):
    """The closed set of constraints that verifier, simulator and docs share (opset/constraints.py)."""

    SAME_DTYPE = "same-dtype"  # operands
    DTYPE_IN = "dtype-in"  # operands[0], dtypes
    DTYPE_PAIR_IN = "dtype-pair-in"  # operands, pairs
    ALIGNED_TO = "aligned-to"  # operands[0] start address, value bytes (0: the rule of its memory)
    COUNT_MULTIPLE_OF = "count-multiple-of"  # operands[0] * element size, value bytes
    RANGE_IN = "range-in"  # operands[0], low..high
    NO_PARTIAL_OVERLAP = "no-partial-overlap"  # operands
    IN_MEMORY = "in-memory"  # operands[0], memories
    FITS_IN = "fits-in"  # footprint of operands[0] in its tensor
    MASK_IN_REPEAT = "mask-in-repeat"  # operands[0] (contiguous mask) elements of one repeat of operands[1:]
    COPY_PATH = "copy-path"  # the hardware moves data from the memory of operands[1] to that of operands[0]
    CAST_MODE = "cast-mode"  # attribute operands[2] is a legal round mode from operands[1] to operands[0]
    ENUM_IN = "enum-in"  # attribute operands[0] is one of names, if operands[1] has (one of) dtypes when given


@dataclass(frozen=True, slots=True, kw_only=True)
class Constraint:
    """One condition on the operands of an op, with the place that states it."""

    kind: ConstraintKind
    operands: tuple[str, ...]
    value: int = 0
    low: int = 0
    high: int = 0
    dtypes: frozenset[DType] = frozenset()
    pairs: frozenset[tuple[DType, ...]] = frozenset()
    memories: frozenset[Memory] = frozenset()
    names: frozenset[str] = frozenset()
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """Cycles of one execution: `head + per_unit * units`, units of `unit_bytes` of `operand`."""

    head: int
    per_unit: float = 0.0
    unit_bytes: int = 256
    operand: str = "dst"
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OpRow:
    """One AscIR op; rows are compared by identity.

    `semantics` names a function of `backends/simulator/semantics` (or the machine's own handling
    when it starts with "machine."). `pure` ops may be dropped when unused. `compute_unit` is the
    staged unit ("VECTOR", "CUBE", "SCALAR", or "" for copies, sync and declarations).
    """

    name: str
    cpp: str
    operands: tuple[OperandRow, ...]
    attrs: tuple[AttrRow, ...] = ()
    results: tuple[str, ...] = ()
    pipe: Pipe | PipeRule = PipeRule.NONE
    compute_unit: str = ""
    footprints: tuple[FootprintRow, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    semantics: str = ""
    cost: Cost | None = None
    pure: bool = False
    summary: str = ""
    summary_zh: str = ""
    docs: str = ""

    def operand_index(self, name: str) -> int:
        """Return the position of an operand; raise KeyError for an unknown name."""
        for position, operand in enumerate(self.operands):
            if operand.name == name:
                return position
        raise KeyError(name)


class ParamKind(Enum):
    """Python-side kind of a parameter, for overload resolution as the real dispatch does it."""

    LOCAL = "LocalTensor"
    GLOBAL = "GlobalTensor"
    TENSOR = "BaseTensor"
    INT = "RuntimeInt"  # Python int/bool or run-time integer
    FLOAT = "RuntimeFloat"
    NUMERIC = "RuntimeNumeric"  # int, float or run-time number
    BOOL = "RuntimeBool"
    CONST_BOOL = "bool"
    CONST_INT = "int"
    CONST_FLOAT = "float"
    CONST_STR = "str"
    LIST = "list"
    ENUM = "enum"
    STRUCT = "struct"
    DTYPE = "DataType"
    QUEUE = "TQue"
    BUFFER = "TBuf"
    POOL = "TBufPool"
    POINTER = "GlobalAddress"
    NONE = "none"  # None only
    ANY = "any"


NO_DEFAULT = "<required>"


@dataclass(frozen=True, slots=True, kw_only=True)
class ParamRow:
    """One Python parameter; `type_name` names the enum or struct; `default` is Python text."""

    name: str
    kind: ParamKind
    type_name: str = ""
    default: str = NO_DEFAULT


@dataclass(frozen=True, slots=True, kw_only=True)
class Overload:
    """One accepted signature and the op it becomes.

    `binding` maps op operand/attr names to parameter names where they differ (else by equal name);
    a value that starts with "=" is a Python literal. `lower` names a special lowering function of
    the frontend when the mapping is not one to one.
    """

    params: tuple[ParamRow, ...]
    op: str = ""
    binding: tuple[tuple[str, str], ...] = ()
    lower: str = ""
    returns: str = "None"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ApiRow:
    """One public Python name (`asc.add`), tried overload by overload in order; compared by identity.

    `unsupported` holds the reason when the call is known but not implemented.
    """

    name: str
    overloads: tuple[Overload, ...]
    summary: str = ""
    summary_zh: str = ""
    unsupported: str = ""
    staged: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One field of a parameter struct; `default` is Python text, `length` > 1 a list of that many numbers.

    `ir_name` is the C++ member when it is not the camelCase of `name`; `dtype` its type there.
    """

    name: str
    kind: ParamKind
    default: str = NO_DEFAULT
    type_name: str = ""
    length: int = 1
    ir_name: str = ""
    dtype: DType = DType.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class StructRow:
    """A parameter struct of Ascend C (`asc.BinaryRepeatParams`).

    `host` structs are made on the host and reach the kernel by address (tilings); the others are
    made in the kernel by `construct`.
    """

    name: str
    fields: tuple[FieldRow, ...]
    summary: str = ""
    host: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EnumRow:
    """A public enum (`asc.RoundMode`) with its members and values."""

    name: str
    members: tuple[tuple[str, int], ...]
    summary: str = ""
