# SPDX-License-Identifier: Apache-2.0
"""ASC145: a launch passes a tensor that its declaration excludes."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC145",
    name="argument-mismatch",
    severity=Severity.ERROR,
    message="`{name}` is declared as {declared} but the launch passes {given}.",
    help="Pass what is declared, or declare what is passed.",
    message_zh="`{name}` 声明为 {declared}，但启动时传入 {given}。",
    help_zh="请传入与声明一致的张量，或修改声明。",
    source="staged surface: an annotation fixes what it names",
)
