# SPDX-License-Identifier: Apache-2.0
"""Which files the commands work on, and how they are decoded."""

from __future__ import annotations

from pathlib import Path

import pytest
from asclens_compiler.cli.files import decode, find_files, read_source
from asclens_compiler.errors import AscLensError


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("b.py", "a.py", "sub/c.py", "sub/note.txt", ".venv/x.py", "node_modules/y.py"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.usefixtures("tree")
def test_folder_gives_its_python_files_in_order() -> None:
    assert find_files(["."]) == ["./a.py", "./b.py", "./sub/c.py"]


@pytest.mark.usefixtures("tree")
def test_globs_files_and_stdin_come_once_in_order_of_arguments() -> None:
    assert find_files(["b.py", "*.py", "-", "sub/note.txt"]) == ["b.py", "a.py", "-", "sub/note.txt"]


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("name", ["missing.py", "*.cpp"])
def test_argument_that_names_nothing_is_an_error(name: str) -> None:
    with pytest.raises(AscLensError, match="no such file"):
        find_files(["a.py", name])


def test_folder_without_python_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AscLensError, match="no such file or folder, and no file matches"):
        find_files([str(tmp_path)])


def test_utf8_with_byte_order_mark_and_coding_comment() -> None:
    assert decode("\ufeffx = 1".encode(), "k.py") == "x = 1"
    assert decode("# coding: gbk\n# 温度\n".encode("gbk"), "k.py") == "# coding: gbk\n# 温度\n"


def test_text_that_is_not_utf8_names_line_and_remedy() -> None:
    with pytest.raises(AscLensError, match=r"k\.py: line 2: byte 0xff is not valid UTF-8 text") as caught:
        decode(b"x = 1\ny = '\xff'\n", "k.py")
    assert "UTF-8" in caught.value.help


def test_unknown_coding_is_an_error() -> None:
    with pytest.raises(AscLensError, match="unknown encoding"):
        decode(b"# coding: nothing-like-this\n", "k.py")


def test_folder_is_not_a_source(tmp_path: Path) -> None:
    with pytest.raises(AscLensError):
        read_source(tmp_path)
