# SPDX-License-Identifier: Apache-2.0
"""Literate cases: `cases/*.md` hold kernels whose expected findings stand behind the lines.

A fenced `python` block is a case; its name is the heading above. `# -> ASC101 ASC107` behind a line
lists what is found there; every other line is clean. `import asc` is put in front when it is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.frontend.result import FileAnalysis
from asclens_compiler.source.text import SourceText

CASES = Path(__file__).parent / "cases"
_BLOCK = re.compile(r"^#+ (?P<title>.+?)\n|^```python\n(?P<code>.*?)^```", re.DOTALL | re.MULTILINE)
_MARK = re.compile(r"#\s*->\s*((?:ASC\d{3}\s*)+)$")


@dataclass(frozen=True)
class Case:
    """One kernel text with its expected (line, code) pairs."""

    name: str
    text: str
    expected: tuple[tuple[int, str], ...]


def cases() -> Iterator[Case]:
    """Yield all literate cases."""
    for path in sorted(CASES.glob("*.md")):
        title, count = "", 0
        for match in _BLOCK.finditer(path.read_text(encoding="utf-8")):
            if match["title"]:
                title, count = match["title"], 0
                continue
            count += 1
            text = match["code"]
            if "import asc" not in text and "from asc" not in text:
                text = "import asc\n\n\n" + text
            yield Case(f"{path.stem}: {title} {count}", text, tuple(_expected(text)))


def _expected(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        match = _MARK.search(line)
        if match:
            for code in match.group(1).split():
                yield number, code


def analyse(text: str, *, facts: bool = False) -> FileAnalysis:
    """Analyse a text as a file."""
    return analyse_file(SourceText("case.py", text), facts=facts)


def found(text: str) -> list[tuple[int, str]]:
    """Return the (line, code) pairs found in a text."""
    return sorted({(item.span.line, item.code) for item in analyse(text).diagnostics})
