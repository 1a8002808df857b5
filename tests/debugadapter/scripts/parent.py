# SPDX-License-Identifier: Apache-2.0
"""Starts Python child processes; one of them launches a kernel itself."""

import subprocess
import sys
from pathlib import Path

child = Path(__file__).with_name("child.py")
done = subprocess.run([sys.executable, str(child), *sys.argv[1:]], check=False)
print("child ended with", done.returncode)
