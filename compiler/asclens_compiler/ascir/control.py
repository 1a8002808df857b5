# SPDX-License-Identifier: Apache-2.0
"""Handles that build structured control flow: counted loop, branch, loop with condition.

A block left by an exception gets a terminator all the same, so that the unit stays printable.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir import bindings
from asclens_compiler.ascir.locations import named
from asclens_compiler.ascir.types import AscType
from asclens_compiler.ascir.values import IRValue
from asclens_compiler.errors import InternalError
from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.ascir.builder import Builder


def _padded(names: Sequence[str], count: int) -> list[str]:
    return [*names, *[""] * (count - len(names))][:count]


class _Handle:
    """What the three handles share: typed blocks, yields, results."""

    def __init__(self, builder: Builder, span: Span) -> None:
        self._builder = builder
        self._span = span
        self._yielded: tuple[IRValue, ...] | None = None
        self._op: Any = None
        self._types: tuple[AscType, ...] = ()

    @property
    def results(self) -> tuple[IRValue, ...]:
        """Return the values after the construct."""
        unit = self._builder.unit
        return tuple(unit.wrap(item, type_) for item, type_ in zip(self._op.results, self._types, strict=True))

    def yield_(self, values: Sequence[IRValue] = ()) -> None:
        """Give the values that the current block passes on."""
        if self._yielded is not None:
            raise InternalError("a block yields twice", span=self._span)
        self._yielded = tuple(values)

    def _taken(self) -> tuple[IRValue, ...] | None:
        """Return what the current block yielded, if it did."""
        return self._yielded

    def _create(
        self,
        name: str,
        operands: Sequence[IRValue],
        types: Sequence[AscType],
        names: Sequence[str],
        arguments: Sequence[str] = (),
    ) -> Any:
        builder = self._builder
        table = builder.unit.session.types
        values = [item.mlir(builder.unit) for item in operands]
        regions = 1 if name == "scf.for" else 2
        mlir_types = [table.mlir(item) for item in types]
        return builder.raw(name, values, mlir_types, {}, self._span, regions=regions, names=names, arguments=arguments)

    def _block(self, region: int, types: Sequence[AscType], names: Sequence[str]) -> tuple[Any, tuple[IRValue, ...]]:
        builder = self._builder
        context, table = builder.unit.session.context, builder.unit.session.types
        base = builder.cursor.location(self._span)
        places = [named(context, base, [[text]] if text else []) for text in _padded(names, len(types))]
        block = bindings.ir.Block.create_at_start(
            self._op.regions[region], [table.mlir(item) for item in types], places
        )
        values = zip(block.arguments, types, strict=True)
        return block, tuple(builder.unit.wrap(item, type_) for item, type_ in values)

    @contextmanager
    def _inside(self, block: Any, fallback: Sequence[IRValue], terminator: str = "scf.yield") -> Generator[None]:
        cursor = self._builder.cursor
        cursor.enter(block, self._span)
        self._yielded = None
        failed = True
        try:
            yield
            failed = False
        finally:
            taken = self._taken()
            values = tuple(fallback) if failed or taken is None else taken
            missing = not failed and taken is None and bool(fallback)
            mlir_values = [item.mlir(self._builder.unit) for item in values]
            self._builder.raw(terminator, mlir_values, [], {}, self._span)
            cursor.leave()
        self._yielded = values
        if missing:
            raise InternalError("a block yields nothing", span=self._span)


class LoopHandle(_Handle):
    """A counted loop: `with handle: ... handle.yield_(values)`, then `handle.results`."""

    def __init__(
        self,
        builder: Builder,
        bounds: tuple[IRValue, IRValue, IRValue],
        inits: Sequence[IRValue],
        span: Span,
        name: str,
        names: Sequence[str],
    ) -> None:
        super().__init__(builder, span)
        self._types = tuple(item.type for item in inits)
        self._op = self._create(
            "scf.for", (*bounds, *inits), self._types, names, _padded((name, *names), len(inits) + 1)
        )
        self._body, arguments = self._block(0, (bounds[0].type, *self._types), _padded((name, *names), len(inits) + 1))
        self.induction = arguments[0]
        self.carried = arguments[1:]
        self._scope: Any = None

    def __enter__(self) -> LoopHandle:
        self._scope = self._inside(self._body, self.carried)
        self._scope.__enter__()
        return self

    def __exit__(self, *failure: Any) -> None:
        self._scope.__exit__(*failure)


class BranchHandle(_Handle):
    """A branch: `with handle.then(): ...`, `with handle.orelse(): ...`, then `handle.results`.

    Without `result_types` the op is made without results and gets them, from what the blocks
    yielded, when `results` is first asked for.
    """

    def __init__(
        self,
        builder: Builder,
        condition: IRValue,
        result_types: Sequence[AscType] | None,
        span: Span,
        names: Sequence[str],
    ) -> None:
        super().__init__(builder, span)
        self._condition = condition
        self._names = names
        self._deferred = result_types is None
        self._types = tuple(result_types or ())
        self._op = self._create("scf.if", (condition,), self._types, names if self._types else ())

    @contextmanager
    def then(self) -> Generator[None]:
        """Open the block that runs when the condition holds."""
        with self._arm(0):
            yield

    @contextmanager
    def orelse(self) -> Generator[None]:
        """Open the block that runs when the condition does not hold."""
        if not list(self._op.regions[0].blocks):
            with self.then():
                pass
        with self._arm(1):
            yield

    @property
    def results(self) -> tuple[IRValue, ...]:
        """Return the values after the branch."""
        if self._deferred and self._yielded:
            self._rebuild(tuple(item.type for item in self._yielded))
        self._deferred = False
        return super().results

    @contextmanager
    def _arm(self, region: int) -> Generator[None]:
        block, _ = self._block(region, (), ())
        with self._inside(block, ()):
            yield
        if not self._deferred and len(self._yielded or ()) != len(self._types):
            raise InternalError("a branch yields another number of values than it has results", span=self._span)

    def _rebuild(self, types: tuple[AscType, ...]) -> None:
        """Replace the op by one with results, moving the blocks over."""
        if any(not list(region.blocks) for region in self._op.regions):
            raise InternalError("a branch with results needs both blocks", span=self._span)
        old, self._types = self._op, types
        self._builder.cursor.enter_point(bindings.ir.InsertionPoint(old))
        try:
            self._op = self._create("scf.if", (self._condition,), types, self._names)
        finally:
            self._builder.cursor.leave()
        for source, target in zip(old.regions, self._op.regions, strict=True):
            source.blocks[0].append_to(target)
        old.erase()


class WhileHandle(_Handle):
    """A loop with condition.

    `with handle.before(): ... handle.condition(flag)`, `with handle.body(): ... handle.yield_(values)`.
    `carried` are seen by `before`, `body_args` by `body`; both have the types of the initial values.
    """

    def __init__(self, builder: Builder, inits: Sequence[IRValue], span: Span, names: Sequence[str]) -> None:
        super().__init__(builder, span)
        self._types = tuple(item.type for item in inits)
        self._op = self._create("scf.while", inits, self._types, names, _padded(names, len(inits)))
        self._before, self.carried = self._block(0, self._types, names)
        self._body, self.body_args = self._block(1, self._types, names)

    @contextmanager
    def before(self) -> Generator[None]:
        """Open the block that computes the condition."""
        unit = self._builder.unit
        false = bindings.ir.BoolAttr.get(False, context=unit.session.context)
        cursor = self._builder.cursor
        cursor.enter(self._before, self._span)
        self._yielded = None
        failed = True
        try:
            yield
            failed = False
        finally:
            if failed:
                with self.body():
                    self.yield_(self.body_args)
            taken = None if failed else self._taken()
            if taken is None:
                stop = self._builder.raw("arith.constant", [], [false.type], {"value": false}, self._span).result
                values = [stop, *(item.mlir(unit) for item in self.carried)]
            else:
                values = [item.mlir(unit) for item in taken]
            self._builder.raw("scf.condition", values, [], {}, self._span)
            cursor.leave()

    def condition(self, flag: IRValue, passed: Sequence[IRValue] | None = None) -> None:
        """Give the condition and the values passed to the body (the carried ones when None)."""
        self.yield_((flag, *(self.carried if passed is None else passed)))

    @contextmanager
    def body(self) -> Generator[None]:
        """Open the block that runs while the condition holds."""
        with self._inside(self._body, self.body_args):
            yield
