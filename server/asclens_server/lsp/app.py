# SPDX-License-Identifier: Apache-2.0
"""The language server: protocol handlers, found by listing `handlers/`, over one session."""

from __future__ import annotations

import importlib
import pkgutil
from importlib.metadata import PackageNotFoundError, version

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from asclens_server.lsp import handlers
from asclens_server.lsp.session import Session
from asclens_server.worker.worker import Worker


def build_server() -> LanguageServer:
    """Return a server with all handlers registered and its engine not yet started."""
    server = LanguageServer("asclens", _version(), text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
    session = Session(Worker())
    for info in pkgutil.iter_modules(handlers.__path__):
        importlib.import_module(f"{handlers.__name__}.{info.name}").register(server, session)
    return server


def _version() -> str:
    try:
        return version("asclens")
    except PackageNotFoundError:
        return "0"
