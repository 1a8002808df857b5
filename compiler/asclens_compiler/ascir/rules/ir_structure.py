# SPDX-License-Identifier: Apache-2.0
"""An AscIR op that MLIR's verifier refuses."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC191",
    name="ir-structure",
    severity=Severity.ERROR,
    message="AscIR op {op} is malformed: {reason}",
    help="Correct the AscIR text; if a Python kernel led here, this is a defect of AscLens worth reporting.",
    message_zh="AscIR 操作 {op} 不合法：{reason}",
    help_zh="请修正 AscIR 文本；如果来自 Python kernel，则是 AscLens 的缺陷，请报告。",
    source="AscIR dialect, generated from the opset",
)
