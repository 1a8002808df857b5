# SPDX-License-Identifier: Apache-2.0
"""ASC010: a chained comparison."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC010",
    name="comparison-chain",
    severity=Severity.ERROR,
    message="A comparison in a kernel has one operator, this one has {count}.",
    help="Write {rewritten}.",
    message_zh="核函数中的比较只能有一个运算符，此处有 {count} 个。",
    help_zh="请写成 {rewritten}。",
    source="pyasc 1.1.1 front end",
)


_SYMBOLS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


def report(node: ast.Compare, texts: Sequence[str], span: Span) -> Diagnostic:
    """Make the diagnostic; `texts` are the compared expressions as written."""
    pairs = zip(texts[:-1], node.ops, texts[1:], strict=True)
    parts = [f"({left} {_SYMBOLS[type(op)]} {right})" for left, op, right in pairs]
    text = parts[0]
    for part in parts[1:]:
        text = f"{text} and {part}" if text == parts[0] else f"({text}) and {part}"
    fixes: tuple[Fix, ...] = ()
    if span.line == span.end_line:
        edit = Edit(span=span, new_text=text)
        fixes = (Fix(title="Compare in pairs", applicability=Applicability.UNSAFE, edits=(edit,)),)
    return RULE.report(span, count=len(node.ops), rewritten=f"`{text}`", fixes=fixes)
