# SPDX-License-Identifier: Apache-2.0
"""Document life cycle and published diagnostics."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from asclens_server.lsp.convert import to_diagnostic
from asclens_server.lsp.session import Document, Session


def register(server: LanguageServer, session: Session) -> None:
    """Register open, change, close and save."""

    def publish(document: Document) -> None:
        found = document.snapshot.diagnostics if document.snapshot is not None else ()
        items = [to_diagnostic(item, document.lines) for item in (*document.trouble, *found)]
        server.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(uri=document.uri, version=document.version, diagnostics=items)
        )
        if document.snapshot is not None and _refreshes_lenses(server):
            server.workspace_code_lens_refresh(None)

    session.publish = publish

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def did_open(params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        session.open(item.uri, item.version, item.text)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def did_change(params: types.DidChangeTextDocumentParams) -> None:
        item = params.text_document
        session.change(item.uri, item.version, server.workspace.get_text_document(item.uri).source)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def did_close(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        session.close(uri)
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri=uri, diagnostics=[]))

    del did_open, did_change, did_close


def _refreshes_lenses(server: LanguageServer) -> bool:
    workspace = server.client_capabilities.workspace
    lens = workspace.code_lens if workspace is not None else None
    return bool(lens is not None and lens.refresh_support)
