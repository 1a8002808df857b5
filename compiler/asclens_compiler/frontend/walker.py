# SPDX-License-Identifier: Apache-2.0
"""The walk over a kernel's syntax tree: statement and expression dispatch with recovery."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from asclens_compiler.frontend import control, expressions, hostcode, loops, statements
from asclens_compiler.frontend.context import Context
from asclens_compiler.frontend.rules import nesting, unsupported_syntax
from asclens_compiler.frontend.values import POISON, KernelValue

MAX_NESTING = 500

STATEMENTS = {**statements.HANDLERS, **control.HANDLERS, **loops.HANDLERS}
EXPRESSIONS: dict[type[ast.expr], Any] = {**expressions.HANDLERS, ast.IfExp: control.conditional}
HOST_STATEMENTS = {**STATEMENTS, **hostcode.STATEMENTS}
HOST_EXPRESSIONS = {**EXPRESSIONS, **hostcode.EXPRESSIONS}


class Walker:
    """Walk statements and expressions in program order, calling one handler per node class.

    A handler reports what is wrong and the walk goes on with the next statement. Nesting (of the
    source and of inlined helpers together) is limited to `MAX_NESTING`.
    """

    __slots__ = ("_expressions", "_statements", "ctx", "depth")

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.depth = 0
        ctx.walker = self
        self._statements = HOST_STATEMENTS if ctx.static else STATEMENTS
        self._expressions = HOST_EXPRESSIONS if ctx.static else EXPRESSIONS

    def body(self, nodes: Sequence[ast.stmt]) -> None:
        """Walk statements until the activation returns."""
        frame = self.ctx.frame
        for node in nodes:
            if frame.returned is not None:
                return
            self.statement(node)

    def statement(self, node: ast.stmt) -> None:
        """Walk one statement."""
        handler = self._statements.get(type(node))
        if handler is None:
            self.ctx.fail(unsupported_syntax.report(node, self.ctx.span(node)))
            return
        ctx = self.ctx
        ctx.statements_left -= 1
        if ctx.statements_left <= 0:
            ctx.spent(ctx.span(node))
            return
        if self.depth >= MAX_NESTING and self._too_deep(node):
            return
        self.depth += 1
        handler(self, node)
        self.depth -= 1

    def expression(self, node: ast.expr) -> KernelValue:
        """Evaluate one expression."""
        handler = self._expressions.get(type(node))
        if handler is None:
            return self.ctx.fail(unsupported_syntax.report(node, self.ctx.span(node)))
        if self.depth >= MAX_NESTING and self._too_deep(node):
            return POISON
        self.depth += 1
        value = handler(self, node)
        self.depth -= 1
        return value

    def _too_deep(self, node: ast.AST) -> bool:
        self.ctx.fail(nesting.report(MAX_NESTING, self.ctx.span(node)))
        return True
