# SPDX-License-Identifier: Apache-2.0
"""What one check of one document version found, as plain data for the features."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from asclens_compiler.diagnostics.json import all_from_json, span_from_list
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.source.span import Span


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFact:
    """One API call of a kernel: what it becomes and where it runs."""

    span: Span
    api: str
    op: str
    pipe: str
    cpp: str
    summary: str
    overload: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ValueFact:
    """One named value of a kernel; None means that only a launch knows."""

    span: Span
    name: str
    type: str
    dtype: str | None
    shape: tuple[int, ...] | None
    size_bytes: int | None
    memory: str | None
    position: str | None
    address: int | None
    constant: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """One kernel of the document; `runnable` tells whether Run can launch it or its file."""

    name: str
    surface: str
    span: Span
    runnable: bool
    launches: tuple[str, ...]
    ub_bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """All results for one version of one document."""

    file: str
    version: int
    diagnostics: tuple[Diagnostic, ...]
    kernels: tuple[Kernel, ...]
    calls: tuple[CallFact, ...]
    values: tuple[ValueFact, ...]

    def call_at(self, line: int, column: int) -> CallFact | None:
        """Return the innermost call at a position."""
        return _innermost(fact for fact in self.calls if fact.span.contains(line, column))

    def value_at(self, line: int, column: int) -> ValueFact | None:
        """Return the innermost named value at a position."""
        return _innermost(fact for fact in self.values if fact.span.contains(line, column))


def _innermost(facts: Iterable[Any]) -> Any:
    return max(facts, key=lambda fact: (fact.span.line, fact.span.column, -fact.span.end_column), default=None)


def snapshot_from_json(file: str, version: int, result: Mapping[str, Any]) -> Snapshot:
    """Turn the engine's answer to `check` into a snapshot."""
    facts = result.get("facts", ())
    return Snapshot(
        file=file,
        version=version,
        diagnostics=all_from_json(result["diagnostics"]),
        kernels=tuple(_kernel(file, item) for item in result.get("kernels", ())),
        calls=tuple(_call(file, item) for item in facts if item["kind"] == "call"),
        values=tuple(_value(file, item) for item in facts if item["kind"] == "value"),
    )


def _kernel(file: str, item: Mapping[str, Any]) -> Kernel:
    return Kernel(
        name=item["name"],
        surface=item["surface"],
        span=span_from_list(file, item["span"]),
        runnable=bool(item.get("runnable")),
        launches=tuple(item.get("launches") or ()),
        ub_bytes=item.get("ub_bytes"),
    )


def _call(file: str, item: Mapping[str, Any]) -> CallFact:
    return CallFact(
        span=span_from_list(file, item["span"]),
        api=item["api"],
        op=item.get("op") or "",
        pipe=item.get("pipe") or "",
        cpp=item.get("cpp") or "",
        summary=item.get("summary") or "",
        overload=item.get("overload") or "",
    )


def _value(file: str, item: Mapping[str, Any]) -> ValueFact:
    shape = item.get("shape")
    constant = item.get("constant")
    return ValueFact(
        span=span_from_list(file, item["span"]),
        name=item["name"],
        type=item.get("type") or "",
        dtype=item.get("dtype"),
        shape=tuple(shape) if shape is not None else None,
        size_bytes=item.get("bytes"),
        memory=item.get("memory"),
        position=item.get("position"),
        address=item.get("address"),
        constant=None if constant is None else str(constant),
    )
