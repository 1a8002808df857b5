# SPDX-License-Identifier: Apache-2.0
"""ASC909: a flag may be set again before its last wait was taken."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC909",
    name="flag-reused-unordered",
    severity=Severity.ADVICE,
    message=(
        "Flag {flag} may be set again before pipe {target} has taken it; pipe {source} never waits for pipe {target}."
    ),
    help="Let {source} wait for {target} before the next set (a reverse flag), or alternate event ids.",
    message_zh=("标志 {flag} 可能在流水 {target} 取走之前再次置位；流水 {source} 从不等待流水 {target}。"),
    help_zh=("在下一次置位前让 {source} 等待 {target}（反向标志），或交替使用 event id。"),
    source="CANN Ascend C API reference, SetFlag/WaitFlag: a flag is one bit.",
)
