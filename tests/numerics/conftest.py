# SPDX-License-Identifier: Apache-2.0
"""Let the numerics tests build kernels for the real machine."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "simulator"))
