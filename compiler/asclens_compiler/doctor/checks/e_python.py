# SPDX-License-Identifier: Apache-2.0
"""The user's Python: version and packages that pyasc needs on an NPU."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from asclens_compiler.doctor.model import Finding, System, fault, note, ok, unknown

TITLE = "Python for the NPU"
OLDEST, NEWEST = (3, 9), (3, 12)  # wheels of pyasc 1.1.x
PROBE = """
import importlib.metadata as m, json, sys
def v(n):
    try: return m.version(n)
    except m.PackageNotFoundError: return None
packages = {n: v(n) for n in ("pyasc", "torch", "torch-npu", "numpy")}
print(json.dumps({"python": list(sys.version_info[:2]), "packages": packages}))
"""


def check(system: System) -> Iterator[Finding]:
    """Ask the interpreter for its version and packages; a script on the simulator needs none of them."""
    answer = system.run([system.python, "-c", PROBE])
    if answer.status is None:
        yield fault("python-missing", f"There is no interpreter {system.python}.", "asclens doctor --python PATH")
        return
    try:
        facts = json.loads(answer.output.strip().split("\n")[-1])
        version = (int(facts["python"][0]), int(facts["python"][1]))
        packages: Mapping[str, str | None] = facts["packages"]
    except (ValueError, KeyError, IndexError, TypeError):
        yield unknown("python-unreadable", f"{system.python} did not name its version.", f"{system.python} --version")
        return
    yield from _version(system, version)
    yield from _pyasc(system, packages)
    yield from _torch(system, packages)


def _version(system: System, version: tuple[int, int]) -> Iterator[Finding]:
    name = f"Python {version[0]}.{version[1]}"
    span = f"{OLDEST[0]}.{OLDEST[1]} to {NEWEST[0]}.{NEWEST[1]}"
    if version < OLDEST:
        yield fault(
            "python-too-old", f"{name} is too old for pyasc, which has wheels for {span}.", "python3.11 -m venv .venv"
        )
    elif version > NEWEST:
        yield fault(
            "python-too-new",
            f"{name} is too new for pyasc, which has wheels for {span} (the simulator works with it).",
            "python3.11 -m venv .venv",
        )
    else:
        yield ok("python", f"{name} ({system.python})")


def _pyasc(system: System, packages: Mapping[str, str | None]) -> Iterator[Finding]:
    version = packages.get("pyasc")
    if version is None:
        yield fault("pyasc-missing", "pyasc is not installed.", f"{system.python} -m pip install pyasc")
    elif _numbers(version)[:2] != (1, 1):
        yield note(
            "pyasc-version",
            f"pyasc is {version}; AscLens follows 1.1.x.",
            f"{system.python} -m pip install 'pyasc==1.1.*'",
        )
    else:
        yield ok("pyasc", f"pyasc {version}")


def _torch(system: System, packages: Mapping[str, str | None]) -> Iterator[Finding]:
    torch, torch_npu = packages.get("torch"), packages.get("torch-npu")
    if torch is None:
        return
    if torch_npu is None:
        yield note(
            "torch-npu-missing",
            f"torch {torch} is installed without torch_npu, so tensors cannot live on the NPU.",
            f"{system.python} -m pip install torch-npu=={'.'.join(map(str, _numbers(torch)[:3]))}",
        )
    elif _numbers(torch)[:2] != _numbers(torch_npu)[:2]:
        yield fault(
            "torch-npu-mismatch",
            f"torch {torch} and torch_npu {torch_npu} do not belong together.",
            f"{system.python} -m pip install torch=={'.'.join(map(str, _numbers(torch_npu)[:3]))}",
        )
    else:
        yield ok("torch-npu", f"torch {torch} with torch_npu {torch_npu}")


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version))
