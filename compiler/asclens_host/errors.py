# SPDX-License-Identifier: Apache-2.0
"""Exceptions that a user's script may see."""

from __future__ import annotations

from typing import Any


class CodegenError(Exception):
    """Report that a kernel does not compile; the text shows the findings with their lines.

    `diagnostics` holds them as the JSON objects of docs/engine-protocol.md.
    """

    def __init__(self, message: str, diagnostics: Any = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)


class UnsupportedSyntaxError(CodegenError):
    """Exist for scripts that catch it by name; `CodegenError` is what is raised."""


class LaunchError(RuntimeError):
    """Report that a launch did not come to its end (deadlock, limit, no simulator, engine lost)."""

    def __init__(self, message: str, diagnostics: Any = ()) -> None:
        super().__init__(message)
        self.diagnostics = list(diagnostics)


def device_only(name: str) -> RuntimeError:
    """Return the error of a device call that the host made."""
    return RuntimeError(
        f"'{name}' works on the device: it cannot be called outside a kernel "
        "(a function decorated with @asc.jit, or one started with asc.launch)"
    )
