# SPDX-License-Identifier: Apache-2.0
"""The cache of compiled kernels."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from asclens_compiler.doctor.model import Finding, System, fault, note, ok

TITLE = "Kernel cache"
LEAST_FREE_BYTES = 200 << 20


def check(system: System) -> Iterator[Finding]:
    """Ask whether pyasc's cache folder can be written and has room."""
    folder = _folder(system)
    place = folder
    while not place.exists() and place != place.parent:
        place = place.parent
    if not os.access(place, os.W_OK):
        yield fault(
            "cache-unwritable",
            f"The kernel cache {folder} cannot be written.",
            "export PYASC_CACHE_DIR=/tmp/$USER-pyasc-cache",
        )
        return
    free = shutil.disk_usage(place).free
    if free < LEAST_FREE_BYTES:
        yield note(
            "cache-disk-full",
            f"{free >> 20} MiB are free for the kernel cache {folder}; {LEAST_FREE_BYTES >> 20} MiB are wise.",
            f"rm -rf {folder}",
        )
        return
    yield ok("cache", f"{folder} can be written")


def _folder(system: System) -> Path:
    named = system.env.get("PYASC_CACHE_DIR")
    if named:
        return system.path(named)
    home = system.env.get("PYASC_HOME")
    return (system.path(home) if home else system.home) / ".pyasc" / "cache"
