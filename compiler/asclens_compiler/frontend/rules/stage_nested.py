# SPDX-License-Identifier: Apache-2.0
"""ASC204: stages do not nest."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC204",
    name="nested-stage",
    severity=Severity.ERROR,
    message="A {inner} stage begins inside the {outer} stage of line {line}.",
    help="End the {outer} stage before, or leave out the inner pair: stages do not nest.",
    message_zh="在第 {line} 行的 {outer} 阶段内又开始了 {inner} 阶段。",
    help_zh="请先结束 {outer} 阶段，或去掉内层的一对标记：阶段不能嵌套。",
    source="staged surface: stages do not nest",
)
