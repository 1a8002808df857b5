# SPDX-License-Identifier: Apache-2.0
"""The machine-readable report of `asclens run` (docs/contracts.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from asclens_compiler.errors import AscLensError

# Keys of one launch in the report, in the documented order; the engine's answer has the same names.
LAUNCH_KEYS = (
    "kernel", "file", "line", "ok", "backend", "soc", "cores", "cycles", "pipes", "steps", "wall_ms",
    "specialisation", "arguments", "prints", "violations", "diagnostics", "error",
)  # fmt: skip


def report(
    *, status: int, interpreter: str, engine_version: str, seed: int, launches: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Return the report of one run as a JSON object."""
    return {
        "exit": status,
        "interpreter": interpreter,
        "engine": engine_version,
        "seed": seed,
        "launches": [{key: launch.get(key) for key in LAUNCH_KEYS} for launch in launches],
    }


def write_report(path: Path, content: Mapping[str, Any]) -> None:
    """Write a report; raise AscLensError when the file cannot be written."""
    try:
        path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise AscLensError(f"cannot write the report {path}: {error.strerror or error}") from error
