# SPDX-License-Identifier: Apache-2.0
"""Which files a command works on, and how their text is read."""

from __future__ import annotations

import glob
import io
import os
import sys
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

from asclens_compiler.errors import AscLensError

STDIN = "-"
_SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "site-packages", "build", "dist"})


def find_files(paths: Iterable[str]) -> list[str]:
    """Return the files that arguments name: files, folders (their *.py, recursively), globs, `-`.

    Each file comes once, in the order of the arguments, sorted inside a folder. Raise AscLensError
    for an argument that names nothing.
    """
    found: dict[str, None] = {}
    for path in paths:
        before = len(found)
        names = list(_expand(path))
        found.update(dict.fromkeys(names))
        if not names and len(found) == before:
            raise AscLensError(f"{path}: no such file or folder, and no file matches it")
    return list(found)


def read_source(path: Path) -> str:
    """Return the text of a Python file; raise AscLensError when it cannot be read or decoded."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise AscLensError(f"{path}: {error.strerror or error}") from error
    return decode(data, str(path))


def read_stdin() -> str:
    """Return the text on standard input; raise AscLensError when it cannot be decoded."""
    return decode(sys.stdin.buffer.read(), "<stdin>")


def decode(data: bytes, name: str) -> str:
    """Decode Python source as Python does: byte order mark, coding comment, else UTF-8."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    except SyntaxError as error:
        if "unknown encoding" in str(error.msg):
            raise AscLensError(f"{name}: {error.msg}", help="save the file as UTF-8") from error
        encoding = "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AscLensError(
            f"{name}: line {line}: byte 0x{data[error.start]:02x} is not valid {error.encoding.upper()} text",
            help="save the file as UTF-8, or name its encoding in a coding comment in line 1",
        ) from error


def _expand(path: str) -> Iterator[str]:
    if path == STDIN or os.path.isfile(path):
        yield path
    elif os.path.isdir(path):
        yield from _walk(path)
    else:
        yield from sorted(name for name in glob.glob(path, recursive=True) if os.path.isfile(name))


def _walk(folder: str) -> Iterator[str]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED_FOLDERS and not name.startswith("."))
        yield from (os.path.join(root, name) for name in sorted(files) if name.endswith(".py"))
