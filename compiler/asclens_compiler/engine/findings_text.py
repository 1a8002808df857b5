# SPDX-License-Identifier: Apache-2.0
"""Findings as the text of a Python exception."""

from __future__ import annotations

import os
import tokenize
from collections.abc import Mapping, Sequence

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.diagnostics.render_text import render
from asclens_compiler.source.text import SourceText

MAX_SHOWN = 20


def read_file(file: str) -> str:
    """Return the text of a Python file; OSError or UnicodeError when it cannot be read."""
    try:
        with tokenize.open(file) as stream:
            return stream.read()
    except SyntaxError as error:  # what tokenize says about a bad coding comment
        raise UnicodeError(str(error)) from error


def findings_text(headline: str, found: Sequence[Diagnostic], texts: Mapping[str, str]) -> str:
    """Return a headline and the errors with their source lines; `texts` are file contents at hand."""

    def source_of(file: str) -> SourceText | None:
        if file in texts:
            return SourceText(file, texts[file])
        if not os.path.isfile(file):
            return None
        try:
            return SourceText(file, read_file(file))
        except (OSError, UnicodeError):
            return None

    errors = [item for item in found if item.severity is Severity.ERROR]
    parts = [headline, *(str(render(item, source_of)).rstrip() for item in errors[:MAX_SHOWN])]
    if len(errors) > MAX_SHOWN:
        parts.append(f"... and {len(errors) - MAX_SHOWN} more")
    return "\n\n".join(parts)
