# SPDX-License-Identifier: Apache-2.0
"""Run the benchmark suites: `python benchmarks/run.py [SUITE...]`.

Each module of `suites/` has `run(rounds) -> Table`. Prints a table per suite and writes all of them to
`artifacts/benchmarks.json`.
"""

from __future__ import annotations

import argparse
import dataclasses
import importlib
import json
import os
import pkgutil
import platform
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table as RichTable

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import suites  # noqa: E402
from measure import Table  # noqa: E402


def main() -> int:
    names = sorted(info.name for info in pkgutil.iter_modules(suites.__path__))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"any of: {', '.join(names)}")
    parser.add_argument("--rounds", type=int, default=15, help="measured rounds per subject")
    parser.add_argument("--json", type=Path, default=ROOT / "artifacts/benchmarks.json", help="where the figures go")
    options = parser.parse_args()
    unknown = set(options.suites) - set(names)
    if unknown:
        parser.error(f"no such suite: {', '.join(sorted(unknown))}")
    results: dict[str, Table] = {}
    for name in options.suites or names:
        results[name] = importlib.import_module(f"suites.{name}").run(options.rounds)
        show(results[name])
    options.json.parent.mkdir(parents=True, exist_ok=True)
    figures = {name: dataclasses.asdict(table) for name, table in results.items()}
    options.json.write_text(json.dumps({"machine": machine(), "suites": figures}, indent=2) + "\n", encoding="utf-8")
    print(f"written: {options.json}")
    return 0


def machine() -> dict[str, str | int | None]:
    """Return what the figures depend on."""
    return {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}


def show(table: Table) -> None:
    """Print one table."""
    view = RichTable(title=table.title, title_justify="left")
    for column in table.columns:
        view.add_column(column, justify="left" if column == table.columns[0] else "right")
    for row in table.rows:
        view.add_row(*[_cell(value) for value in row])
    console = Console(width=max(100, Console().width))
    console.print(view)
    for note in table.notes:
        console.print(f"  {note}", highlight=False)


def _cell(value: str | float | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:,.3g}" if abs(value) < 1000 else f"{value:,.0f}"


if __name__ == "__main__":
    sys.exit(main())
