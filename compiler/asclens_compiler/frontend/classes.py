# SPDX-License-Identifier: Apache-2.0
"""User classes as values; instances are the surfaces' business (structs, staged operators)."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.frontend.values import POISON, KernelValue

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.frontend.module import ModuleEnv
    from asclens_compiler.source.span import Span


@dataclass(slots=True, eq=False)
class ClassValue(KernelValue):
    """A class that the user's module defines."""

    node: ast.ClassDef
    module: ModuleEnv
    kind = "class"

    @property
    def name(self) -> str:
        """Return the bare name."""
        return self.node.name

    def describe(self) -> str:
        """Return the name."""
        return f"the class `{self.node.name}`"

    def derives_from(self, path: str) -> bool:
        """Tell whether a direct or indirect base is the facade class `path`."""
        seen: set[ast.ClassDef] = set()
        pending: list[ClassValue] = [self]
        while pending:
            current = pending.pop()
            if current.node in seen:
                continue
            seen.add(current.node)
            for base in current.node.bases:
                if current.module.refers_to(base, path):
                    return True
                value = current.module.lookup(base.id) if isinstance(base, ast.Name) else None
                if isinstance(value, ClassValue):
                    pending.append(value)
        return False

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read a class-level constant."""
        for statement in self.node.body:
            targets: list[ast.expr] = []
            if isinstance(statement, ast.Assign):
                targets = statement.targets
            elif isinstance(statement, ast.AnnAssign):
                targets = [statement.target]
            else:
                continue
            if statement.value is not None and any(isinstance(t, ast.Name) and t.id == name for t in targets):
                return self.module.evaluate(statement.value)
        return ctx.no_member(self, name, span)

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Make an instance, when the surface knows how."""
        value = ctx.surface.instantiate(ctx, self, args, kwargs, span)
        if value is not None:
            return value
        if ctx.static:
            return POISON
        return ctx.not_supported(f"{self.describe()} cannot be instantiated in a kernel", span)

    def is_compile_time(self) -> bool:
        """Return True."""
        return True
