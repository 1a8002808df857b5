# SPDX-License-Identifier: Apache-2.0
"""Literate cases of the verifier's rules: `cases/ASCnnn.md`.

A fenced block is the body of a kernel; `# -> ASC211` behind a line lists what is found there, every
other line is clean. ```` ```python tensors ```` has hand-placed tensors `a`, `b`, `c`, `big` and
global memory `x_gm`, `z_gm`, `x8_gm`, `half_gm`; ```` ```python queue ```` has a `pipe` and queues `q_in`,
`q_out`. `n` is an integer that only the launch knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from asclens_compiler.diagnostics.model import Diagnostic, Fix
from asclens_compiler.engine.analysis import check_file
from asclens_compiler.source.text import SourceText

CASES = Path(__file__).parent / "cases"
SOC = "Ascend910B1"
_BLOCK = re.compile(r"^## (?P<title>.+?)\n|^```python (?P<kind>\w+)\n(?P<code>.*?)^```", re.DOTALL | re.MULTILINE)
_MARK = re.compile(r"#\s*->\s*((?:ASC\d{3}\s*)+)$")
_HEAD = """\
import asc
import numpy as np


@asc.jit
def kernel(x: asc.GlobalAddress, x8: asc.GlobalAddress, x16: asc.GlobalAddress, z: asc.GlobalAddress, n: int):
    half_gm = asc.GlobalTensor()
    half_gm.set_global_buffer(x16, 1024)
    x_gm = asc.GlobalTensor()
    x8_gm = asc.GlobalTensor()
    z_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x, 1024)
    x8_gm.set_global_buffer(x8, 1024)
    z_gm.set_global_buffer(z, 1024)
"""
_PRELUDES = {
    "tensors": """\
    a = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 256)
    b = asc.LocalTensor(asc.float32, asc.TPosition.VECCALC, 1024, 256)
    c = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 2048, 256)
    big = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 16384, 2048)
""",
    "queue": """\
    pipe = asc.TPipe()
    q_in = asc.TQue(asc.TPosition.VECIN, 2)
    q_out = asc.TQue(asc.TPosition.VECOUT, 2)
    pipe.init_buffer(q_in, 2, 1024)
    pipe.init_buffer(q_out, 2, 1024)
""",
}
_TAIL = """

def launch(n: int):
    x = np.zeros(1024, np.float32)
    x8 = np.zeros(1024, np.int8)
    x16 = np.zeros(1024, np.float16)
    z = np.zeros(1024, np.float32)
    kernel[1](x, x8, x16, z, n)
"""


@dataclass(frozen=True)
class Case:
    """One kernel with its expected (line, code) pairs; `body` is what the page shows."""

    code: str
    title: str
    body: str
    text: str
    expected: tuple[tuple[int, str], ...]

    @property
    def name(self) -> str:
        """Return a readable name."""
        return f"{self.code} {self.title}"


def cases() -> Iterator[Case]:
    """Yield all cases."""
    for path in sorted(CASES.glob("*.md")):
        yield from cases_of(path)


def cases_of(path: Path) -> Iterator[Case]:
    """Yield the cases of one file."""
    title = ""
    for match in _BLOCK.finditer(path.read_text(encoding="utf-8")):
        if match["title"]:
            title = match["title"]
            continue
        yield _case(path.stem, title, match["kind"], match["code"])


def _case(code: str, title: str, kind: str, body: str) -> Case:
    inner = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    text = _HEAD + _PRELUDES[kind] + inner + _TAIL
    return Case(code, title, body, text, tuple(_expected(text)))


def _expected(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        match = _MARK.search(line)
        if match:
            for code in match.group(1).split():
                yield number, code


def check(text: str, name: str = "case.py") -> list[Diagnostic]:
    """Return everything found in a file."""
    return list(check_file(SourceText(name, text), soc=SOC, facts=False).diagnostics)


def places(found: list[Diagnostic]) -> list[tuple[int, str]]:
    """Return the (line, code) pairs of findings, each once."""
    return sorted({(item.span.line, item.code) for item in found})


def applied(text: str, fix: Fix) -> str:
    """Return the text after a fix; its edits do not overlap."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for edit in sorted(fix.edits, key=lambda item: item.span, reverse=True):
        start = starts[edit.span.line - 1] + edit.span.column - 1
        end = starts[edit.span.end_line - 1] + edit.span.end_column - 1
        text = text[:start] + edit.new_text + text[end:]
    return text
