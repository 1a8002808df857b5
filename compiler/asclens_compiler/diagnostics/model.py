# SPDX-License-Identifier: Apache-2.0
"""What the tools say about a user's program: diagnostics and fixes, as data."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from asclens_compiler.source.span import Span


class Severity(Enum):
    """Order findings by what they mean for the run."""

    ERROR = "error"
    WARNING = "warning"
    ADVICE = "advice"


class Applicability(Enum):
    """Say how far a fix may be trusted."""

    SAFE = "safe"
    UNSAFE = "unsafe"
    DISPLAY_ONLY = "display-only"


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """Replace the text of `span` (may be empty: insertion) by `new_text`."""

    span: Span
    new_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Offer a change that removes a diagnostic."""

    title: str
    applicability: Applicability
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Point at a second place that takes part in a finding."""

    span: Span
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """State one fact about the user's program, with the code of the rule that found it."""

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    help: str = ""
    related: tuple[Related, ...] = ()
    fixes: tuple[Fix, ...] = ()
    kernel: str = ""
    specialisation: str = ""
    soc: str = ""

    def located(self, *, kernel: str, specialisation: str, soc: str) -> Diagnostic:
        """Return a copy that names the kernel, launch and chip it belongs to."""
        return replace(self, kernel=kernel, specialisation=specialisation, soc=soc)
