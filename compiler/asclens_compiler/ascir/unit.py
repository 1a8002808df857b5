# SPDX-License-Identifier: Apache-2.0
"""`Unit`: the one owner of an AscIR module and of the context it lives in."""

from __future__ import annotations

import re
from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.program import Program
from asclens_compiler.ascir.session import Session, current_session
from asclens_compiler.ascir.types import AscType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.errors import InternalError

KERNEL_ATTR = "ascir.kernel"
# Decoding recurses twice per nested block and Python's own limit is 1000.
MAX_TEXT_DEPTH = 200
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"|->')
_BRACKET = re.compile(r"[(){}\[\]<>]")


class Unit:
    """Hold the AscIR of one file or one launch.

    No MLIR object leaves it: values go out as `IRValue`, programs as plain data. After `close`
    every use raises InternalError instead of touching freed memory.
    """

    def __init__(self, session: Session, module: Any, file: str) -> None:
        self.session = session
        self.file = file
        self._module = module
        # MLIR frees an erased op at once and other handles to it do not notice: hashes of such ops.
        self.erased: set[int] = set()

    @classmethod
    def new(cls, file: str) -> Unit:
        """Return an empty unit for `file`."""
        session = current_session()
        return cls(session, bindings.ir.Module.create(loc=session.unknown), file)

    @classmethod
    def parse(cls, text: str, file: str = "<ascir>") -> Unit:
        """Return the unit of printed AscIR; raise ValueError with MLIR's words on malformed text."""
        if _depth(text) > MAX_TEXT_DEPTH:
            raise ValueError(f"brackets nest deeper than {MAX_TEXT_DEPTH}")
        if "\0" in text:
            raise ValueError("the text holds a NUL character")
        session = current_session()
        try:
            module = bindings.ir.Module.parse(text, context=session.context)
        except bindings.MLIRError as error:
            raise ValueError(str(error)) from error
        return cls(session, module, file)

    @property
    def closed(self) -> bool:
        """Tell whether the module is gone."""
        return self._module is None

    @property
    def module(self) -> Any:
        """Return the MLIR module (for modules of `ascir/` only)."""
        if self._module is None:
            raise InternalError("a closed unit is used")
        return self._module

    def text(self, locations: bool = True) -> str:
        """Return the module as text; with locations, parsing it gives the same unit."""
        return self.module.operation.get_asm(enable_debug_info=locations)

    def verify(self) -> list[Diagnostic]:
        """Return every structural error, each at its Python range."""
        from asclens_compiler.ascir.verify import verify  # noqa: PLC0415  imports this module

        return verify(self)

    def decode(self, kernel: str | None = None) -> list[Program]:
        """Return the programs of all kernels, or of the one named; the unit must verify."""
        from asclens_compiler.ascir.decode import decode  # noqa: PLC0415  imports this module

        return decode(self, kernel)

    def kernels(self) -> list[str]:
        """Return the names of the kernels in order."""
        return [op.operation.attributes["sym_name"].value for op in self.functions() if KERNEL_ATTR in op.attributes]

    def functions(self) -> list[Any]:
        """Return the functions (for modules of `ascir/` only)."""
        operations = (op.operation for op in self.module.body.operations)
        return [op for op in operations if op.name == "func.func"]

    def clone(self) -> Unit:
        """Return an independent copy."""
        copy = Unit(self.session, bindings.ir.Module.create(loc=self.module.operation.location), self.file)
        point = bindings.ir.InsertionPoint(copy.module.body)
        for op in self.module.body.operations:
            op.operation.clone(ip=point)
        return copy

    def close(self) -> None:
        """Free the module; handles to its values become unusable."""
        self._module = None

    def wrap(self, value: Any, type_: AscType | None = None) -> IRValue:
        """Return the handle of an MLIR value (for modules of `ascir/` only)."""
        return IRValue(self, value, type_ if type_ is not None else self.session.types.python(value.type))


def _depth(text: str) -> int:
    """Return how deep brackets nest, texts in quotes aside (MLIR's parser recurses per bracket)."""
    depth = deepest = 0
    for bracket in _BRACKET.findall(_QUOTED.sub("", text)):
        depth += 1 if bracket in "({[<" else -1
        deepest = max(deepest, depth)
    return deepest
