# SPDX-License-Identifier: Apache-2.0
"""ASC018: a `with` in a form that kernels do not have."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC018",
    name="with-form",
    severity=Severity.ERROR,
    message="{fact}.",
    help="Nest one `with` per item and bind plain names.",
    message_zh="{fact}。",
    help_zh="请逐项嵌套 `with`，并绑定简单名字。",
    source="pyasc 1.1.1 front end",
)


def report(count: int, span: Span) -> Diagnostic:
    """Report several items."""
    return RULE.report(span, fact=f"`with` takes one item in a kernel, here are {count}")


def report_target(span: Span) -> Diagnostic:
    """Report a target that is no name."""
    return RULE.report(span, fact="`with ... as` binds one plain name")
