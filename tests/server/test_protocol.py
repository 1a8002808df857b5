# SPDX-License-Identifier: Apache-2.0
"""The language server over stdio, as an editor uses it."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

pytestmark = pytest.mark.asyncio(loop_scope="function")
LIMIT_S = 60

CLEAN = '''\
from asc import DataType, PipeStage, Scope, Tensor

# asclens: run ReluScale(num_elements=1024) x=rand(1024) scale=2.0 y=zeros(1024)


class ReluScale:
    """求 ReLU 🚀 后缩放。"""

    def __init__(self, num_elements):
        self.num_elements = num_elements

    def process(self, x: Tensor(shape=(1024,), dtype=DataType.FLOAT32), scale: float, y: Tensor):
        x_local = x.to_local()
        y_local = Tensor(shape=(self.num_elements,), dtype=DataType.FLOAT32, scope=Scope.LOCAL)
        PipeStage.start(PipeStage.VECTOR)
        mask = x_local > 0
        x_relu = x_local * mask.to(dtype=DataType.FLOAT32)
        y_local = x_relu * scale
        PipeStage.end(PipeStage.VECTOR)
        y.copy_from(y_local)
        PipeStage.sync()
'''
NO_START = CLEAN.replace("        PipeStage.start(PipeStage.VECTOR)\n", "")
URI = "file:///kernels/relu_scale.py"


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[sys.executable, "-m", "asclens_server"]))
async def client(lsp_client: LanguageClient):
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=types.ClientCapabilities(), root_uri="file:///kernels")
    )
    yield lsp_client
    await lsp_client.shutdown_session()


def open_document(client: LanguageClient, text: str, uri: str = URI) -> None:
    item = types.TextDocumentItem(uri=uri, language_id="python", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))


def change_document(client: LanguageClient, text: str, version: int, uri: str = URI) -> None:
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(uri=uri, version=version),
            content_changes=[types.TextDocumentContentChangeWholeDocument(text=text)],
        )
    )


async def findings(client: LanguageClient, version: int) -> list[types.Diagnostic]:
    """Wait for the diagnostics of a version."""
    seen: list[types.PublishDiagnosticsParams] = []

    async def wait() -> list[types.Diagnostic]:
        while True:
            done = client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
            params = await done
            seen.append(params)
            if params.version == version:
                return list(params.diagnostics)

    return await asyncio.wait_for(wait(), LIMIT_S)


def line_of(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.split("\n")) if part in line)


async def test_missing_start_is_reported_fixed_and_clean(client: LanguageClient):
    open_document(client, NO_START)
    found = await findings(client, 1)
    assert {item.code for item in found} >= {"ASC201"}
    missing = min((item for item in found if item.code == "ASC201"), key=lambda item: item.range.start.line)
    assert missing.range.start.line == line_of(NO_START, "mask = x_local > 0")
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=URI),
            range=missing.range,
            context=types.CodeActionContext(diagnostics=[missing]),
        )
    )
    edit = next(action.edit for action in actions if action.edit is not None)
    fixed = apply(NO_START, edit.changes[URI])
    change_document(client, fixed, 2)
    assert await findings(client, 2) == []


def apply(text: str, edits: list[types.TextEdit]) -> str:
    lines = text.split("\n")

    def offset(position: types.Position) -> int:
        before = sum(len(line) + 1 for line in lines[: position.line])
        units = lines[position.line].encode("utf-16-le")[: position.character * 2]
        return before + len(units.decode("utf-16-le"))

    for edit in sorted(edits, key=lambda item: (item.range.start.line, item.range.start.character), reverse=True):
        text = text[: offset(edit.range.start)] + edit.new_text + text[offset(edit.range.end) :]
    return text


async def test_hover_says_what_runs_where(client: LanguageClient):
    open_document(client, CLEAN)
    await findings(client, 1)
    line = line_of(CLEAN, "x_relu = x_local")
    column = CLEAN.split("\n")[line].index("x_local")
    document = types.TextDocumentIdentifier(uri=URI)
    shown = await client.text_document_hover_async(
        types.HoverParams(text_document=document, position=types.Position(line, column + 1))
    )
    assert "float32" in shown.contents.value
    assert "1024" in shown.contents.value
    line = line_of(CLEAN, "y.copy_from")
    column = CLEAN.split("\n")[line].index("copy_from")
    shown = await client.text_document_hover_async(
        types.HoverParams(text_document=document, position=types.Position(line, column + 1))
    )
    assert "MTE3" in shown.contents.value
    assert "DataCopy" in shown.contents.value


async def test_lenses_run_and_debug_the_kernel(client: LanguageClient):
    open_document(client, CLEAN)
    await findings(client, 1)
    document = types.TextDocumentIdentifier(uri=URI)
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    assert [lens.command.command for lens in lenses] == ["asclens.run", "asclens.debug"]
    assert lenses[0].command.arguments[0]["kernel"] == "ReluScale"


async def test_a_file_without_kernels_gets_nothing(client: LanguageClient):
    open_document(client, "import os\nprint(os.name)\n", "file:///kernels/plain.py")
    assert await findings(client, 1) == []


async def test_syntax_error_then_back(client: LanguageClient):
    open_document(client, CLEAN)
    assert await findings(client, 1) == []
    change_document(client, CLEAN.replace("PipeStage.sync()", "PipeStage.sync("), 2)
    broken = await findings(client, 2)
    assert [item.code for item in broken] == ["ASC001"]
    change_document(client, CLEAN, 3)
    assert await findings(client, 3) == []


async def test_newest_version_wins(client: LanguageClient):
    open_document(client, CLEAN)
    await findings(client, 1)
    for version in range(2, 40):
        change_document(client, NO_START if version % 2 else CLEAN, version)
    found = await findings(client, 39)
    assert {item.code for item in found} >= {"ASC201"}


async def test_killed_engine_is_replaced(client: LanguageClient):
    open_document(client, CLEAN)
    assert await findings(client, 1) == []
    change_document(client, NO_START, 2)
    await findings(client, 2)
    for pid in engines_of_children(os.getpid()):
        os.kill(pid, signal.SIGKILL)
    version = 3
    change_document(client, CLEAN, version)
    found = await findings(client, version)
    while found:
        assert "ASC790" in {item.code for item in found}
        version += 1
        change_document(client, CLEAN, version)
        found = await findings(client, version)
    assert version <= 5


def engines_of_children(parent: int) -> list[int]:
    """Return the engine processes among the descendants of a process."""
    children: dict[int, list[int]] = {}
    commands: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
                commands[int(entry.name)] = (entry / "cmdline").read_text()
            except OSError:
                continue
            children.setdefault(int(stat.rsplit(")", 1)[1].split()[1]), []).append(int(entry.name))
    found: list[int] = []
    queue = [parent]
    while queue:
        pid = queue.pop()
        queue += children.get(pid, [])
        if "asclens_compiler.engine" in commands.get(pid, ""):
            found.append(pid)
    return found


async def test_closing_clears_the_findings(client: LanguageClient):
    open_document(client, NO_START)
    assert await findings(client, 1)
    document = types.TextDocumentIdentifier(uri=URI)
    done = client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    client.text_document_did_close(types.DidCloseTextDocumentParams(text_document=document))
    params = await asyncio.wait_for(done, LIMIT_S)
    assert list(params.diagnostics) == []
