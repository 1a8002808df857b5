# SPDX-License-Identifier: Apache-2.0
"""Failed checks of a run: one diagnostic per site, counted."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, cast

from asclens_compiler.backends.simulator.api import Checks, Finding, OnViolation
from asclens_compiler.diagnostics.model import Diagnostic, Related, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span


class StopRun(Exception):  # noqa: N818 - not an error: it ends or pauses a run
    """Stop the run at the current instruction because a check failed."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


@dataclass(slots=True)
class _Entry:
    diagnostic: Diagnostic
    core: int
    step: int
    count: int = 1


@dataclass(slots=True)
class Findings:
    """Collect failed checks; `step` is set by the scheduler."""

    checks: Checks
    on_violation: OnViolation
    kernel: str
    soc: str
    step: int = 0
    silent: bool = False  # while re-executing what was checked before
    _found: dict[Hashable, _Entry] = field(default_factory=dict[Hashable, _Entry])

    def report(
        self,
        rule: Rule,
        span: Span,
        core: int,
        /,
        *,
        key: Hashable = None,
        calls: tuple[Span, ...] = (),
        related: tuple[Related, ...] = (),
        **values: object,
    ) -> Diagnostic:
        """Add a finding, or count it when its site (rule, span, `key`) is known; return its diagnostic.

        Raises StopRun for the first error of a site when the run is to stop at violations.
        """
        site = (rule.code, span, key)
        entry = self._found.get(site)
        if entry is not None:
            entry.count += not self.silent
            return entry.diagnostic
        chain = tuple(Related(span=call, message="called from here") for call in calls)
        found = rule.report(span, related=(*related, *chain), **cast("dict[str, Any]", values))
        diagnostic = found.located(kernel=self.kernel, specialisation="", soc=self.soc)
        if self.silent or self.checks is Checks.NONE:
            return diagnostic
        self._found[site] = _Entry(diagnostic, core, self.step)
        if self.on_violation is OnViolation.STOP and diagnostic.severity is Severity.ERROR:
            raise StopRun(diagnostic)
        return diagnostic

    def all(self) -> tuple[Finding, ...]:
        """Return all findings in order of first appearance."""
        return tuple(
            Finding(diagnostic=entry.diagnostic, core=entry.core, step=entry.step, count=entry.count)
            for entry in self._found.values()
        )
