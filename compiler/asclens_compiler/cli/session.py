# SPDX-License-Identifier: Apache-2.0
"""The engine as the commands use it: one child process, typed questions, readable faults."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from asclens_compiler.diagnostics.json import all_from_json
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.engine.client import EngineClient, EngineLostError


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Name a file and hold its text."""

    file: str
    text: str


class EngineSession:
    """Ask an engine; a crash costs the request, the next one gets a fresh engine."""

    def __init__(self) -> None:
        self._client: EngineClient | None = None

    def check(self, source: Source, *, soc: str) -> tuple[Diagnostic, ...]:
        """Return the findings in one file."""
        answer = self._request("check", file=source.file, text=source.text, version=0, soc=soc, facts=False)
        return all_from_json(answer["diagnostics"])

    def build(self, source: Source, *, emit: str, kernel: str | None, soc: str) -> dict[str, Any]:
        """Return the texts of one file's kernels at a stage (`docs/engine-protocol.md`, `build`)."""
        extra = {"kernel": kernel} if kernel else {}
        return self._request("build", file=source.file, text=source.text, emit=emit, soc=soc, **extra)

    def run_file(self, source: Source, *, directive: str, options: dict[str, Any]) -> dict[str, Any]:
        """Run a kernel by its directive comment and return the launch result."""
        return self._request("run_file", file=source.file, text=source.text, directive=directive, options=options)

    def close(self) -> None:
        """End the engine."""
        if self._client is not None:
            self._client.close()
            self._client = None

    def _request(self, method: str, **params: Any) -> dict[str, Any]:
        if self._client is None:
            self._client = EngineClient.start()
        try:
            return self._client.request(method, params)
        except EngineLostError:
            self.close()
            raise


@contextmanager
def engine_session() -> Generator[EngineSession]:
    """Give an engine that starts with the first question and ends with the block."""
    session = EngineSession()
    try:
        yield session
    finally:
        session.close()
