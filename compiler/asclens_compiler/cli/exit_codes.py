# SPDX-License-Identifier: Apache-2.0
"""Exit statuses of the `asclens` program; part of its documented interface."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """State how a command ended."""

    OK = 0  # nothing of severity error
    FINDINGS = 1  # findings of severity error
    COULD_NOT_RUN = 2  # usage, missing file, environment
    VIOLATIONS = 3  # `run`: the script succeeded, but a kernel did something wrong
    INTERRUPTED = 130  # stopped by Ctrl-C
