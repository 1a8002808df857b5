# SPDX-License-Identifier: Apache-2.0
"""Name resolution: module globals, builtins, surface names; locals are found before this is asked."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from asclens_compiler.frontend.builtins import BUILTINS
from asclens_compiler.frontend.rules import undefined_name
from asclens_compiler.frontend.values import POISON, KernelValue

if TYPE_CHECKING:
    from asclens_compiler.frontend.context import Context


def lookup(ctx: Context, name: str, node: ast.AST) -> KernelValue:
    """Return what a name that is not a local stands for, or report it."""
    frame = ctx.frame
    span = ctx.span(node)
    lost = frame.scope.lost.get(name)
    value = frame.module.lookup(name)
    if value is None and lost is None:
        value = BUILTINS.get(name)
        if value is None:
            value = ctx.surface.unbound_name(ctx, name, span)
    if value is not None:
        return value
    if ctx.static:
        return POISON
    if lost is not None:
        return ctx.fail(undefined_name.report_lost(name, lost, span))
    known = [*frame.scope.values, *frame.module.names(), *BUILTINS]
    return ctx.fail(undefined_name.report(name, known, span))
