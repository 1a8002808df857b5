# SPDX-License-Identifier: Apache-2.0
"""The script's link: waiting, failing, questions about the frame that waits."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from toy_engine import Peer, Record, ToyEngine, fine, run_host

Write = Callable[..., Path]

LAUNCH = """
    import asc
    @asc.jit
    def kernel(n: int): asc.get_block_idx()
    def call(text):
        numbers = {"one": [1, 2]}
        kernel[1](5)
        return text
    try: print(call("done"))
    except Exception as error: print(type(error).__name__, "|", error)
"""


def test_questions_about_the_frame_that_waits(bare_python: Path, write: Write) -> None:
    answers: dict[str, Any] = {}

    def ask(peer: Peer, record: Record) -> dict[str, Any]:
        answers["frames"] = peer.ask("host.frames")["result"]["frames"]
        answers["locals"] = peer.ask("host.locals", frame=0)["result"]["variables"]
        numbers = next(item for item in answers["locals"] if item["name"] == "numbers")
        answers["children"] = peer.ask("host.children", reference=numbers["reference"])["result"]["variables"]
        answers["sum"] = peer.ask("host.evaluate", frame=0, expression="sum(numbers['one']) + len(text)")["result"]
        answers["bad"] = peer.ask("host.evaluate", frame=0, expression="nothing")["error"]
        answers["odd"] = peer.ask("host.nothing")["error"]
        return fine(peer, record)

    done = run_host(bare_python, write(LAUNCH), answer=ask)
    assert done.out == "done\n", done.err
    assert [frame["name"] for frame in answers["frames"]] == ["call", "<module>"]
    assert answers["frames"][0]["line"] == 7
    assert [item["name"] for item in answers["locals"]] == ["text", "numbers"]
    assert answers["children"][0]["value"] == "[1, 2]"
    assert (answers["sum"]["value"], answers["sum"]["reference"]) == ("7", None)
    assert answers["bad"]["message"] == "NameError: name 'nothing' is not defined"
    assert "host.nothing" in answers["odd"]["message"]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ({"result": {"ok": False, "compiled": False, "error": "error[ASC101]"}}, "CodegenError | error[ASC101]"),
        ({"result": {"ok": False, "error": "deadlock"}}, "LaunchError | deadlock"),
        ({"error": {"kind": "environment", "message": "no", "help": "do"}}, "LaunchError | no\ndo"),
        (None, "LaunchError | the simulator's engine has ended before the kernel returned"),
    ],
)
def test_failures_are_exceptions(write: Write, reply: dict[str, Any] | None, expected: str) -> None:
    done = run_host(sys.executable, write(LAUNCH), answer=lambda peer, record: reply)
    assert (done.status, done.out) == (0, f"{expected}\n"), done.err


def test_launches_after_the_engine_has_gone_fail_too(write: Write) -> None:
    done = run_host(sys.executable, write(LAUNCH + "    kernel[1](5)\n"), answer=lambda peer, record: None)
    assert done.status == 1
    assert "LaunchError" in done.err.splitlines()[-1]


@pytest.mark.parametrize("link", ["1:wrong", "", "nonsense"])
def test_without_an_engine_a_launch_says_so(write: Write, link: str) -> None:
    done = run_host(sys.executable, write(LAUNCH), link=link)
    assert done.out.startswith("LaunchError | ")


def test_a_wrong_token_is_refused(write: Write) -> None:
    engine = ToyEngine()
    try:
        port = engine.link.split(":")[0]
        done = run_host(sys.executable, write(LAUNCH), link=f"{port}:guessed")
    finally:
        engine.close()
    assert done.out.startswith("LaunchError | ")
    assert engine.records == []


def test_threads_launch_side_by_side(bare_python: Path, write: Write) -> None:
    script = write("""
        import asc, threading
        @asc.jit
        def kernel(n: int): asc.get_block_idx()
        threads = [threading.Thread(target=lambda n=n: kernel[1](n), name=f"t{n}") for n in range(5)]
        for thread in threads: thread.start()
        for thread in threads: thread.join()
    """)
    done = run_host(bare_python, script)
    assert sorted(record["args"][0]["v"] for record in done.records) == [0, 1, 2, 3, 4], done.err
    assert {record["thread_name"] for record in done.records} == {"t0", "t1", "t2", "t3", "t4"}


def test_a_forked_child_gets_its_own_connection(bare_python: Path, write: Write) -> None:
    script = write("""
        import asc, os
        @asc.jit
        def kernel(n: int): asc.get_block_idx()
        kernel[1](1)
        child = os.fork()
        kernel[1](2)
        if child:
            print(os.waitpid(child, 0)[1])
    """)
    done = run_host(bare_python, script)
    assert done.out == "0\n", done.err
    assert sorted(record["args"][0]["v"] for record in done.records) == [1, 2, 2]


def test_an_interrupted_launch_is_cancelled(bare_python: Path, write: Write) -> None:
    def interrupt(peer: Peer, record: Record) -> dict[str, Any]:
        if record["args"][0]["v"] == 1:
            expression = "__import__('os').kill(__import__('os').getpid(), 2)"
            peer.send(
                {
                    "id": 7,
                    "method": "host.evaluate",
                    "params": {"launch": peer.number, "expression": expression, "frame": 0},
                }
            )
            while (message := peer.receive()) is not None and "method" not in message:
                pass
            cancelled.append(message)
        return fine(peer, record)

    cancelled: list[Any] = []
    # A runner in the background ignores SIGINT, and so would its children.
    script = write("""
        import signal
        import asc
        signal.signal(signal.SIGINT, signal.default_int_handler)
        @asc.jit
        def kernel(n: int): asc.get_block_idx()
        try: kernel[1](1)
        except KeyboardInterrupt: print("interrupted")
        kernel[1](2)
    """)
    done = run_host(bare_python, script, answer=interrupt)
    assert (done.status, done.out) == (0, "interrupted\n"), done.err
    assert [(item["method"], item["params"]) for item in cancelled] == [("cancel", {"launch": 1})]
    assert [record["args"][0]["v"] for record in done.records] == [1, 2]


def test_the_token_goes_once_when_asked(write: Write) -> None:
    engine = ToyEngine()
    script = write("import asc, os; print(os.environ.get('ASCLENS_LINK'))")
    try:
        done = run_host(sys.executable, script, link=f"{engine.link}:once")
    finally:
        engine.close()
    assert done.out == "None\n"
