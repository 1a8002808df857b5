# SPDX-License-Identifier: Apache-2.0
"""ASC148: a declared tensor is read before anything is stored in it."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC148",
    name="unassigned-tensor",
    severity=Severity.ERROR,
    message="`{operation}` reads a tensor in which nothing has been stored yet.",
    help="Assign it first, or fill it with `duplicate(tensor, 0)`.",
    message_zh="`{operation}` 读取了尚未写入任何内容的张量。",
    help_zh="请先赋值，或用 `duplicate(tensor, 0)` 填充。",
    source="staged surface: `Tensor(...)` allocates, it does not fill",
)
