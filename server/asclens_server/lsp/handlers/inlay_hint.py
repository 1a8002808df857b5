# SPDX-License-Identifier: Apache-2.0
"""textDocument/inlayHint."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from asclens_server.features.inlay_hints import inlay_hints
from asclens_server.lsp.convert import to_span, to_utf16
from asclens_server.lsp.session import Session


def register(server: LanguageServer, session: Session) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT)
    def answer(params: types.InlayHintParams) -> list[types.InlayHint]:
        current = session.current(params.text_document.uri)
        if current is None:
            return []
        document, snapshot = current
        if snapshot.version != document.version:
            return []
        wanted = to_span(document.file, params.range, document.lines)
        return [
            types.InlayHint(
                position=types.Position(hint.line - 1, to_utf16(document.lines[hint.line - 1], hint.column)),
                label=hint.text,
                kind=types.InlayHintKind.Type,
            )
            for hint in inlay_hints(snapshot, wanted)
        ]

    del answer
