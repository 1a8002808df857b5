# SPDX-License-Identifier: Apache-2.0
"""Findings of the verifier as diagnostics of their rules."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verifier.findings import Finding
from asclens_compiler.diagnostics.model import Diagnostic, Fix, Related
from asclens_compiler.diagnostics.rule import Rule

MakeFixes = Callable[[Finding, AnalysisContext], tuple[Fix, ...]]


def report(rule: Rule, item: Finding, context: AnalysisContext, fixes: MakeFixes | None = None) -> Diagnostic:
    """Return the diagnostic of a finding, with the other ops as related places.

    Inside a helper the calls that lead there are related places too.
    """
    related = [Related(span=op.span, message=text) for op, text in item.others]
    related += [Related(span=span, message="called from here") for span in item.op.calls[:3]]
    made = fixes(item, context) if fixes is not None else ()
    values: dict[str, Any] = dict(item.values)
    return rule.report(item.op.span, related=tuple(related), fixes=made, **values)
