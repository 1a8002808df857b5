# SPDX-License-Identifier: Apache-2.0
"""ASC203: a stage that begins or ends alone."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.diagnostics.rule import Rule

RULE = Rule(
    code="ASC203",
    name="unpaired-stage",
    severity=Severity.ERROR,
    message="PipeStage.{mark}(PipeStage.{unit}) has no {partner}{where}.",
    help="{advice}",
    message_zh="PipeStage.{mark}(PipeStage.{unit}) 没有对应的 {partner}{where}。",
    help_zh="{advice}",
    source="staged surface: start and end pair in one block and name one unit",
)
