# SPDX-License-Identifier: Apache-2.0
"""Measure the verifier on mutants of right kernels: recall, alarms, lines; `python tests/mutation/measure.py`.

Arguments are files or folders with more kernels; without a finding of their own they take part too.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "analysis"))

from analysis_cases import cases, check  # noqa: E402
from asclens_compiler.diagnostics.model import Diagnostic, Severity  # noqa: E402
from mutation_operators import DEFECTS, EQUIVALENT, Mutant, mutants  # noqa: E402


@dataclass(slots=True)
class Figures:
    """What was found on the mutants."""

    planted: Counter[str] = field(default_factory=Counter[str])
    found: Counter[str] = field(default_factory=Counter[str])
    at_line: Counter[str] = field(default_factory=Counter[str])
    equivalent: int = 0
    alarms: list[tuple[str, Mutant]] = field(default_factory=list[tuple[str, Mutant]])
    missed: list[tuple[str, Mutant]] = field(default_factory=list[tuple[str, Mutant]])

    @property
    def recall(self) -> float:
        """Return the share of planted defects that were found."""
        return sum(self.found.values()) / max(1, sum(self.planted.values()))


def alarms(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return errors and warnings."""
    return [item for item in found if item.severity is not Severity.ADVICE]


def kernels(paths: Iterable[Path] = ()) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of right kernels: samples, accepted cases of the rules, and the given files."""
    files = [*sorted((ROOT / "samples/ascendc").glob("*.py")), *sorted((ROOT / "samples/staged").glob("*.py"))]
    for path in paths:
        files += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    for path in files:
        yield path.name, path.read_text(encoding="utf-8")
    for case in cases():
        if not case.expected and case.code in ("ASC211", "ASC212", "ASC213", "ASC403", "ASC404", "ASC406", "ASC407"):
            yield case.name, case.text


def measure(sources: Iterable[tuple[str, str]]) -> Figures:
    """Check every mutant of every kernel that is clean itself."""
    figures = Figures()
    for name, text in sources:
        if alarms(check(text, name)):
            continue
        for mutant in mutants(text, DEFECTS):
            _defect(figures, name, mutant)
        for mutant in mutants(text, EQUIVALENT):
            figures.equivalent += 1
            if alarms(check(mutant.text, name)):
                figures.alarms.append((name, mutant))
    return figures


def _defect(figures: Figures, name: str, mutant: Mutant) -> None:
    figures.planted[mutant.operator] += 1
    found = alarms(check(mutant.text, name))
    if not found:
        figures.missed.append((name, mutant))
        return
    figures.found[mutant.operator] += 1
    lines = {item.span.line for item in found} | {other.span.line for item in found for other in item.related}
    if any(abs(line - mutant.line) <= 1 for line in lines):
        figures.at_line[mutant.operator] += 1


def main(argv: list[str]) -> int:
    """Print the figures."""
    figures = measure(kernels(Path(item) for item in argv))
    print(f"{'operator':16} planted found at line")
    for operator, count in sorted(figures.planted.items()):
        print(f"{operator:16} {count:7} {figures.found[operator]:5} {figures.at_line[operator]:7}")
    print(f"recall {figures.recall:.1%}, {len(figures.alarms)} alarms on {figures.equivalent} equivalent mutants")
    for name, mutant in (*figures.missed, *figures.alarms):
        print(f"  {mutant.operator:16} line {mutant.line:3} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
