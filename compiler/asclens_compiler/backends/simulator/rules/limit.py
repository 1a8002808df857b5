# SPDX-License-Identifier: Apache-2.0
"""ASC918: a run reached the limit of steps or seconds."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC918",
    name="run-limit-reached",
    severity=Severity.ERROR,
    message="The run was stopped here after {value} {unit}, the limit is {limit}.",
    help="Check the loop for an end that is never reached, or raise the limit.",
    message_zh="运行在 {value} {unit} 后在此处停止，上限为 {limit}。",
    help_zh="检查循环是否永不结束，或提高上限。",
    source="Limits are options of the run.",
)
