# SPDX-License-Identifier: Apache-2.0
"""An AscIR attribute that names no member of its enum."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC193",
    name="ir-attribute",
    severity=Severity.ERROR,
    message="attribute {attribute} of {op} is {value!r}, which is no member of {enum}",
    help="Use one of the members of asc.{enum}.",
    message_zh="{op} 的属性 {attribute} 为 {value!r}，不是 {enum} 的成员",
    help_zh="请使用 asc.{enum} 的成员。",
    source="opset enum of the attribute",
)
