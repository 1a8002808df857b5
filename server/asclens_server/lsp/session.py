# SPDX-License-Identifier: Apache-2.0
"""The state of one client session: open documents, their newest results, and the checks under way."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, cast

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.source.span import Span

from asclens_server.features.snapshot import Snapshot, snapshot_from_json
from asclens_server.lsp.convert import path_of
from asclens_server.worker.link import EngineFaultError
from asclens_server.worker.worker import EngineLostError, Worker

log = logging.getLogger(__name__)

Publish = Callable[["Document"], None]
MARKERS = ("asc", "PipeStage")  # a kernel file names one of them; others are never sent to the engine


@dataclass(slots=True, eq=False)
class Document:
    """One open document: the newest text, and the newest results that belong to it."""

    uri: str
    version: int
    text: str
    snapshot: Snapshot | None = None
    trouble: tuple[Diagnostic, ...] = ()
    lines: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = tuple(self.text.split("\n"))

    @property
    def file(self) -> str:
        """Return the path of the document."""
        return path_of(self.uri)

    def replace(self, version: int, text: str) -> None:
        """Take over a newer text; older results stay until new ones arrive."""
        self.version, self.text = version, text
        self.lines = tuple(text.split("\n"))


class Session:
    """Check documents one at a time, always the newest version; drop what is outdated."""

    def __init__(self, worker: Worker) -> None:
        self.worker = worker
        self.documents: dict[str, Document] = {}
        self.soc = ""
        self.publish: Publish = lambda _document: None
        self._dirty: dict[str, None] = {}
        self._task: asyncio.Task[None] | None = None

    def open(self, uri: str, version: int, text: str) -> None:
        """Take a document under care and check it."""
        self.documents[uri] = Document(uri, version, text)
        self._schedule(uri)

    def change(self, uri: str, version: int, text: str) -> None:
        """Take over a newer text and check it."""
        document = self.documents.get(uri)
        if document is None:
            self.open(uri, version, text)
            return
        document.replace(version, text)
        self._schedule(uri)

    def close(self, uri: str) -> None:
        """Forget a document."""
        self.documents.pop(uri, None)
        self._dirty.pop(uri, None)

    def recheck_all(self) -> None:
        """Check every open document again, after a setting changed."""
        for uri in self.documents:
            self._schedule(uri)

    def current(self, uri: str) -> tuple[Document, Snapshot] | None:
        """Return a document and its newest results."""
        document = self.documents.get(uri)
        if document is None or document.snapshot is None:
            return None
        return document, document.snapshot

    def _schedule(self, uri: str) -> None:
        self._dirty.pop(uri, None)
        self._dirty[uri] = None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        while self._dirty:
            uri, _ = self._dirty.popitem()
            document = self.documents.get(uri)
            if document is not None:
                await self._check(document)

    async def _check(self, document: Document) -> None:
        version = document.version
        if not any(marker in document.text for marker in MARKERS):
            document.snapshot, document.trouble = None, ()
            self.publish(document)
            return
        params = {
            "file": document.file,
            "text": document.text,
            "version": version,
            "soc": self.soc or None,
            "facts": True,
        }
        started = time.perf_counter()
        snapshot = await self._guarded(document, self.worker.request("check", params))
        log.info("check %s v%d: %.1f ms", document.file, version, 1e3 * (time.perf_counter() - started))
        if document.version != version or self.documents.get(document.uri) is not document:
            return
        if snapshot is not None:
            document.snapshot, document.trouble = snapshot, ()
        self.publish(document)

    async def _guarded(self, document: Document, answer: Awaitable[object]) -> Snapshot | None:
        """Return the results, or None with one diagnostic on the document that says what went wrong."""
        version = document.version
        try:
            result = await answer
        except (EngineLostError, EngineFaultError) as error:
            log.warning("check of %s failed: %s", document.file, error)
            document.trouble = (_trouble(document.file, str(error)),)
            return None
        if not isinstance(result, dict):
            document.trouble = (_trouble(document.file, "the analysis engine gave no result"),)
            return None
        return snapshot_from_json(document.file, version, cast("dict[str, Any]", result))


def _trouble(file: str, what: str) -> Diagnostic:
    return Diagnostic(
        code="ASC790",
        name="engine-lost",
        severity=Severity.WARNING,
        message=f"This version could not be checked: {what}.",
        span=Span(file, 1, 1, 1, 1),
        help="A fresh engine takes over with the next edit; the log has the details.",
    )
