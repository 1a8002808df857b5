# SPDX-License-Identifier: Apache-2.0
"""The program around its commands: help, statuses, failures."""

from __future__ import annotations

import click
import pytest
from asclens_compiler.cli import main as program
from asclens_compiler.diagnostics.rule import load_rules
from asclens_compiler.errors import AscLensError


def test_help_names_every_command_and_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--help"]) == 0
    text = capsys.readouterr().out
    for word in ("check", "run", "build", "explain", "doctor", "lsp", "dap", "Exit status"):
        assert word in text


@pytest.mark.parametrize("command", ["check", "run", "test", "build", "explain", "doctor"])
def test_every_command_documents_its_exit_status(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main([command, "--help"]) == 0
    text = capsys.readouterr().out
    assert "Usage: asclens" in text
    assert "Exit status" in text


@pytest.mark.parametrize(
    "arguments", [[], ["nothing"], ["check"], ["check", "missing.py"], ["build", "missing.py"], ["explain", "ASC000"]]
)
def test_wrong_use_is_status_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(arguments) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--version"]) == 0
    assert "asclens, version" in capsys.readouterr().out


def test_explain_lists_and_prints_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["explain"]) == 0
    listed = capsys.readouterr().out
    for code, rule in load_rules().items():
        assert f"{code}  " in listed
        assert program.main(["explain", code[3:], "--format", "md", "--lang", "zh-CN"]) == 0
        assert capsys.readouterr().out.startswith(f"# {code} {rule.name}\n")


@pytest.mark.parametrize(
    ("failure", "status", "words"),
    [
        (AscLensError("no memory-backed storage", help="mount one"), 2, "no memory-backed storage"),
        (ValueError("odd"), 2, "internal error: ValueError: odd"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_failures_become_statuses(
    failure: BaseException, status: int, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise failure

    monkeypatch.setattr(program.asclens, "get_command", lambda *_: click.Command("fail", callback=fail))
    assert program.main(["fail"]) == status
    shown = capsys.readouterr().err
    assert words in shown
    assert "Traceback" not in shown
