# SPDX-License-Identifier: Apache-2.0
"""A stage marker without its partner in the same block."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC194",
    name="ir-stage",
    severity=Severity.ERROR,
    message="ascir.{marker} of unit {unit} has no partner in its block",
    help="Pair ascir.stage_start and ascir.stage_end of one unit in one block.",
    message_zh="单元 {unit} 的 ascir.{marker} 在其代码块中没有配对",
    help_zh="请在同一代码块中为同一单元配对 ascir.stage_start 与 ascir.stage_end。",
    source="AscIR: stages do not nest and pair in one block",
)
