# SPDX-License-Identifier: Apache-2.0
"""Run the `asclens` program as `python -m asclens_compiler.cli`."""

from __future__ import annotations

import sys

from asclens_compiler.cli.main import main

sys.exit(main())
