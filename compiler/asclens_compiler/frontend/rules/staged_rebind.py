# SPDX-License-Identifier: Apache-2.0
"""ASC144: a value does not match the allocation its name was declared with."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC144",
    name="declared-tensor",
    severity=Severity.ERROR,
    message="`{name}` is declared as {declared} but gets {given}.",
    help="Declare it with the shape and element type of its value, or use another name.",
    message_zh="`{name}` 声明为 {declared}，却被赋值为 {given}。",
    help_zh="请按所赋的值声明其形状和元素类型，或使用另一个名字。",
    source="staged surface: assigning to a declared tensor stores into its allocation",
)
