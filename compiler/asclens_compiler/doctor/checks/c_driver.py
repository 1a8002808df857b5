# SPDX-License-Identifier: Apache-2.0
"""Driver and firmware versions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from asclens_compiler.doctor.model import Finding, System, fault, note, ok

TITLE = "Driver"
DRIVER = "/usr/local/Ascend/driver/version.info"
FIRMWARE = "/usr/local/Ascend/firmware/version.info"


def check(system: System) -> Iterator[Finding]:
    """Read both versions and compare their release lines."""
    driver, firmware = _version(system, DRIVER), _version(system, FIRMWARE)
    if driver is None:
        yield fault(
            "driver-missing",
            f"No driver version in {DRIVER}.",
            "Install the NPU driver: sudo ./Ascend-hdk-<chip>-npu-driver_<version>_linux-<arch>.run --full",
        )
        return
    if firmware is None:
        yield note(
            "firmware-unreadable",
            f"Driver {driver}; no firmware version in {FIRMWARE}.",
            "On the host: sudo ./Ascend-hdk-<chip>-npu-firmware_<version>.run --full",
        )
        return
    if _line(driver) < _line(firmware):
        yield fault(
            "driver-older-than-firmware",
            f"Driver {driver} is older than firmware {firmware}.",
            "Install the driver of the same release, then reboot: sudo reboot",
        )
        return
    yield ok("driver", f"driver {driver}, firmware {firmware}")


def _version(system: System, path: str) -> str | None:
    match = re.search(r"Version\s*=\s*(\S+)", system.read(path) or "")
    return match.group(1) if match else None


def _line(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:2])
