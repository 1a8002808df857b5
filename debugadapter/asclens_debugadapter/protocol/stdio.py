# SPDX-License-Identifier: Apache-2.0
"""Standard input and output as streams of the event loop."""

from __future__ import annotations

import asyncio
import os
import sys
import threading

from asclens_debugadapter.protocol.wire import STREAM_LIMIT_BYTES


class Stdout:
    """Write whole messages to standard output."""

    def write(self, data: bytes, /) -> None:
        """Send bytes at once."""
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def stdin_reader() -> asyncio.StreamReader:
    """Return a reader fed by a thread: asyncio cannot read a console or pipe on every system."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=STREAM_LIMIT_BYTES)

    def feed() -> None:
        while data := os.read(sys.stdin.fileno(), 65536):
            loop.call_soon_threadsafe(reader.feed_data, data)
        loop.call_soon_threadsafe(reader.feed_eof)

    threading.Thread(target=feed, name="stdin", daemon=True).start()
    return reader
