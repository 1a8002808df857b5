# SPDX-License-Identifier: Apache-2.0
"""`python -m asclens_compiler.engine`: serve the owner on stdin and stdout."""

from __future__ import annotations

import logging
import os
import sys

from asclens_compiler.engine.lifetime import (
    KEEP_RUNNING_FLAG,
    die_with_parent,
    ignore_interrupts,
    one_thread_arithmetic,
    take_stdio,
)
from asclens_compiler.engine.loop import Engine
from asclens_compiler.engine.transport import Link

LOG_VARIABLE = "ASCLENS_LOG"


def main() -> int:
    """Run the engine until its owner goes."""
    logging.basicConfig(
        level=os.environ.get(LOG_VARIABLE, "WARNING").upper(),
        stream=sys.stderr,
        format="asclens engine: %(levelname)s: %(message)s",
    )
    ignore_interrupts()
    if KEEP_RUNNING_FLAG not in sys.argv:
        die_with_parent()
    one_thread_arithmetic()
    reader, writer = take_stdio()
    Engine(Link(reader, writer, is_owner=True)).run()
    return 0


if __name__ == "__main__":
    # Not sys.exit: threads that read links must not keep the process.
    code = main()
    sys.stderr.flush()
    os._exit(code)
