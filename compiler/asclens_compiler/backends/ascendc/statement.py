# SPDX-License-Identifier: Apache-2.0
"""One op -> the C++ expression or statement of its call form."""

from __future__ import annotations

import re
from collections.abc import Callable

from asclens_compiler.ascir.program import AttrValue, Const, Op, Operand
from asclens_compiler.ascir.types import AscType
from asclens_compiler.backends.ascendc import cpp_types
from asclens_compiler.backends.ascendc.forms import form_of
from asclens_compiler.errors import InternalError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.model import AttrRow, OpRow

_PLACEHOLDER = re.compile(r"\{\{|\}\}|\{([^{}]+)\}")

Text = Callable[[Operand], str]
TypeOf = Callable[[Operand], AscType]


class CallWriter:
    """Fill the placeholders of one op's form.

    `list_name` gives the array that holds a variadic operand, `result` the variable of the result.
    """

    def __init__(
        self, op: Op, row: OpRow, *, text: Text, type_of: TypeOf, list_name: Callable[[int], str], result: str
    ) -> None:
        self._op = op
        self._row = row
        self._text = text
        self._type_of = type_of
        self._list_name = list_name
        self._result = result
        self._result_type: AscType | None = None
        self._names = [item.name for item in row.operands]
        self._said: set[str] = set()

    def write(self, result_type: AscType | None) -> str:
        """Return the expression."""
        form = form_of(self._row)
        self._result_type = result_type
        self._said = {match[1].lstrip(",") for match in _PLACEHOLDER.finditer(form) if match[1]}
        return _PLACEHOLDER.sub(self._fill, form)

    def _fill(self, match: re.Match[str]) -> str:
        inside = match[1]
        if inside is None:
            return match[0][0]
        comma = inside.startswith(",")
        name = inside.lstrip(",")
        text = self._rest() if name == "rest" else self._one(name)
        return f", {text}" if comma and text else text

    def _one(self, name: str) -> str:
        if name == "cpp":
            return self._row.cpp
        if name == "result":
            return self._result
        if name == "R":
            if self._result_type is None:
                raise InternalError("the op has no result", op=self._op.name, span=self._op.span)
            return cpp_types.element(self._result_type)
        if name == "layout":
            return self._layout()
        if name.startswith("T:"):
            return self._element(name[2:])
        if name in self._names:
            return self._operand(self._names.index(name))
        for attr in self._row.attrs:
            if attr.name == name:
                return attribute(attr, self._op.attr(name))
        raise InternalError(f"the form of the op names {name}, which the row has not", op=self._op.name)

    def _rest(self) -> str:
        parts = [self._operand(index) for index, name in enumerate(self._names) if name not in self._said]
        return ", ".join(part for part in parts if part)

    def _operand(self, index: int) -> str:
        operand = self._op.operands[index]
        if operand is None:
            return ""
        if isinstance(operand, tuple):
            if self._row.operands[index].variadic and not self._inline():
                return self._list_name(index)
            return ", ".join(self._text(item) for item in operand)
        return self._text(operand)

    def _inline(self) -> bool:
        """Tell whether a variadic operand is written as arguments, not as an array."""
        return self._row.name in INLINE_LISTS

    def _element(self, name: str) -> str:
        operand = self._op.operands[self._names.index(name)]
        first = operand[0] if isinstance(operand, tuple) else operand
        if first is None:
            raise InternalError(f"the operand {name} is absent", op=self._op.name, span=self._op.span)
        return cpp_types.element(self._type_of(first))

    def _layout(self) -> str:
        """Return the layout of a fixpipe, which its config operand holds as a literal."""
        config = self._op.operands[-1]
        rows = not (isinstance(config, Const) and config.value == 0)
        return "AscendC::CFG_ROW_MAJOR" if rows else "AscendC::CFG_NZ"


_TEXTS = frozenset({"desc", "fileName", "message"})
INLINE_LISTS = frozenset({"printf", "assert", "mrg_sort_src_list", "set_vector_mask_l1", "local_tensor_bracket",
                          "global_tensor_bracket", "set_deq_scale"})  # fmt: skip


def attribute(row: AttrRow, value: AttrValue | None) -> str:
    """Return the spelling of an attribute."""
    if row.enum and isinstance(value, str):
        return cpp_types.enum_member(row.enum, value)
    if row.kind is DType and isinstance(value, str):
        return cpp_types.dtype(DType(value))
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, str):
        return cpp_types.text_literal(value) if row.name in _TEXTS else value
    if isinstance(value, (int, float)):
        return str(value)
    raise InternalError(f"the attribute {row.name} cannot be written")
