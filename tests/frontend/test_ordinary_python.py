# SPDX-License-Identifier: Apache-2.0
"""Python that is no kernel gives no findings, whatever it contains."""

from __future__ import annotations

import sysconfig
from pathlib import Path

import pytest
from asclens_compiler.frontend.driver import analyse_file
from asclens_compiler.source.text import SourceText

MODULES = ("argparse", "ast", "asyncio/tasks", "collections/__init__", "dataclasses", "functools", "inspect", "typing")


@pytest.mark.parametrize("name", MODULES)
def test_standard_library(name: str) -> None:
    path = Path(sysconfig.get_paths()["stdlib"]) / f"{name}.py"
    source = SourceText(str(path), path.read_text(encoding="utf-8") + "\nimport asc\n")
    analysis = analyse_file(source)
    assert analysis.kernels == ()
    assert analysis.diagnostics == ()


def test_our_own_sources(root: Path) -> None:
    for path in sorted((root / "compiler" / "asclens_compiler" / "frontend").rglob("*.py")):
        analysis = analyse_file(SourceText(str(path), path.read_text(encoding="utf-8")))
        assert analysis.diagnostics == (), path
