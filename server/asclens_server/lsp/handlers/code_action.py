# SPDX-License-Identifier: Apache-2.0
"""textDocument/codeAction: quick fixes."""

from __future__ import annotations

from asclens_compiler.diagnostics.model import Fix
from lsprotocol import types
from pygls.lsp.server import LanguageServer

from asclens_server.features.quick_fixes import quick_fixes
from asclens_server.lsp.convert import to_diagnostic, to_range, to_span, uri_of
from asclens_server.lsp.session import Document, Session


def register(server: LanguageServer, session: Session) -> None:
    """Register the handler."""

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
    )
    def answer(params: types.CodeActionParams) -> list[types.CodeAction]:
        current = session.current(params.text_document.uri)
        if current is None:
            return []
        document, snapshot = current
        if snapshot.version != document.version:
            return []
        wanted = to_span(document.file, params.range, document.lines)
        return [
            types.CodeAction(
                title=offer.fix.title,
                kind=types.CodeActionKind.QuickFix,
                diagnostics=[to_diagnostic(offer.diagnostic, document.lines)],
                is_preferred=offer.preferred,
                edit=_edit(offer.fix, document),
            )
            for offer in quick_fixes(snapshot, wanted)
        ]

    del answer


def _edit(fix: Fix, document: Document) -> types.WorkspaceEdit:
    changes: dict[str, list[types.TextEdit]] = {}
    for edit in fix.edits:
        uri = document.uri if edit.span.file == document.file else uri_of(edit.span.file)
        changes.setdefault(uri, []).append(types.TextEdit(to_range(edit.span, document.lines), edit.new_text))
    return types.WorkspaceEdit(changes=changes)
