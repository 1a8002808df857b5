# SPDX-License-Identifier: Apache-2.0
"""Let the simulator's tests share their kernel builder."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
