# SPDX-License-Identifier: Apache-2.0
"""Text that is broken, huge or deep gives clear findings, never an exception."""

from __future__ import annotations

import pytest
from asclens_compiler.frontend.context import MAX_BLOCKS
from frontend_cases import analyse, found

HEAD = "import asc\n\n\n@asc.jit\ndef kernel(x: asc.GlobalAddress, n: int):\n"


def codes(text: str) -> set[str]:
    return {item.code for item in analyse(text).diagnostics}


@pytest.mark.parametrize("text", ["", "\n", "# only asc in a comment\n", "import os\n", "asc = 1\n", "import asc\n"])
def test_nothing_to_say(text: str) -> None:
    analysis = analyse(text)
    assert analysis.diagnostics == ()
    assert analysis.kernels == ()


def test_syntax_error_has_its_place() -> None:
    analysis = analyse(HEAD + "    y = (1,\n    z = = 2\n")
    (finding,) = analysis.diagnostics
    assert finding.code == "ASC001"
    assert finding.span.line in (6, 7)


@pytest.mark.parametrize(
    "text", ["import asc\0", "import asc\n\x0c\n\tx\n  y", 'import asc\n"""', "import asc\n(" * 300]
)
def test_unreadable_text(text: str) -> None:
    assert codes(text) <= {"ASC001"}


def test_deep_expression() -> None:
    deep = "(" * 150 + "n" + " + 1)" * 150
    assert codes(HEAD + f"    a = {deep}\n") == set()
    assert codes(HEAD + "    a = " + "(" * 1000 + "n" + ")" * 1000 + "\n") == {"ASC001"}
    assert codes(HEAD + "    a = " + "-" * 900 + "n\n") <= {"ASC001", "ASC004"}


def test_long_sum_is_no_nesting() -> None:
    assert codes(HEAD + "    a = n" + " + 1" * 700 + "\n") == set()


def test_deep_blocks() -> None:
    body = "".join("    " + " " * depth + f"if n > {depth}:\n" for depth in range(98))
    text = HEAD + body + "    " + " " * 98 + "asc.printf('x')\n"
    assert codes(text) == set()


def test_blocks_nested_through_helpers() -> None:
    helpers = "".join(
        f"@asc.jit\ndef helper{number}(n: int):\n"
        + "".join("    " + " " * depth + f"if n > {depth}:\n" for depth in range(60))
        + "    " + " " * 60 + (f"helper{number - 1}(n)\n\n\n" if number else "asc.printf('x')\n\n\n")
        for number in range(3)
    )  # fmt: skip
    text = "import asc\n\n\n" + helpers + "@asc.jit\ndef kernel(n: int):\n    helper2(n)\n"
    assert MAX_BLOCKS < 180
    assert codes(text) == {"ASC004"}


def test_chain_of_helpers() -> None:
    chain = "".join(f"@asc.jit\ndef h{k}(n: int):\n    h{k - 1}(n)\n\n\n" for k in range(1, 400))
    text = "import asc\n\n\n@asc.jit\ndef h0(n: int):\n    asc.printf('x')\n\n\n" + chain
    assert codes(text) == {"ASC004"}


def test_many_errors_are_all_reported() -> None:
    body = "".join(f"    a{k} = missing_{k}\n" for k in range(200))
    assert len(analyse(HEAD + body).diagnostics) == 200


def test_unrolling_is_limited() -> None:
    assert codes(HEAD + "    for i in asc.static_range(100000):\n        asc.printf('x')\n") == {"ASC022"}
    nested = HEAD
    for depth in range(4):
        nested += "    " * (depth + 1) + f"for i{depth} in asc.static_range(100):\n"
    assert codes(nested + "    " * 5 + "v = 1\n") == {"ASC022"}


def test_fifty_thousand_lines() -> None:
    lines = "".join(f"    v{k % 50} = n + {k % 100}\n" for k in range(20_000))
    plain = "".join(f"VALUE_{k} = {k}\n" for k in range(30_000))
    assert codes("import asc\n" + plain + HEAD + lines) == set()


@pytest.mark.parametrize(
    "size", ["2 ** 10 ** 10", "'a' * 10 ** 12", "1 << 10 ** 12", "[0] * 10 ** 12", "(1,) * 10 ** 12"]
)
def test_huge_constants_do_not_hang(size: str) -> None:
    assert codes(f"import asc\nBIG = {size}\n\n\n@asc.jit\ndef kernel(n: int):\n    a = BIG\n    b = {size}\n")


def test_columns_count_code_points() -> None:
    ((line, _),) = found("import asc\n\n\n@asc.jit\ndef kernel(n: int):\n    名 = '字🚀'; b = missing\n")
    assert line == 6
    (finding,) = analyse("import asc\n\n\n@asc.jit\ndef kernel(n: int):\n    名 = '字🚀'; b = missing\n").diagnostics
    assert finding.span.column == 19
