# SPDX-License-Identifier: Apache-2.0
"""Fixtures: debuggee Pythons, adapter clients, and a look at the processes that are left."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from dapclient import Client

VERSIONS = ("3.10", "3.11", "3.12")


@cache
def interpreter(version: str) -> str | None:
    """Return a Python of this version with numpy, or None."""
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return sys.executable
    named = os.environ.get(f"ASCLENS_TEST_PYTHON_{version.replace('.', '_')}")
    for candidate in (named, shutil.which(f"python{version}")):
        if candidate and _works(candidate, version):
            return candidate
    return None


def _works(candidate: str, version: str) -> bool:
    probe = "import sys, numpy; print('%d.%d' % sys.version_info[:2])"
    answer = subprocess.run([candidate, "-c", probe], capture_output=True, text=True, check=False)
    return answer.stdout.strip() == version


@pytest.fixture(params=VERSIONS)
def python(request: pytest.FixtureRequest) -> str:
    found = interpreter(request.param)
    if found is None:
        pytest.skip(f"no Python {request.param} with numpy on this machine")
    return found


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


@pytest.fixture
def processes() -> Processes:
    return Processes()


@pytest.fixture
def start(processes: Processes) -> Iterator[Callable[..., Client]]:
    clients: list[Client] = []

    def go(program: Path, *args: str, **more: object) -> Client:
        client = Client({processes.name: processes.value})
        clients.append(client)
        more.setdefault("python", sys.executable)
        client.launch(program, *args, **more)
        return client

    yield go
    for client in clients:
        client.close()
    processes.none_left()
