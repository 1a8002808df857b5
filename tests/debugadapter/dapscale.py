# SPDX-License-Identifier: Apache-2.0
"""The script `scale.py` and the way into its kernel."""

from __future__ import annotations

from dapclient import SCRIPTS, Client, line

SCALE = SCRIPTS / "scale.py"


def at(mark: str) -> int:
    return line(SCALE, mark)


def into_kernel(client: Client) -> int:
    """Go from the start to the first kernel line of core 0, by stepIn on the launch line."""
    host = client.stopped()["threadId"]
    assert client.where(host) == ("main", at("launch1"))
    client.ask("stepIn", threadId=host)
    stop = client.stopped()
    assert stop["threadId"] == client.thread("AIV 0")
    return stop["threadId"]
