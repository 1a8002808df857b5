# SPDX-License-Identifier: Apache-2.0
"""ASC807: a helper called with other constants or types."""

from __future__ import annotations

from collections.abc import Sequence

from asclens_compiler.diagnostics.model import Diagnostic, Related, Severity
from asclens_compiler.diagnostics.rule import Rule
from asclens_compiler.source.span import Span

RULE = Rule(
    code="ASC807",
    name="helper-reused",
    severity=Severity.WARNING,
    message=(
        "pyasc 1.1.1 compiles `{name}` once, for its first call, and reuses that code here although {changed} "
        "differ. AscLens inlines each call."
    ),
    help="Use a second helper, or pass numbers as run-time parameters.",
    message_zh="pyasc 1.1.1 只按首次调用编译 `{name}`，虽然 {changed} 不同，此处仍复用。AscLens 逐次内联。",
    help_zh="请使用另一个辅助函数，或以运行期参数传递数值。",
    source="pyasc 1.1.1 call_jit_function: the bare name is the only key; probes c12, c13",
)


def report(name: str, changed: Sequence[str], first: Span, span: Span) -> Diagnostic:
    """Make the diagnostic, pointing at the first call."""
    listed = " and ".join(f"`{item}`" for item in changed) or "its arguments"
    related = (Related(span=first, message="First called here"),)
    return RULE.report(span, name=name, changed=listed, related=related)
