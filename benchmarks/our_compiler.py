# SPDX-License-Identifier: Apache-2.0
"""Compile recorded launches with our compiler and say how long that takes: `python our_compiler.py RECORDS`.

For each line read, compiles all of them once (frontend, verification, passes, decoding; no cache) and answers with
the seconds as JSON: the twin of `real_pyasc.py`.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from asclens_compiler.engine.findings_text import read_file
from asclens_compiler.engine.pipeline import finish
from asclens_compiler.frontend.driver import DEFAULT_SOC, compile_launch


def main() -> int:
    records = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()]
    print(json.dumps({"launches": len(records)}), flush=True)
    for _ in sys.stdin:
        print(json.dumps(compile_all(records)), flush=True)
    return 0


def compile_all(records: list[dict[str, Any]]) -> float:
    """Return the seconds that compiling every launch takes."""
    start = time.process_time()
    for record in records:
        compiled = finish(compile_launch(record, read_file=read_file), soc=record.get("soc") or DEFAULT_SOC)
        if compiled.program is None:
            raise SystemExit(f"{compiled.kernel.kernel} does not compile")
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
