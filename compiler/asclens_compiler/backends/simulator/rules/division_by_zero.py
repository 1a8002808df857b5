# SPDX-License-Identifier: Apache-2.0
"""ASC917: an integer is divided by zero."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC917",
    name="division-by-zero",
    severity=Severity.ERROR,
    message="Integer division {left} / 0.",
    help="Guard the division, or check the launch argument that is zero.",
    message_zh="整数除法 {left} / 0。",
    help_zh="为除法加上判断，或检查为零的启动参数。",
    source="The result of an integer division by zero is undefined in C++.",
)
