# SPDX-License-Identifier: Apache-2.0
"""Start the language server on stdin and stdout."""

from __future__ import annotations

import logging
import os
import sys

from asclens_server.lsp.app import build_server


def main() -> None:
    """Serve until the client asks to exit; stdout belongs to the protocol, the log goes to stderr."""
    level = os.environ.get("ASCLENS_LOG", "INFO").upper()
    logging.basicConfig(stream=sys.stderr, level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    logging.getLogger("pygls").setLevel(logging.WARNING)  # it logs every message at INFO
    build_server().start_io()


if __name__ == "__main__":
    main()
