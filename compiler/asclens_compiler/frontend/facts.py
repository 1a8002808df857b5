# SPDX-License-Identifier: Apache-2.0
"""What the editor can show for a piece of kernel text (hover, inlay hints), as plain data."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFact:
    """A call: the public name, the op it became, where that runs, and its Ascend C spelling."""

    span: Span
    api: str
    op: str = ""
    pipe: str = ""
    cpp: str = ""
    summary: str = ""
    overload: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFact:
    """A name or expression; None where a property is unknown or does not apply."""

    span: Span
    name: str
    type: str
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    bytes: int | None = None
    memory: str | None = None
    position: str | None = None
    address: int | None = None
    constant: str | None = None


Fact = CallFact | ValueFact
