# SPDX-License-Identifier: Apache-2.0
"""ASC926: two operands of one instruction overlap in part."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC926",
    name="partial-operand-overlap",
    severity=Severity.ERROR,
    message=(
        "`{op}`: {operand} (bytes {lo} to {hi}) and {other} (bytes {other_lo} to {other_hi}) of {memory} "
        "overlap in part."
    ),
    help="Use the same range for both, or disjoint ranges.",
    message_zh=(
        "`{op}`：{memory} 中的 {operand}（字节 {lo} 到 {hi}）与 {other}（字节 {other_lo} 到 {other_hi}）部分重叠。"
    ),
    help_zh="两者使用相同的范围，或使用不重叠的范围。",
    source="CANN Ascend C API reference, general rules: operands overlap fully or not at all.",
)
