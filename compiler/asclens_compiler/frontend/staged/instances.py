# SPDX-License-Identifier: Apache-2.0
"""Operator objects: instances of user classes whose attributes are compile-time configuration."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.functions import FunctionValue, inline
from asclens_compiler.frontend.rules import no_member
from asclens_compiler.frontend.values import POISON, KernelValue

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

ENTRY = "process"


@dataclass(slots=True, eq=False)
class InstanceValue(KernelValue):
    """An instance of a user class.

    `complete` tells that all attributes are known by name, so that a missing one is a mistake;
    values that only a launch knows are POISON. An object is `assumed` without a launch: it may be of
    a class derived from this one.
    """

    cls: ClassValue
    attrs: dict[str, KernelValue] = field(default_factory=dict[str, KernelValue])
    complete: bool = True
    assumed: bool = False
    kind = "object"

    def describe(self) -> str:
        """Return for example `a ReluScale`."""
        return f"a {self.cls.name}"

    def getattr(self, ctx: Context, name: str, span: Span) -> KernelValue:
        """Read an attribute, a method, or a constant of the class."""
        found = self.attrs.get(name)
        if found is not None:
            return found
        method = self.method(name)
        if self.assumed and isinstance(method, FunctionValue) and _is_abstract(method.node):
            ctx.incomplete = True
            return POISON
        if method is not None:
            return method
        constant = class_constant(self.cls, name)
        if constant is not None:
            return constant
        if not self.complete or ctx.static:
            return POISON
        end = span.end_column
        place = type(span)(span.file, span.end_line, end - len(name), span.end_line, end)
        return ctx.fail(no_member.report(f"`{self.cls.name}`", name, self.attrs, span, place))

    def method(self, name: str) -> KernelValue | None:
        """Return a method bound to this object; None when the class and its bases have none."""
        for cls in lineage(self.cls):
            for node in cls.node.body:
                if isinstance(node, ast.FunctionDef) and node.name == name:
                    plain = any(
                        isinstance(item, ast.Name) and item.id == "staticmethod" for item in node.decorator_list
                    )
                    return FunctionValue(node, cls.module, jit=False, owner=None if plain else self)
        return None

    def setattr(self, ctx: Context, name: str, value: KernelValue, span: Span) -> None:
        """Store configuration, in host code."""
        if ctx.static:
            self.attrs[name] = value
            return
        ctx.not_supported(
            f"attributes of {self.describe()} are set in `__init__`, not while the kernel runs", span,
            "Use a local variable.",
        )  # fmt: skip

    def call(
        self, ctx: Context, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
    ) -> KernelValue:
        """Call `__call__`, in host code."""
        method = self.method("__call__")
        if method is not None:
            return method.call(ctx, args, kwargs, span)
        return POISON if ctx.static else ctx.not_supported(f"{self.describe()} cannot be called", span)

    def is_compile_time(self) -> bool:
        """Return True."""
        return True


def lineage(cls: ClassValue) -> list[ClassValue]:
    """Return a class and its bases in the user's modules, nearest first."""
    found: list[ClassValue] = []
    pending = [cls]
    while pending:
        current = pending.pop(0)
        if any(item.node is current.node for item in found):
            continue
        found.append(current)
        for base in current.node.bases:
            value = current.module.lookup(base.id) if isinstance(base, ast.Name) else None
            if isinstance(value, ClassValue):
                pending.append(value)
    return found


def class_constant(cls: ClassValue, name: str) -> KernelValue | None:
    """Return a constant that a class body assigns; None when there is none."""
    for owner in lineage(cls):
        for node in owner.node.body:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(
                node, ast.AnnAssign) else []  # fmt: skip
            value = getattr(node, "value", None)
            if value is not None and any(isinstance(item, ast.Name) and item.id == name for item in targets):
                return owner.module.evaluate(value)
    return None


def instantiate(
    ctx: Context, cls: ClassValue, args: Sequence[KernelValue], kwargs: Mapping[str, KernelValue], span: Span
) -> InstanceValue:
    """Make an object by walking `__init__` in host code; what it computes from unknowns is unknown."""
    instance = InstanceValue(cls)
    init = instance.method("__init__")
    if not isinstance(init, FunctionValue):
        instance.complete = not cls.node.bases
        return instance
    if not ctx.static:
        instance.complete = False
        return instance
    # Unknown values are not stored: a name that the constructor assigns exists all the same.
    instance.attrs |= dict.fromkeys(_assigned(init.node), POISON)
    inline(ctx, init, args, kwargs, span, run_time=False)
    # Attributes may come from code that was not understood (super().__init__, setattr, loops over host data).
    instance.complete = len(lineage(cls)) == 1 and not any(isinstance(node, ast.Call) for node in ast.walk(init.node))
    return instance


def _assigned(node: ast.FunctionDef) -> list[str]:
    """Return the attributes of `self` that a constructor assigns."""
    owner = node.args.args[0].arg if node.args.args else ""
    return [
        item.attr
        for item in ast.walk(node)
        if isinstance(item, ast.Attribute)
        and isinstance(item.ctx, ast.Store)
        and isinstance(item.value, ast.Name)
        and item.value.id == owner
    ]


def unknown_instance(ctx: Context, cls: ClassValue, span: Span) -> InstanceValue:
    """Make an object whose constructor arguments are not known."""
    init = InstanceValue(cls).method("__init__")
    unknown: dict[str, KernelValue] = {}
    if isinstance(init, FunctionValue):
        arguments = init.node.args
        plain = [*arguments.posonlyargs, *arguments.args][1:]
        unknown = {item.arg: POISON for item in (*plain, *arguments.kwonlyargs)}
    instance = instantiate(ctx, cls, [], unknown, span)
    instance.assumed = True
    return instance


def _is_abstract(node: ast.FunctionDef) -> bool:
    """Tell whether a method only says that derived classes have it."""
    body = [item for item in node.body if not (isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant))]
    return all(isinstance(item, ast.Raise | ast.Pass) for item in body)
