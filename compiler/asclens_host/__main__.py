# SPDX-License-Identifier: Apache-2.0
"""`python -m asclens_host SCRIPT ARGS`, or this file run by its path."""

from __future__ import annotations

import os
import sys


def _start() -> int:
    if not __package__:
        # Run by path: sys.path[0] is this folder, whose modules are not meant to be found by bare names.
        folder = os.path.dirname(os.path.abspath(__file__))
        if sys.path and os.path.abspath(sys.path[0]) == folder:
            del sys.path[0]
        parent = os.path.dirname(folder)
        known = parent in sys.path
        if not known:
            sys.path.insert(0, parent)
        from asclens_host.run import main

        if not known:
            sys.path.remove(parent)
        sys.path.insert(0, os.getcwd())
    else:
        from asclens_host.run import main
    return main(sys.argv[1:])


sys.exit(_start())
