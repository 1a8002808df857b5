# SPDX-License-Identifier: Apache-2.0
"""ASC141: tensors of different shapes meet in one operation."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC141",
    name="tensor-shapes",
    severity=Severity.ERROR,
    message="`{operation}` takes tensors of one shape, not {left} and {right}.",
    help="Make the shapes equal; a single number beside a tensor is read with `t[0]` in a SCALAR stage.",
    message_zh="`{operation}` 要求形状相同，而不是 {left} 和 {right}。",
    help_zh="请使形状一致；若要与单个数运算，请在 SCALAR 阶段用 `t[0]` 读出。",
    source="staged surface: no broadcasting between tensors",
)
