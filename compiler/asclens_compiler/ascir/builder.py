# SPDX-License-Identifier: Apache-2.0
"""`Builder`: what the frontend and the passes create AscIR with."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.attributes import plain
from asclens_compiler.ascir.control import BranchHandle, LoopHandle, WhileHandle
from asclens_compiler.ascir.locations import Names, named, resolve
from asclens_compiler.ascir.op_builder import NO_ATTRS
from asclens_compiler.ascir.scalar_builder import ScalarBuilder
from asclens_compiler.ascir.types import AscType
from asclens_compiler.ascir.unit import KERNEL_ATTR
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.source.span import Span


class Builder(ScalarBuilder):
    """Append ops to a unit: open a kernel, create ops and control flow, close the kernel.

    Every op takes the Python range it stands for. Mistakes in the use of the builder raise
    InternalError; mistakes of the user's program are the caller's diagnostics or show in `verify`.
    """

    # Kernels

    def begin_kernel(
        self,
        name: str,
        params: Sequence[tuple[str, AscType, Span]],
        span: Span,
        *,
        attrs: Mapping[str, object] = NO_ATTRS,
    ) -> list[IRValue]:
        """Open a kernel and return its parameters.

        `attrs` may hold `core_kind` (CoreKind), `auto_sync`, `staged` and more plain values.
        """
        ir, context = bindings.ir, self.unit.session.context
        if self.cursor.depth:
            raise InternalError(f"kernel {name} begins inside another kernel", span=span)
        types = [self._types.mlir(type_) for _, type_, _ in params]
        attributes: dict[str, Any] = {
            "sym_name": ir.StringAttr.get(name, context=context),
            "function_type": ir.TypeAttr.get(ir.FunctionType.get(types, [], context=context), context=context),
            KERNEL_ATTR: ir.UnitAttr.get(context=context),
        }
        attributes |= {f"ascir.{key}": self._attrs.mlir(plain(value)) for key, value in attrs.items()}
        self.cursor.enter(self.unit.module.body, span)
        function = self.raw("func.func", (), (), attributes, span, regions=1)
        self.cursor.leave()
        places = [named(context, self.cursor.location(at), [[text]]) for text, _, at in params]
        block = ir.Block.create_at_start(function.regions[0], types, places)
        self.cursor.enter(block, span)
        return [self.unit.wrap(argument, type_[1]) for argument, type_ in zip(block.arguments, params, strict=True)]

    def end_kernel(self, span: Span | None = None) -> None:
        """Close the kernel."""
        if self.cursor.depth != 1:
            raise InternalError(f"a kernel ends with {self.cursor.depth - 1} open blocks", span=span)
        location = self.cursor.location(span) if span is not None else self.unit.session.unknown
        bindings.ir.Operation.create("func.return", loc=location, ip=self.cursor.point)
        self.cursor.leave()

    # Control flow

    def loop(
        self,
        lower: IRValue,
        upper: IRValue,
        step: IRValue,
        inits: Sequence[IRValue],
        span: Span,
        *,
        name: str = "",
        names: Sequence[str] = (),
    ) -> LoopHandle:
        """Create a counted loop; `name` names the induction variable, `names` the carried ones."""
        return LoopHandle(self, (lower, upper, step), inits, span, name, names)

    def branch(
        self, condition: IRValue, result_types: Sequence[AscType] | None, span: Span, *, names: Sequence[str] = ()
    ) -> BranchHandle:
        """Create a two-way branch; with `result_types` None the yielded values decide them."""
        return BranchHandle(self, condition, result_types, span, names)

    def while_loop(self, inits: Sequence[IRValue], span: Span, *, names: Sequence[str] = ()) -> WhileHandle:
        """Create a loop with a condition."""
        return WhileHandle(self, inits, span, names)

    @contextmanager
    def call(self, span: Span) -> Generator[None]:
        """Inline a helper called at `span` inside the `with` block."""
        self.push_call(span)
        try:
            yield
        finally:
            self.pop_call()

    def push_call(self, span: Span) -> None:
        """Enter a helper inlined at the call `span`; raises NestingTooDeep."""
        self.cursor.push_call(span)

    def pop_call(self) -> None:
        """Leave the helper entered last."""
        self.cursor.pop_call()

    def set_name(self, value: IRValue, python_name: str) -> None:
        """Record that a Python variable holds the value."""
        held, context = self._mlir(value), self.unit.session.context
        if isinstance(held, bindings.ir.BlockArgument):
            own = resolve(held.location)
            held.set_location(named(context, held.location, _with(own.names, 0, 1, python_name)))
            owner = held.owner.owner.operation
            place = resolve(owner.location)
            if owner.name != "func.func" and held.owner == owner.regions[0].blocks[0]:
                arguments = _with(place.arguments, held.arg_number, len(held.owner.arguments), python_name)
                owner.location = named(context, owner.location, place.names, arguments)
            return
        owner = held.owner
        place, results = resolve(owner.location), list(owner.results)
        names = _with(place.names, results.index(held), len(results), python_name)
        owner.location = named(context, owner.location, names, place.arguments)


def _with(names: Names, position: int, count: int, added: str) -> list[list[str]]:
    """Return the names of `count` values with one more name at a position."""
    texts = [list(names[index]) if index < len(names) else [] for index in range(count)]
    if added not in texts[position]:
        texts[position].append(added)
    return texts
