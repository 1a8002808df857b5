# SPDX-License-Identifier: Apache-2.0
"""textDocument/hover."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from asclens_server.features.hover import hover
from asclens_server.lsp.convert import from_utf16, to_range
from asclens_server.lsp.session import Session


def register(server: LanguageServer, session: Session) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def answer(params: types.HoverParams) -> types.Hover | None:
        current = session.current(params.text_document.uri)
        if current is None:
            return None
        document, snapshot = current
        line = params.position.line + 1
        text = document.lines[line - 1] if line <= len(document.lines) else ""
        card = hover(snapshot, text, line, from_utf16(text, params.position.character))
        if card is None:
            return None
        content = types.MarkupContent(types.MarkupKind.Markdown, card.markdown)
        return types.Hover(contents=content, range=to_range(card.span, document.lines))

    del answer
