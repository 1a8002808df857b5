# SPDX-License-Identifier: Apache-2.0
"""An AscIR operand of the wrong kind."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC192",
    name="ir-operand",
    severity=Severity.ERROR,
    message="operand {operand} of {op} is {given}, it must be {needed}",
    help="Pass {needed} as {operand}.",
    message_zh="{op} 的操作数 {operand} 是 {given}，应为 {needed}",
    help_zh="请将 {needed} 作为 {operand} 传入。",
    source="opset row of the op",
)
