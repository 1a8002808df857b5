# SPDX-License-Identifier: Apache-2.0
"""Rules that hold for every file: size, licence line, no traces of one machine."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from repo_files import TEXT, is_generated, text, tracked, with_suffix

HARD_LIMIT_LINES = 500
FUNCTION_LIMIT_LINES = 60
PRODUCT = ("compiler", "server", "debugadapter", "scripts", "benchmarks")
SPDX = "SPDX-License-Identifier: Apache-2.0"
# Spelled in pieces, so that this file does not contain what it looks for.
MACHINE = re.compile(
    "|".join(["/ho" + r"me/\w+", "/ro" + "ot/", "/wo" + "rk/", "/tm" + r"p/w\b", r"C:\\" + "Users", "/Us" + r"ers/\w+"])
)
REGISTRY = re.compile(
    "|".join(["pypi" + r"\.org", "files.python" + "hosted", r"registry\.npm" + "js", r"npm" + "mirror"])
)


def python_files() -> list[Path]:
    return [path for path in with_suffix(".py") if not is_generated(path)]


def test_every_python_file_is_short() -> None:
    long = {str(path): n for path in python_files() if (n := len(text(path).splitlines())) > HARD_LIMIT_LINES}
    assert not long, f"more than {HARD_LIMIT_LINES} lines: {long}"


def test_every_function_of_the_product_is_short() -> None:
    long: list[str] = []
    for path in python_files():
        if path.parts[0] not in PRODUCT:
            continue
        for node in ast.walk(ast.parse(text(path))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > FUNCTION_LIMIT_LINES:
                    long.append(f"{path}:{node.lineno} {node.name}: {lines} lines")
    assert not long, "\n".join(long)


@pytest.mark.parametrize("suffix", [".py", ".sh", ".ts"])
def test_every_source_file_names_its_licence(suffix: str) -> None:
    missing = [str(p) for p in with_suffix(suffix) if SPDX not in "\n".join(text(p).splitlines()[:2])]
    assert not missing, f"no '{SPDX}' in the first two lines: {missing}"


@pytest.mark.parametrize("pattern", [MACHINE, REGISTRY], ids=["machine paths", "registry hosts"])
def test_no_file_names_one_machine(pattern: re.Pattern[str]) -> None:
    found: list[str] = []
    for path in tracked():
        if path.suffix in TEXT:
            for number, line in enumerate(text(path).splitlines(), 1):
                if pattern.search(line):
                    found.append(f"{path}:{number}: {line.strip()[:80]}")
    assert not found, "\n".join(found)


def test_every_python_module_says_what_it_is_for() -> None:
    silent = [
        str(path)
        for path in python_files()
        if path.name != "__init__.py" and path.parts[0] in PRODUCT and not ast.get_docstring(ast.parse(text(path)))
    ]
    assert not silent, silent
