# SPDX-License-Identifier: Apache-2.0
"""Serve one debug session on stdin and stdout."""

from __future__ import annotations

import asyncio
import logging
import os
import sys

from asclens_debugadapter.protocol.stdio import Stdout, stdin_reader
from asclens_debugadapter.session.session import Session


async def _serve() -> None:
    session = Session(stdin_reader(), Stdout())
    pump = asyncio.create_task(session.client.pump())
    await session.over.wait()
    await session.close()
    pump.cancel()


def main() -> None:
    """Serve until the client disconnects or is gone; every child ends first."""
    level = os.environ.get("ASCLENS_LOG", "WARNING").upper()
    logging.basicConfig(stream=sys.stderr, level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    asyncio.run(_serve())
    sys.stdout.flush()
    os._exit(0)  # the thread that reads stdin may sit in read() for ever


if __name__ == "__main__":
    main()
