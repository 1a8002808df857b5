# SPDX-License-Identifier: Apache-2.0
"""ASC111: a staged function is used by its bare name without import."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC111",
    name="not-imported",
    severity=Severity.ADVICE,
    message="`{name}` is not imported.",
    help="Import it: `from asc import {name}`.",
    message_zh="未导入 `{name}`。",
    help_zh="请导入：`from asc import {name}`。",
    source="staged surface: an unbound name that is a public staged function means it",
)
