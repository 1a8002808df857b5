# SPDX-License-Identifier: Apache-2.0
"""Watching processes (Linux)."""

from __future__ import annotations

import os
import select
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """Return the child processes of a process (Linux)."""
    found: list[int] = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                fields = Path(f"/proc/{entry}/stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(entry))
    return found


def wait_until_gone(pid: int, limit_s: float = 10.0) -> None:
    """Return when a process that is no child of ours has ended; fail when it does not."""
    descriptor = os.pidfd_open(pid) if hasattr(os, "pidfd_open") and Path(f"/proc/{pid}").exists() else None
    if descriptor is None:
        return
    ended, _, _ = select.select([descriptor], [], [], limit_s)
    os.close(descriptor)
    assert ended, f"process {pid} still runs"
