# SPDX-License-Identifier: Apache-2.0
"""Fixtures: debuggee Pythons, adapter clients, and a look at the processes that are left."""

from __future__ import annotations

import os
import socket
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dapclient import SCRIPTS, Client, line

DEBUGGEES = ("3.10", "3.11", "3.12", "pyasc")


@pytest.fixture(params=DEBUGGEES)
def python(request: pytest.FixtureRequest, script_python: Callable[[str], Path]) -> str:
    """Return an interpreter with numpy; "pyasc" has the real package and numpy 1.26 as well."""
    version: str = request.param
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return sys.executable
    return str(script_python(version if version == "pyasc" else f"py{version.replace('.', '')}"))


@pytest.fixture(scope="session")
def pyasc_sources() -> Path:
    """Return a checkout of hicann/pyasc, whose tutorials run unmodified."""
    folder = os.environ.get("ASCLENS_PYASC_SOURCES")
    if not folder:
        pytest.skip("ASCLENS_PYASC_SOURCES names no checkout of hicann/pyasc")
    return Path(folder)


class Processes:
    """Every process that carries this test's mark in its environment: all children of its adapters."""

    def __init__(self) -> None:
        self.name, self.value = "ASCLENS_TEST_MARK", uuid.uuid4().hex

    def all(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                if self.value.encode() in (entry / "environ").read_bytes():
                    found[int(entry.name)] = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return {number: command for number, command in found.items() if command}

    def none_left(self, limit_s: float = 10) -> None:
        end = time.monotonic() + limit_s
        while self.all():
            assert time.monotonic() < end, self.all()
            time.sleep(0.02)

    def find(self, text: str) -> int:
        return next(number for number, command in self.all().items() if text in command)

    def appear(self, text: str, limit_s: float = 30) -> None:
        """Wait for a process whose command line contains a text."""
        end = time.monotonic() + limit_s
        while not any(text in command for command in self.all().values()):
            assert time.monotonic() < end, self.all()
            time.sleep(0.005)

    def ports(self) -> list[int]:
        """Return the TCP ports on which these processes listen."""
        inodes: set[str] = set()
        for number in self.all():
            for entry in Path(f"/proc/{number}/fd").iterdir():
                target = os.readlink(entry)
                if target.startswith("socket:["):
                    inodes.add(target[8:-1])
        rows = [row.split() for row in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]]
        return [int(row[1].split(":")[1], 16) for row in rows if row[3] == "0A" and row[9] in inodes]

    def closed(self, ports: list[int]) -> None:
        """Assert that nobody listens on these ports."""
        for port in ports:
            with socket.socket() as probe:
                assert probe.connect_ex(("127.0.0.1", port)) != 0, port


@pytest.fixture
def processes() -> Processes:
    return Processes()


class Starter:
    """Starts sessions whose processes carry a mark."""

    def __init__(self, processes: Processes) -> None:
        self.processes = processes
        self.clients: list[Client] = []

    def __call__(self, program: Path, *args: str, **more: object) -> Client:
        client = Client({self.processes.name: self.processes.value})
        self.clients.append(client)
        more.setdefault("python", sys.executable)
        client.launch(program, *args, **more)
        return client

    def close(self) -> None:
        for client in self.clients:
            client.close()
        self.processes.none_left()


@pytest.fixture
def start(processes: Processes) -> Iterator[Starter]:
    """Return a function that starts a session; every process is gone after the test."""
    starter = Starter(processes)
    yield starter
    starter.close()


@pytest.fixture(scope="module")
def shared_kernel() -> Iterator[tuple[Client, dict[str, object]]]:
    """Return a client stopped in the staged kernel and its frame, for tests that only look."""
    starter = Starter(Processes())
    script = SCRIPTS / "staged.py"
    client = starter(script, stops=[line(script, "k.relu")])
    yield client, client.stack(client.stopped()["threadId"])[0]
    starter.close()
