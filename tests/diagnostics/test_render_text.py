# SPDX-License-Identifier: Apache-2.0
"""What a person sees of a diagnostic."""

from __future__ import annotations

import textwrap

from asclens_compiler.diagnostics.model import Applicability, Diagnostic, Fix, Related, Severity
from asclens_compiler.diagnostics.render_text import render, summary
from asclens_compiler.source.span import NOWHERE, Span
from asclens_compiler.source.text import SourceText
from rich.cells import cell_len


def shown(found: Diagnostic, text: str) -> str:
    sources = {"k.py": SourceText("k.py", text)}
    return render(found, sources.get).plain


def error_at(span: Span, **more: object) -> Diagnostic:
    values = {"code": "ASC201", "name": "n", "severity": Severity.ERROR, "message": "no stage", "span": span} | more
    return Diagnostic(**values)  # type: ignore[arg-type]


def test_error_with_all_parts() -> None:
    found = error_at(
        Span("k.py", 2, 9, 2, 14),
        help="put it into a stage\nof the vector unit",
        related=(Related(span=Span("k.py", 1, 1, 1, 2), message="copied here"),),
        fixes=(Fix(title="insert a stage", applicability=Applicability.SAFE, edits=()),),
        kernel="double",
    )
    expected = """\
    error[ASC201] no stage
     --> k.py:2:9
      |
    2 |     y = x + x
      |         ^^^^^
     --> k.py:1:1
      |
    1 | x = load()
      | - copied here
      = in: kernel double
      = help: put it into a stage
              of the vector unit
      = fix (safe): insert a stage
    """
    assert shown(found, "x = load()\n    y = x + x\n") == textwrap.dedent(expected)


def test_carets_stand_under_wide_characters() -> None:
    text = '    t("温度", 🙂x)\n'
    start = text.index("🙂") + 1
    lines = shown(error_at(Span("k.py", 1, start, 1, start + 2)), text).splitlines()
    source, carets = lines[3].split("| ")[1], lines[4].split("| ")[1]
    assert cell_len(carets.rstrip()) - carets.count("^") == cell_len(source[: source.index("🙂")])
    assert carets.count("^") == 3


def test_tabs_keep_carets_in_place() -> None:
    lines = shown(error_at(Span("k.py", 1, 2, 1, 3)), "\tx\n").splitlines()
    assert lines[3].index("x") == lines[4].index("^")


def test_range_over_several_lines_marks_the_first() -> None:
    lines = shown(error_at(Span("k.py", 1, 1, 3, 2)), "f(\n  1,\n)\n").splitlines()
    assert lines[4].endswith("^^ ...")


def test_control_characters_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in shown(error_at(Span("k.py", 1, 1, 1, 2), message="bad \x1b[2J"), "x = '\x1b[2J'\n")


def test_unknown_text_shows_the_place_only() -> None:
    assert shown(error_at(Span("other.py", 7, 3, 7, 4)), "").splitlines() == [
        "error[ASC201] no stage",
        " --> other.py:7:3",
    ]
    assert shown(error_at(NOWHERE), "") == "error[ASC201] no stage\n"


def test_summary_counts_by_severity() -> None:
    span = Span("k.py", 1, 1, 1, 2)
    found = [error_at(span), error_at(span), error_at(span, severity=Severity.ADVICE)]
    assert summary(found, 3).plain == "2 errors, 1 advice in 3 files"
    assert summary([], 1).plain == "no findings in 1 file"
