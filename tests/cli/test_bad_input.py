# SPDX-License-Identifier: Apache-2.0
"""Whatever a file holds, the program answers with a documented status and never with a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from program import Done, asclens

HEAD = "import asc\n\n\n@asc.jit\ndef kernel(x: asc.GlobalAddress):\n"
BAD = {
    "empty": (b"", 0),
    "blank": (b"\n\n   \n", 0),
    "not_asc": (b"class A:\n    def process(self):\n        return 1\n", 0),
    "syntax_error": (b"import asc\ndef kernel(:\n", 1),
    "unknown_api": (f"{HEAD}    asc.no_such_call(x)\n".encode(), 1),
    "wrong_argument": (f"{HEAD}    asc.set_flag(asc.HardEvent.MTE2_V, 0, 1, 2, 3)\n".encode(), 1),
    "not_utf8": (b"import asc\nx = '\xff\xfe'\n", 2),
    "null_byte": (b"import asc\nx = '\0'\n", 1),
    "nested_expression": (f"{HEAD}    y = {'(' * 1000}1{')' * 1000}\n".encode(), 1),
    "nested_lists": (f"{HEAD}    y = {'[' * 150}1{']' * 150}\n".encode(), 0),
    "unary_chain": (f"{HEAD}    y = {'-' * 5000}1\n".encode(), 1),
    "recursive_helper": (f"{HEAD}    helper(x)\n\n\n@asc.jit\ndef helper(x):\n    helper(x)\n".encode(), 1),
}


def assert_readable(done: Done) -> None:
    assert "Traceback" not in done.out + done.err
    assert "internal error" not in done.out + done.err


@pytest.mark.parametrize("name", BAD)
def test_bad_file(name: str, tmp_path: Path) -> None:
    data, status = BAD[name]
    (tmp_path / "k.py").write_bytes(data)
    done = asclens("check", "--format", "json", "k.py", cwd=tmp_path)
    assert_readable(done)
    assert done.status == status, done.out + done.err
    findings = json.loads(done.out)
    assert bool(findings) == (status == 1)
    for item in findings:
        assert item["file"] == "k.py"
        assert item["range"]["start"]["line"] >= 1


def test_deep_nesting_of_blocks(tmp_path: Path) -> None:
    lines = [f"{'    ' * (depth + 1)}if x > {depth}:" for depth in range(90)]
    (tmp_path / "k.py").write_text("\n".join([HEAD, *lines, "    " * 91 + "pass", ""]), encoding="utf-8")
    done = asclens("check", "k.py", cwd=tmp_path)
    assert_readable(done)
    assert done.status in (0, 1)


def test_fifty_thousand_lines(tmp_path: Path) -> None:
    body = "    asc.set_flag(asc.HardEvent.MTE2_V, 0)\n    asc.wait_flag(asc.HardEvent.MTE2_V, 0)\n"
    (tmp_path / "k.py").write_text(HEAD + body * 25_000, encoding="utf-8")
    done = asclens("check", "k.py", cwd=tmp_path)
    assert_readable(done)
    assert done.status in (0, 1)


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_bytes(b"x = '\xff'\n")
    (tmp_path / "b.py").write_bytes(BAD["unknown_api"][0])
    done = asclens("check", ".", cwd=tmp_path)
    assert done.status == 2
    assert "a.py: line 1: byte 0xff" in done.err
    assert "b.py:6:" in done.out


def test_standard_input(tmp_path: Path) -> None:
    done = asclens("check", "-", cwd=tmp_path, stdin=BAD["unknown_api"][0])
    assert done.status == 1
    assert "--> <stdin>:6:" in done.out
    assert "no_such_call" in done.out
