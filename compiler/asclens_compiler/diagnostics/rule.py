# SPDX-License-Identifier: Apache-2.0
"""Rules: one row of data per kind of finding, found by listing folders."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache

from asclens_compiler.diagnostics.model import Diagnostic, Fix, Related, Severity
from asclens_compiler.source.span import Span

# Folders that hold one module per rule; each module has a `RULE`.
RULE_PACKAGES = (
    "asclens_compiler.frontend.rules",
    "asclens_compiler.ascir.rules",
    "asclens_compiler.analysis.rules",
    "asclens_compiler.backends.simulator.rules",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Describe one kind of finding; `{names}` in the texts are filled by `report`.

    `message` is one sentence with the fact and both numbers, `help` says what to do; `*_zh` are
    the same in Simplified Chinese; `source` cites where the limit or behaviour is stated.
    """

    code: str
    name: str
    severity: Severity
    message: str
    help: str
    message_zh: str
    help_zh: str
    source: str

    def report(
        self,
        span: Span,
        *,
        related: tuple[Related, ...] = (),
        fixes: tuple[Fix, ...] = (),
        severity: Severity | None = None,
        **values: object,
    ) -> Diagnostic:
        """Make a diagnostic of this rule at `span`."""
        return Diagnostic(
            code=self.code,
            name=self.name,
            severity=severity or self.severity,
            message=self.message.format(**values),
            span=span,
            help=self.help.format(**values),
            related=related,
            fixes=fixes,
        )


@cache
def load_rules() -> dict[str, Rule]:
    """Return all rules by code, found by listing the rule folders."""
    found: dict[str, Rule] = {}
    for name in RULE_PACKAGES:
        try:
            package = importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is not None and name.startswith(error.name):
                continue
            raise
        for info in pkgutil.iter_modules(package.__path__):
            rule = getattr(importlib.import_module(f"{name}.{info.name}"), "RULE", None)
            if isinstance(rule, Rule):
                if rule.code in found:
                    raise ValueError(f"two rules have the code {rule.code}")
                found[rule.code] = rule
    return dict(sorted(found.items()))
