# SPDX-License-Identifier: Apache-2.0
"""ASC147: a local copy of a slice whose length cannot be bounded."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC147",
    name="unknown-length",
    severity=Severity.ERROR,
    message="The length of this slice has no upper bound that the compiler can see.",
    help="Write it as `x[start : start + TILE]`, or end it at `stop if stop < n else n` with `stop = start + TILE`.",
    message_zh="编译器无法确定该切片长度的上界。",
    help_zh="请写成 `x[start : start + TILE]`，或用 `stop if stop < n else n`（其中 `stop = start + TILE`）作为终点。",
    source="staged surface: UB is allocated while compiling",
)
