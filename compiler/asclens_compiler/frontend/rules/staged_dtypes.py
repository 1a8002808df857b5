# SPDX-License-Identifier: Apache-2.0
"""ASC140: tensors of different element types meet in one operation."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC140",
    name="tensor-dtypes",
    severity=Severity.ERROR,
    message="`{operation}` takes tensors of one element type, not {left} and {right}.",
    help="Convert one of them first: `.to(dtype=DataType.{wanted})`.",
    message_zh="`{operation}` 要求元素类型相同，而不是 {left} 和 {right}。",
    help_zh="请先转换其中一个：`.to(dtype=DataType.{wanted})`。",
    source="staged surface: no implicit conversion between tensors",
)
