# SPDX-License-Identifier: Apache-2.0
"""Start, settings and end of a session."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from asclens_server.lsp.session import Session


def register(server: LanguageServer, session: Session) -> None:
    """Register initialized, configuration changes and shutdown."""
    background: set[asyncio.Task[Any]] = set()

    def start(job: Any) -> None:
        task = asyncio.get_running_loop().create_task(job)
        background.add(task)
        task.add_done_callback(background.discard)

    @server.feature(types.INITIALIZE)
    async def initialize(params: types.InitializeParams) -> None:
        session.soc = _soc(params.initialization_options)
        start(session.worker.warm_up())

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(_params: types.DidChangeConfigurationParams) -> None:
        workspace = server.client_capabilities.workspace
        if workspace is None or not workspace.configuration:
            return
        item = types.ConfigurationItem(section="asclens.soc")
        answer = await server.workspace_configuration_async(types.ConfigurationParams(items=[item]))
        soc = answer[0] if answer else None
        if isinstance(soc, str) and soc != session.soc:
            session.soc = soc
            session.recheck_all()

    @server.feature(types.SHUTDOWN)
    async def shutdown(_params: None) -> None:
        await session.worker.close()

    del initialize, configuration, shutdown


def _soc(options: object) -> str:
    """Return the chip of the initialization options, which arrive as a mapping or an object."""
    fields = cast("dict[str, object]", options) if isinstance(options, dict) else {"soc": getattr(options, "soc", "")}
    soc = fields.get("soc")
    return soc if isinstance(soc, str) else ""
