# SPDX-License-Identifier: Apache-2.0
"""The machine-readable report of `asclens run` (docs/contracts.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from asclens_compiler.errors import AscLensError

# Keys of one launch in the report, in the documented order; the engine's answer has the same names.
LAUNCH_KEYS = (
    "kernel", "file", "line", "ok", "backend", "soc", "cores", "cycles", "pipes", "steps", "wall_ms",
    "specialisation", "arguments", "prints", "violations", "diagnostics", "error",
)  # fmt: skip


def write_report(path: Path, content: Mapping[str, Any]) -> None:
    """Write a report with the documented keys; raise AscLensError when the file cannot be written."""
    launches = [{key: launch.get(key) for key in LAUNCH_KEYS} for launch in content["launches"]]
    try:
        path.write_text(
            json.dumps({**content, "launches": launches}, ensure_ascii=False, indent=2) + "\n", encoding="utf-8"
        )
    except OSError as error:
        raise AscLensError(f"cannot write the report {path}: {error.strerror or error}") from error
