# SPDX-License-Identifier: Apache-2.0
"""The state of one kernel's trace: builder, scopes, call chain, and what was found on the way."""

from __future__ import annotations

import ast
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.frontend.facts import Fact
from asclens_compiler.frontend.rules import nesting, no_member, unroll_limit, unsupported_use
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText

if TYPE_CHECKING:
    from asclens_compiler.ascir.builder import Builder
    from asclens_compiler.ascir.values import IRValue
    from asclens_compiler.frontend.module import ModuleEnv
    from asclens_compiler.frontend.surfaces import Launch, Surface
    from asclens_compiler.frontend.walker import Walker

MAX_CALL_DEPTH = 100
MAX_BLOCKS = 100
MAX_STATEMENTS = 200_000


@dataclass(slots=True, eq=False)
class Scope:
    """Map the local names of one function activation to values.

    `lost` remembers names that were defined only inside a run-time block that has ended, with the
    place of that block, for the message about a later use.
    """

    values: dict[str, KernelValue] = field(default_factory=dict[str, KernelValue])
    lost: dict[str, Span] = field(default_factory=dict[str, Span])

    def fork(self) -> Scope:
        """Return a copy for the body of a run-time block."""
        return Scope(dict(self.values), dict(self.lost))


@dataclass(slots=True, eq=False)
class Frame:
    """One activation: the kernel itself or an inlined helper.

    `block_depth` counts run-time blocks entered in this activation (`return` needs 0).
    """

    name: str
    node: ast.AST
    module: ModuleEnv
    source: SourceText
    scope: Scope = field(default_factory=Scope)
    block_depth: int = 0
    returned: KernelValue | None = None
    is_kernel: bool = False


class Context:
    """Carry everything a value or handler needs while a kernel is traced.

    `builder` is None while module constants are evaluated (nothing at run time exists then).
    `incomplete` tells that some op could not be built, so whole-kernel analyses must be careful.
    """

    def __init__(self, *, surface: Surface, frame: Frame, soc: str, builder: Builder | None = None) -> None:
        self.surface = surface
        self.soc = soc
        self.frames: list[Frame] = [frame]
        self.frame = frame
        self.diagnostics: list[Diagnostic] = []
        self.facts: list[Fact] = []
        self.incomplete = False
        self.record_facts = False
        self.walker: Walker
        self.assigned_names: dict[ast.AST, frozenset[str]] = {}
        # helper name -> its node, how its arguments looked at the first call, and where that was
        self.helper_calls: dict[str, tuple[ast.AST, tuple[tuple[str, str], ...], Span]] = {}
        # objects of which a kernel has one, with the place where it was made
        self.singletons: dict[str, tuple[KernelValue, Span]] = {}
        # host code only: the launches found, as (kernel's function or class, what is known)
        self.launches: list[tuple[ast.AST, Launch]] = []
        self.inlined_nodes: set[ast.AST] = set()
        # the call being made has `*args` or `**kwargs` (host code only)
        self.open_call = False
        self.insert_sync: bool | None = None
        self.blocks = 0
        self.statements_left = MAX_STATEMENTS
        self._builder = builder
        self._seen: set[tuple[str, Span, str]] = set()
        self._constants: list[dict[tuple[DType, str], IRValue]] = [{}]
        self._undo: list[list[tuple[KernelValue, object]]] = []

    @property
    def static(self) -> bool:
        """Tell that only compile-time evaluation happens (no kernel is being built)."""
        return self._builder is None

    @property
    def builder(self) -> Builder:
        """Return the builder of the kernel."""
        assert self._builder is not None, "no kernel is being built"
        return self._builder

    @builder.setter
    def builder(self, builder: Builder) -> None:
        self._builder = builder

    @property
    def scope(self) -> Scope:
        """Return the scope of the current activation."""
        return self.frame.scope

    def span(self, node: ast.AST) -> Span:
        """Return the range of a node of the function being walked."""
        return self.frame.source.span(node)

    def report(self, diagnostic: Diagnostic) -> KernelValue:
        """Record a finding once, and return `POISON` for the caller to return."""
        key = (diagnostic.code, diagnostic.span, diagnostic.message)
        if key not in self._seen:
            self._seen.add(key)
            self.diagnostics.append(diagnostic)
        return POISON

    def fail(self, diagnostic: Diagnostic) -> KernelValue:
        """Record an error after which the kernel lacks an op, and return `POISON`."""
        self.incomplete = True
        return self.report(diagnostic)

    def note(self, fact: Fact) -> None:
        """Record what the editor shows for a piece of text."""
        if self.record_facts:
            self.facts.append(fact)

    def no_member(self, owner: KernelValue, name: str, span: Span) -> KernelValue:
        """Report an attribute that does not exist."""
        return self.fail(no_member.report(owner.describe(), name, (), span))

    def not_supported(self, fact: str, span: Span, advice: str = "") -> KernelValue:
        """Report a use that the language does not have; `fact` is a clause without full stop."""
        return self.fail(unsupported_use.report(fact, advice, span))

    @contextmanager
    def inlined(self, frame: Frame, call: Span) -> Generator[Frame]:
        """Walk a helper: its activation is current and its ops carry the call site."""
        outer = self.frame
        self.frames.append(frame)
        self.frame = frame
        self.inlined_nodes.add(frame.node)
        if self._builder is not None:
            self._builder.push_call(call)
        try:
            yield frame
        finally:
            if self._builder is not None:
                self._builder.pop_call()
            self.frames.pop()
            self.frame = outer

    @contextmanager
    def block(self, *, run_time: bool = True) -> Generator[Scope]:
        """Walk the body of a run-time block in a forked scope; the scope is restored afterwards.

        `run_time` False: the block is decided by a launch, so `return` may stand in it.
        """
        frame = self.frame
        outer = frame.scope
        frame.scope = outer.fork()
        frame.block_depth += run_time
        self.blocks += 1
        self._undo.append([])
        self._constants.append({})
        try:
            yield frame.scope
        finally:
            frame.scope = outer
            frame.block_depth -= run_time
            self.blocks -= 1
            self._constants.pop()
            for value, state in reversed(self._undo.pop()):
                value.restore(state)

    def too_many_blocks(self, span: Span) -> bool:
        """Report run-time blocks nested beyond what the representation holds."""
        if self.blocks < MAX_BLOCKS:
            return False
        self.fail(nesting.report(MAX_BLOCKS, span))
        return True

    def spent(self, span: Span) -> bool:
        """Report unrolled and inlined code that has become too long to compile."""
        if self.statements_left > 0:
            return False
        self.fail(unroll_limit.report_total(MAX_STATEMENTS, span))
        return True

    def remember(self, value: KernelValue, state: object) -> None:
        """Log the state of a mutable value before a change, to undo it when the run-time block ends."""
        if self._undo:
            self._undo[-1].append((value, state))

    def constant(self, number: int | float | bool, dtype: DType, span: Span) -> IRValue:
        """Return a literal's register, the same one for equal literals while its block lasts."""
        key = (dtype, str(number))
        for known in reversed(self._constants):
            found = known.get(key)
            if found is not None:
                return found
        made = self._constants[-1][key] = self.builder.constant(number, dtype, span)
        return made
