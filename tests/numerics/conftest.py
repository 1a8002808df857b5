# SPDX-License-Identifier: Apache-2.0
"""Settings of the numerics tests: failures print the seed that reproduces them."""

import sys
from pathlib import Path

from hypothesis import settings

settings.register_profile("numerics", deadline=None, max_examples=25, print_blob=True)
settings.load_profile("numerics")

sys.path.insert(0, str(Path(__file__).parent.parent / "simulator"))
