# SPDX-License-Identifier: Apache-2.0
"""The terminal as the commands see it: two consoles, short paths, cached source texts."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from rich.console import Console
from rich.text import Text

from asclens_compiler.cli.files import read_source
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.diagnostics.render_text import render
from asclens_compiler.errors import AscLensError
from asclens_compiler.source.text import SourceText


def output() -> Console:
    """Return the console of results (stdout); wraps nothing, so that text can be piped and searched."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=True, emoji=False, markup=False)


def messages() -> Console:
    """Return the console of progress, notes and failures (stderr)."""
    return Console(file=sys.stderr, highlight=False, soft_wrap=True, emoji=False, markup=False)


def show_failure(message: str, help_text: str = "") -> None:
    """Print why a command could not run, and what to do about it."""
    console = messages()
    console.print(Text.assemble(("asclens: ", "bold red"), message))
    if help_text:
        console.print(Text.assemble(("  help: ", "bold"), help_text))


def show_path(file: str) -> str:
    """Return a path relative to the current folder when it lies below it."""
    try:
        return str(Path(file).relative_to(Path.cwd()))
    except ValueError:
        return file


_texts: dict[str, SourceText] = {}  # texts that are in no file, by the name that stands for them


def remember_source(name: str, text: str) -> None:
    """Keep a text that was read from standard input, for excerpts."""
    _texts[name] = SourceText(name, text)


@lru_cache(maxsize=64)
def source_of(file: str) -> SourceText | None:
    """Return a file's text, or None when it is not a readable text file."""
    if file in _texts:
        return _texts[file]
    if not os.path.isfile(file):
        return None
    try:
        return SourceText(file, read_source(Path(file)))
    except AscLensError:
        return None


def show_diagnostics(console: Console, diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics with their excerpts, one blank line after each."""
    for item in diagnostics:
        console.print(render(item, source_of, show_path))
