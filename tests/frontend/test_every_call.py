# SPDX-License-Identifier: Apache-2.0
"""Every public call compiles in every form, and odd arguments give findings, not exceptions."""

from __future__ import annotations

from asclens_compiler.opset.model import NO_DEFAULT
from call_samples import HEAD, VALUES, call_samples, callable_rows, callee, value_of
from frontend_cases import analyse
from hypothesis import given, settings
from hypothesis import strategies as st

ROWS = list(callable_rows())
ODD = [*VALUES.values(), "n", "f", "n > 1", "(t, t)", "[]", "[t]", "''", "-1", "1 << 40", "asc", "asc.add", "kernel",
       "asc.TPosition", "asc.TPosition.VECIN", "t[n:]", "g[0]", "x + n", "range(3)", "missing", "None", "f'{n}'",
       "asc.DataCopyParams()", "pipe", "alloc"]  # fmt: skip


def test_every_overload_compiles() -> None:
    samples = list(call_samples())
    assert len(samples) > 500
    wrong: list[str] = []
    for sample in samples:
        analysis = analyse(sample.text)
        (kernel,) = analysis.kernels
        wrong += [f"{sample.name}: {item.code} {item.message}" for item in analysis.diagnostics]
        if not analysis.diagnostics:
            assert kernel.ok
            assert kernel.unit is not None
            wrong += [f"{sample.name}: {item.message}" for item in kernel.unit.verify()]
    assert wrong == []


@settings(max_examples=300, deadline=None, print_blob=True)
@given(st.sampled_from(ROWS), st.data())
def test_odd_arguments(pair: tuple, data: st.DataObject) -> None:
    row, overload = pair
    arguments = [
        f"{param.name}={data.draw(st.sampled_from(ODD)) if data.draw(st.booleans()) else value_of(param)}"
        for param in overload.params
        if param.default == NO_DEFAULT or data.draw(st.booleans())
    ]
    analyse(f"{HEAD}    r = {callee(row)}({', '.join(arguments)})\n    asc.printf('%d', r)\n", facts=True)


@settings(max_examples=150, deadline=None, print_blob=True)
@given(
    st.sampled_from(ODD),
    st.sampled_from(ODD),
    st.sampled_from(["+", "-", "*", "//", "==", "<", "and", "is", "&", "in"]),
)
def test_odd_operands(left: str, right: str, operator: str) -> None:
    body = f"    r = {left} {operator} {right}\n    if r:\n        r = {right}\n    for i in {left}:\n        r = i\n"
    body += (
        f"    q2 = [{left}, {right}][0]\n    while {left}:\n        r = {right}\n    r2 = {left} if {right} else 0\n"
    )
    analyse(
        HEAD + body + f"    {left}.y = {right}\n    with {left} as w:\n        pass\n"
        if "'" not in left
        else HEAD + body
    )
