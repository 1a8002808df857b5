# SPDX-License-Identifier: Apache-2.0
"""ASC143: an operation that tensors of this kind do not have."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC143",
    name="tensor-operator",
    severity=Severity.ERROR,
    message="`{operation}` is not available for {operands}.",
    help="{instead}",
    message_zh="`{operation}` 不支持 {operands}。",
    help_zh="{instead}",
    source="CANN Ascend C: element types of the vector calls on architecture 2201",
)
