# SPDX-License-Identifier: Apache-2.0
"""Attributes of an operator object that only a launch knows, as run-time numbers: what their use says of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from asclens_compiler.ascir.types import ScalarType
from asclens_compiler.frontend.scalars import BIT, Scalar
from asclens_compiler.frontend.staged.instances import InstanceValue, lineage
from asclens_compiler.frontend.values import POISON
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context
    from asclens_compiler.source.span import Span

_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_COUNTED = frozenset({"range", "static_range"})
_MARK = "unknown attributes"
_SIZES_FROM = 3  # matmul(a, b, c, m, n, k)


def name_unknowns(ctx: Context, instance: InstanceValue, span: Span) -> InstanceValue:
    """Return the object with a run-time number for each unknown attribute that can only be one.

    They are made where the kernel begins, so that every use of an attribute is the same number.
    """
    missing = {name for name, value in instance.attrs.items() if value is POISON}
    if not missing:
        return instance
    uses = _Uses()
    for cls in lineage(instance.cls):
        for node in cls.node.body:
            if isinstance(node, ast.FunctionDef) and node.name != "__init__" and node.args.args:
                uses.collect(node)
    attrs = dict(instance.attrs)
    for name in sorted(missing):
        dtype = DType.INT32 if name in uses.integers else BIT if name in uses.conditions - uses.others else None
        if dtype is None:
            continue
        given = {"what": f"self.{name}", "predicate": ""}
        results = [ScalarType(dtype)]
        value = ctx.builder.op("unknown_scalar", [[]], attrs=given, results=results, span=span, names=(name,))[0]
        attrs[name] = Scalar(value, dtype, unknown_const=True)
        ctx.singletons[_MARK] = (attrs[name], span)
    return replace(instance, attrs=attrs)


def has_unknowns(ctx: Context) -> bool:
    """Tell whether the kernel computes with attributes that only a launch knows."""
    return _MARK in ctx.singletons


@dataclass(slots=True)
class _Uses:
    """Attributes of `self` by what their places tell: integers, conditions, anything else."""

    integers: set[str] = field(default_factory=set[str])
    conditions: set[str] = field(default_factory=set[str])
    others: set[str] = field(default_factory=set[str])

    def collect(self, method: ast.FunctionDef) -> None:
        """Read one method."""
        owner = method.args.args[0].arg
        assigned: dict[str, list[ast.expr]] = {}
        for item in ast.walk(method):
            if isinstance(item, ast.Assign) and len(item.targets) == 1 and isinstance(item.targets[0], ast.Name):
                assigned.setdefault(item.targets[0].id, []).append(item.value)
        pending = [part for item in ast.walk(method) for part in _integer_places(item)]
        names: set[str] = set()
        while pending:
            leaf = pending.pop()
            if isinstance(leaf, ast.Name) and leaf.id not in names:
                names.add(leaf.id)
                pending += [part for value in assigned.get(leaf.id, ()) for part in _summands(value)]
            elif name := _attribute(leaf, owner):
                self.integers.add(name)
        bare = {id(part) for item in ast.walk(method) for part in _conditions(item)}
        for item in ast.walk(method):
            if name := _attribute(item, owner):
                (self.conditions if id(item) in bare else self.others).add(name)


def _attribute(node: ast.AST, owner: str) -> str:
    """Return `n` for `self.n`, nothing for anything else."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name) or node.value.id != owner:
        return ""
    return node.attr


def _integer_places(node: ast.AST) -> Iterator[ast.expr]:
    """Return the summands of an expression whose place takes integers only."""
    places: Sequence[ast.expr | None] = ()
    if isinstance(node, ast.Slice):
        places = (node.lower, node.upper)
    elif isinstance(node, ast.Call):
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if called in _COUNTED:
            places = node.args
        elif called == "matmul":
            places = node.args[_SIZES_FROM:]
        elif called == "Tensor":
            shapes = [item.value for item in node.keywords if item.arg == "shape"] or node.args[:1]
            places = [part for shape in shapes if isinstance(shape, ast.Tuple | ast.List) for part in shape.elts]
    for place in places:
        if place is not None:
            yield from _summands(place)


def _summands(node: ast.expr) -> Iterator[ast.expr]:
    """Return the operands of sums, products, minima and choices: integers where the whole is one."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, _WHOLE):
        yield from _summands(node.left)
        yield from _summands(node.right)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        yield from _summands(node.operand)
    elif isinstance(node, ast.IfExp):
        yield from _summands(node.body)
        yield from _summands(node.orelse)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("min", "max"):
        for item in node.args:
            yield from _summands(item)
    else:
        yield node


def _conditions(node: ast.AST) -> Iterator[ast.expr]:
    """Return the parts of a condition that stand alone: `a`, and both of `a and not b`."""
    pending = [node.test] if isinstance(node, ast.If | ast.IfExp) else []
    while pending:
        item = pending.pop()
        if isinstance(item, ast.BoolOp):
            pending += item.values
        elif isinstance(item, ast.UnaryOp) and isinstance(item.op, ast.Not):
            pending.append(item.operand)
        else:
            yield item
