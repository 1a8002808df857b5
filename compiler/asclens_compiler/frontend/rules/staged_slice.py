# SPDX-License-Identifier: Apache-2.0
"""ASC146: a slice reaches outside its tensor."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC146",
    name="slice-range",
    severity=Severity.ERROR,
    message="`{name}[{start}:{stop}]` reaches outside the {extent} {unit} of `{name}`.",
    help="Keep both bounds between 0 and {extent}.",
    message_zh="`{name}[{start}:{stop}]` 超出 `{name}` 的 {extent} 个{unit}。",
    help_zh="两个边界都应在 0 到 {extent} 之间。",
    source="staged surface: slices lie in their tensor",
)
