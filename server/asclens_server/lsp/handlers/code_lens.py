# SPDX-License-Identifier: Apache-2.0
"""textDocument/codeLens."""

from __future__ import annotations

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from asclens_server.features.lenses import lenses
from asclens_server.lsp.convert import to_range
from asclens_server.lsp.session import Session


def register(server: LanguageServer, session: Session) -> None:
    """Register the handler."""

    @server.feature(types.TEXT_DOCUMENT_CODE_LENS)
    def answer(params: types.CodeLensParams) -> list[types.CodeLens]:
        current = session.current(params.text_document.uri)
        if current is None:
            return []
        document, snapshot = current
        return [
            types.CodeLens(
                range=to_range(lens.span, document.lines),
                command=types.Command(
                    title=lens.title, command=lens.command, arguments=[{"uri": document.uri, "kernel": lens.kernel}]
                ),
            )
            for lens in lenses(snapshot)
        ]

    del answer
