# SPDX-License-Identifier: Apache-2.0
"""Failures that are not findings about the user's program."""

from __future__ import annotations

from asclens_compiler.source.span import Span


class AscLensError(Exception):
    """Report a fault of the environment or the invocation, in words a user can act on.

    `message` states the fact; `help` says what to do about it, with the command where there is one.
    """

    def __init__(self, message: str, *, help: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.help = help


class InternalError(Exception):
    """Report a defect of AscLens itself, naming the op and the user's line that triggered it."""

    def __init__(self, message: str, *, op: str = "", span: Span | None = None) -> None:
        place = f" at {span.file}:{span.line}:{span.column}" if span is not None else ""
        subject = f" in {op}" if op else ""
        super().__init__(f"{message}{subject}{place}")
        self.message = message
        self.op = op
        self.span = span
