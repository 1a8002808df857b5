# SPDX-License-Identifier: Apache-2.0
"""An engine that also writes every launch record it gets, one JSON line each, to `ASCLENS_RECORDS`."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from asclens_compiler.engine import __main__ as engine_program
from asclens_compiler.engine import launching

_launch = launching.launch


def _record_launch(engine: Any, running: Any, record: dict[str, Any]) -> dict[str, Any]:
    with Path(os.environ["ASCLENS_RECORDS"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps(record) + "\n")
    return _launch(engine, running, record)


if __name__ == "__main__":
    launching.launch = _record_launch
    status = engine_program.main()
    sys.stderr.flush()
    os._exit(status)
