# SPDX-License-Identifier: Apache-2.0
"""Launch results: the JSON objects that scripts, reports and views get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from asclens_compiler.ascir.program import CoreKind
from asclens_compiler.backends.simulator.api import Print, RunResult
from asclens_compiler.diagnostics.json import all_to_json
from asclens_compiler.diagnostics.model import Severity
from asclens_compiler.engine.findings_text import findings_text
from asclens_compiler.engine.pipeline import Compiled

JsonObject = dict[str, Any]


def blank_result(compiled: Compiled, *, soc: str, cores: int, arguments: Sequence[str]) -> JsonObject:
    """Return the result of a launch that has not run."""
    kernel = compiled.kernel
    return {
        "ok": False,
        "compiled": compiled.program is not None,
        "kernel": kernel.kernel,
        "file": kernel.span.file,
        "line": kernel.span.line,
        "backend": "simulator",
        "soc": soc,
        "cores": cores,
        "cycles": 0,
        "pipes": {},
        "steps": 0,
        "wall_ms": 0.0,
        "specialisation": kernel.specialisation,
        "arguments": list(arguments),
        "prints": [],
        "violations": [],
        "diagnostics": all_to_json(compiled.diagnostics),
        "error": None,
    }


def fill_outcome(result: JsonObject, compiled: Compiled, outcome: RunResult, texts: Mapping[str, str]) -> None:
    """Put what a run gave into a launch result; `texts` are file contents that are at hand."""
    kernel = compiled.kernel
    violations = [
        item.located(kernel=kernel.kernel, specialisation=kernel.specialisation, soc=result["soc"])
        for item in outcome.violations
    ]
    result.update(
        ok=outcome.ok,
        cycles=outcome.cycles,
        pipes=dict(outcome.pipes),
        steps=outcome.steps,
        prints=[print_to_json(line) for line in outcome.prints],
        violations=all_to_json(violations),
    )
    if not outcome.ok:
        result["error"] = findings_text(f"{kernel.kernel} did not finish: {outcome.error}", violations, texts)


def compile_error(compiled: Compiled, texts: Mapping[str, str]) -> str:
    """Return the findings of a kernel that did not compile, as text."""
    count = sum(item.severity is Severity.ERROR for item in compiled.diagnostics)
    headline = f"{compiled.kernel.kernel} does not compile: {count} error{'' if count == 1 else 's'}"
    return findings_text(headline, compiled.diagnostics, texts)


def core_names(count: int, compiled: Compiled) -> list[str]:
    """Return how the cores of a launch are called."""
    kind = CoreKind.MIX if compiled.program is None else compiled.program.core_kind
    prefix = "core" if kind is CoreKind.MIX else kind.value
    return [f"{prefix} {index}" for index in range(count)]


def print_to_json(line: Print) -> JsonObject:
    """Return one printed line."""
    return {"file": line.span.file, "line": line.span.line, "core": line.core, "text": line.text}
