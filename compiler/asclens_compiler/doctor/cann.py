# SPDX-License-Identifier: Apache-2.0
"""Where the CANN toolkit is and which version it has."""

from __future__ import annotations

import re
from dataclasses import dataclass

from asclens_compiler.doctor.model import System

VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_HOME")
DEFAULTS = ("/usr/local/Ascend/ascend-toolkit/latest", "/usr/local/Ascend/cann")
VERSION_FILES = ("version.cfg", "compiler/version.info", "toolkit/version.info", "share/info/runtime/version.info")
MINIMUM = "8.5.0.alpha001"
_VERSION = re.compile(r"(\d+)\.(\d+)(?:\.(?:RC)?(\d+))?(?:[.-]?(alpha|beta|rc)(\d+))?", re.IGNORECASE)
_STAGES = {"alpha": 0, "beta": 1, "rc": 2, "": 3}


@dataclass(frozen=True, slots=True, order=True)
class Version:
    """A CANN version; pre-releases sort before the release (alpha, beta, rc)."""

    major: int
    minor: int
    patch: int
    stage: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolkit:
    """A CANN installation: its folder, the variable that named it, and its version text."""

    home: str
    variable: str
    version: str | None


def parse_version(text: str) -> Version | None:
    """Return the version in a text such as "8.5.0.alpha001" or "8.3.RC1"."""
    match = _VERSION.search(text)
    if match is None:
        return None
    major, minor, patch, stage, number = match.groups()
    candidate = ".RC" in text[: match.end()].upper() and stage is None
    if candidate:
        return Version(int(major), int(minor), 0, _STAGES["rc"], int(patch or 0))
    return Version(int(major), int(minor), int(patch or 0), _STAGES[(stage or "").lower()], int(number or 0))


def find_toolkit(system: System) -> Toolkit | None:
    """Return the toolkit named by the environment, else one in a default place; None when there is none."""
    for variable in VARIABLES:
        home = system.env.get(variable)
        if home:
            return Toolkit(home=home, variable=variable, version=_version(system, home))
    for home in DEFAULTS:
        if system.exists(home):
            return Toolkit(home=home, variable="", version=_version(system, home))
    return None


def _version(system: System, home: str) -> str | None:
    for name in VERSION_FILES:
        text = system.read(f"{home}/{name}")
        if text is None:
            continue
        match = re.search(r"(?:Version|version|toolkit_installed_version)\s*[=:]\s*\[?([^\s\]]+)", text)
        found = match.group(1) if match else text.strip().split("\n")[0]
        numbers = re.search(r"\d+\.\d+[\w.-]*", found)
        if numbers:
            return numbers.group(0)
    return None
