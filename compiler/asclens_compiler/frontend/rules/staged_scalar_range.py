# SPDX-License-Identifier: Apache-2.0
"""ASC142: a number beside a tensor is not a value of its element type."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC142",
    name="scalar-range",
    severity=Severity.ERROR,
    message="{number} does not fit {dtype}, the element type of the tensor beside it ({low} to {high}).",
    help="Use a number in that range, or convert the tensor first with `.to(...)`.",
    message_zh="{number} 超出旁边张量的元素类型 {dtype} 的范围（{low} 到 {high}）。",
    help_zh="请使用范围内的数，或先用 `.to(...)` 转换张量。",
    source="staged surface: a scalar beside a tensor takes its element type",
)
