# SPDX-License-Identifier: Apache-2.0
"""`asclens_host` lives in users' interpreters: Python 3.9, standard library, nothing of ours."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from repo_files import text, with_suffix

HOST = ("compiler", "asclens_host")
# Used when the script has them; imported inside functions only.
OPTIONAL = frozenset({"numpy", "torch", "ml_dtypes", "pytest", "_pytest"})
FILES = [path for path in with_suffix(".py") if path.parts[:2] == HOST]


@pytest.mark.parametrize("path", FILES, ids=str)
def test_host_file_parses_as_python_3_9(path: Path) -> None:
    ast.parse(text(path), feature_version=(3, 9))


@pytest.mark.parametrize("path", FILES, ids=str)
def test_host_file_imports_only_the_standard_library(path: Path) -> None:
    tree = ast.parse(text(path))
    allowed = sys.stdlib_module_names | {"asclens_host", "asc"}
    foreign = {name for name in imported(tree) if name not in allowed | OPTIONAL}
    assert not foreign
    eager = {name for node in tree.body for name in imported(node, inside=False)} & OPTIONAL
    assert not eager, "optional packages may be imported inside functions only"


def imported(tree: ast.AST, *, inside: bool = True) -> Iterator[str]:
    """Yield the top-level names of absolute imports in a tree, or of one statement."""
    for node in ast.walk(tree) if inside else (tree,):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.split(".")[0]
