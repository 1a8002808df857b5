# SPDX-License-Identifier: Apache-2.0
"""The engine as its owner sees it: requests, failures, restart, end."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from asclens_compiler.engine.client import EngineClient, EngineLostError, engine_command
from asclens_compiler.errors import AscLensError, InternalError
from processes import wait_until_gone


def test_the_client_imports_nothing_heavy() -> None:
    code = (
        "import asclens_compiler.engine.client, asclens_compiler.engine.run_script, sys; "
        "print([name for name in sys.modules if name.split('.')[0] in ('numpy', 'mlir', 'ml_dtypes', 'rich')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_hello_names_version_and_process(client: EngineClient) -> None:
    answer = client.request("hello")
    assert answer["pid"] == client.pid
    assert set(answer) == {"version", "pid", "mlir"}


@pytest.mark.parametrize(
    ("method", "params", "word"),
    [
        ("nothing", {}, "nothing"),
        ("debug.nothing", {}, "debug.nothing"),
        ("options", {"colour": 1}, "colour"),
        ("options", {"checks": "some"}, "none, fast, all"),
        ("options", {"seed": "1"}, "seed"),
        ("cancel", {"launch": 1}, "not for this link"),
        ("host.frames", {"launch": 1}, "ended"),
    ],
)
def test_wrong_requests_get_a_readable_error(
    client: EngineClient, method: str, params: dict[str, object], word: str
) -> None:
    with pytest.raises(AscLensError, match=word):
        client.request(method, params)
    assert client.request("hello")["pid"] == client.pid


def test_a_defect_is_an_internal_error_and_the_engine_goes_on(client: EngineClient) -> None:
    with pytest.raises(InternalError, match="text"):
        client.request("check", {"file": "x.py"})
    assert client.request("hello")["pid"] == client.pid


def test_an_engine_that_is_killed_is_noticed_and_replaced(client: EngineClient) -> None:
    client.set_options(seed=7)
    first = client.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    with pytest.raises(EngineLostError, match="signal 9"):
        client.request("hello")
    client.restart()
    assert client.request("hello")["pid"] != first


def test_an_engine_that_hangs_is_killed(client: EngineClient) -> None:
    pid = client.request("hello")["pid"]
    os.kill(pid, signal.SIGSTOP)
    os.waitpid(pid, os.WUNTRACED)
    with pytest.raises(EngineLostError, match=r"within 0\.2 s"):
        client.request("hello", timeout_s=0.2)
    assert not client.alive


def test_closing_ends_the_process() -> None:
    client = EngineClient.start()
    pid = client.request("hello")["pid"]
    client.close()
    assert not Path(f"/proc/{pid}").exists()
    with pytest.raises(EngineLostError):
        client.request("hello")


def _talk(lines: bytes) -> list[dict[str, object]]:
    done = subprocess.run(engine_command(), input=lines, capture_output=True, timeout=60, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_shutdown_answers_and_ends() -> None:
    process = subprocess.Popen(engine_command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b'{"id": 1, "method": "shutdown"}\n')
    process.stdin.flush()
    assert json.loads(process.stdout.readline()) == {"id": 1, "result": {}}
    assert process.wait(10) == 0
    process.stdin.close()
    process.stdout.close()


def test_malformed_messages_are_answered_and_skipped() -> None:
    answers = _talk(b'nonsense\n[1]\n{"id": 1, "method": "hello"}\n')
    assert [answer["id"] for answer in answers] == [None, None, 1]


def test_the_engine_ends_with_its_parent(tmp_path: Path) -> None:
    script = tmp_path / "parent.py"
    script.write_text(
        "import os\n"
        "from asclens_compiler.engine.client import EngineClient\n"
        "print(EngineClient.start().request('hello')['pid'], flush=True)\n"
        "os._exit(0)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60, check=True)
    wait_until_gone(int(done.stdout))


def test_packages_of_the_current_folder_are_not_imported(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('a numpy of the user')")
    code = (
        "from asclens_compiler.engine.client import EngineClient\n"
        "with EngineClient.start() as engine:\n"
        "    print(engine.request('check', {'file': 'x.py', 'text': 'import asc'})['diagnostics'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("first", [b'{"token": "guess"}\n', b"\n", b"nonsense\n", b'{"token": 5}\n', b""])
def test_a_script_without_the_token_is_refused(client: EngineClient, first: bytes) -> None:
    link = client.request("listen")
    with socket.create_connection(("127.0.0.1", link["port"]), timeout=10) as peer:
        peer.sendall(first)
        if not first:
            peer.shutdown(socket.SHUT_WR)
        assert peer.recv(100) == b""


def test_a_script_with_the_token_is_heard(client: EngineClient) -> None:
    link = client.request("listen")
    assert client.request("listen") == link
    with socket.create_connection(("127.0.0.1", link["port"]), timeout=10) as peer:
        peer.sendall(json.dumps({"token": link["token"]}).encode() + b'\n{"id": 1, "method": "hello"}\n')
        peer.sendall(b'{"id": 2, "method": "options", "params": {"seed": 1}}\n')
        with peer.makefile("rb") as stream:
            assert json.loads(stream.readline())["result"]["pid"] == client.pid
            assert "not for this link" in json.loads(stream.readline())["error"]["message"]
