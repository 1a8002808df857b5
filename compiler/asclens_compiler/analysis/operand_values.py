# SPDX-License-Identifier: Apache-2.0
"""Answers about the operands of one op of a program, for footprints and constraints."""

from __future__ import annotations

from asclens_compiler.analysis.affine import AffineForms
from asclens_compiler.analysis.tensors import TensorViews, View
from asclens_compiler.ascir.program import Const, Op, Operand, Reg
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory
from asclens_compiler.opset.model import OpRow, ParamKind
from asclens_compiler.opset.registry import opset


class ProgramValues:
    """Know what is constant; with `bounds`, a number that varies counts as the most it can be."""

    def __init__(self, op: Op, row: OpRow, forms: AffineForms, views: TensorViews, *, bounds: bool) -> None:
        self._op = op
        self._row = row
        self._forms = forms
        self._views = views
        self._bounds = bounds

    def _operand(self, name: str) -> Operand | tuple[Operand, ...] | None:
        try:
            return self._op.operands[self._row.operand_index(name)]
        except (KeyError, IndexError):
            return None

    def _view(self, name: str) -> View | None:
        return self._views.of(self._operand(name))

    def _number(self, operand: Operand | tuple[Operand, ...] | None) -> int | None:
        if isinstance(operand, Const):
            return int(operand.value) if not isinstance(operand.value, float) else None
        if not isinstance(operand, Reg):
            return None
        return self._forms.upper_bound(operand) if self._bounds else self._forms.constant(operand)

    def present(self, operand: str) -> bool:
        """Tell whether an operand was given."""
        found = self._operand(operand)
        return found is not None and found != ()

    def integer(self, operand: str) -> int | None:
        """Return a scalar operand."""
        return self._number(self._operand(operand))

    def words(self, operand: str) -> tuple[int, ...] | None:
        """Return a variadic scalar operand."""
        found = self._operand(operand)
        if not isinstance(found, tuple):
            return None
        numbers = [self._number(item) for item in found]
        known = [number for number in numbers if number is not None]
        return tuple(known) if len(known) == len(numbers) else None

    def member(self, operand: str, name: str) -> int | None:
        """Return a field of a struct that `construct` made."""
        found = self._operand(operand)
        maker = self._forms.definitions.definition(found.index) if isinstance(found, Reg) else None
        if not isinstance(maker, Op) or maker.name != "construct":
            return None
        fields = maker.operands[0]
        struct = opset().structs.get(str(maker.attr("type")))
        if struct is None or not isinstance(fields, tuple):
            return None
        position = 0
        for field in struct.fields:
            if field.kind is ParamKind.DTYPE:
                continue
            if field.name == name:
                return self._number(fields[position]) if position < len(fields) else None
            position += field.length
        return None

    def attr(self, name: str) -> str | int | bool | None:
        """Return an attribute."""
        found = self._op.attr(name)
        return found if isinstance(found, str | int | bool) else None

    def dtype(self, operand: str) -> DType | None:
        """Return the element type of a tensor operand."""
        view = self._view(operand)
        return None if view is None else view.dtype

    def memory(self, operand: str) -> Memory | None:
        """Return the memory of a tensor operand."""
        view = self._view(operand)
        return None if view is None else view.base.memory

    def address(self, operand: str) -> int | None:
        """Return the byte address of a hand-placed tensor."""
        view = self._view(operand)
        known = view is not None and view.offset is not None and view.offset.is_constant and view.base.ident < 0
        return view.offset.constant if known and view is not None and view.offset is not None else None

    def size_bytes(self, operand: str) -> int | None:
        """Return the bytes from a tensor's start to its end."""
        view = self._view(operand)
        return None if view is None else view.size_bytes
