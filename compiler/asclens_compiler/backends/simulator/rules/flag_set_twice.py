# SPDX-License-Identifier: Apache-2.0
"""ASC907: a flag is set while it is still set."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC907",
    name="flag-set-twice",
    severity=Severity.ERROR,
    message="Flag {flag} is set again before anything waited for it.",
    help="Wait for the flag between the two sets, or use another event id.",
    message_zh="标志 {flag} 在被等待之前又被置位。",
    help_zh="在两次 set_flag 之间等待该标志，或使用另一个 event id。",
    source=("CANN Ascend C API reference, SetFlag/WaitFlag: two sets without a wait between them are undefined."),
)
