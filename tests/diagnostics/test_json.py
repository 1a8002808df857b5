# SPDX-License-Identifier: Apache-2.0
"""Diagnostics survive JSON and back, whatever they hold."""

from __future__ import annotations

import json

from asclens_compiler.diagnostics.json import all_from_json, all_to_json, span_from_list, span_to_list, to_json
from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Edit, Fix, Related, Severity
from asclens_compiler.source.span import Span
from hypothesis import given
from hypothesis import strategies as st

texts = st.text(max_size=12)
numbers = st.integers(1, 10**6)
spans = st.builds(Span, texts, numbers, numbers, numbers, numbers)
fixes = st.builds(
    Fix,
    title=texts,
    applicability=st.sampled_from(Applicability),
    edits=st.lists(st.builds(Edit, span=spans, new_text=texts), max_size=2).map(tuple),
)
diagnostics = st.builds(
    Diagnostic,
    code=texts,
    name=texts,
    severity=st.sampled_from(Severity),
    message=texts,
    span=spans,
    help=texts,
    related=st.lists(st.builds(Related, span=spans, message=texts), max_size=2).map(tuple),
    fixes=st.lists(fixes, max_size=2).map(tuple),
    kernel=texts,
    specialisation=texts,
    soc=texts,
)


@given(st.lists(diagnostics, max_size=3))
def test_round_trip(found: list[Diagnostic]) -> None:
    text = json.dumps(all_to_json(found), ensure_ascii=False)
    assert all_from_json(json.loads(text)) == tuple(found)


@given(spans)
def test_short_spans_round_trip(span: Span) -> None:
    assert span_from_list(span.file, span_to_list(span)) == span


def test_keys_are_the_documented_ones() -> None:
    span = Span("k.py", 3, 5, 3, 9)
    found = Diagnostic(code="ASC201", name="missing-stage", severity=Severity.ERROR, message="m", span=span)
    value = to_json(found)
    assert list(value) == [
        "file", "code", "name", "severity", "message", "help", "range", "related", "kernel", "specialisation",
        "soc", "fixes",
    ]  # fmt: skip
    assert value["range"] == {"start": {"line": 3, "column": 5}, "end": {"line": 3, "column": 9}}
