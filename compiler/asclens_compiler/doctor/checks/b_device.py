# SPDX-License-Identifier: Apache-2.0
"""The NPU: PCI device, chip name, device nodes and the right to use them.

The driver's chip name decides; a PCI id is only a hint. d802 and d803 are read as the 910 family by
public device plug-ins, d801 as the first-generation 910, d500 as 310P there and as "an Ascend
device" in pyasc's announcement.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

from asclens_compiler.doctor.model import Finding, System, fault, note, ok, unknown

TITLE = "NPU"
VENDOR = "19e5"
FAMILY_910B = frozenset({"d802", "d803"})
FIRST_GENERATION = frozenset({"d801"})
AMBIGUOUS = frozenset({"d500"})
MANAGER_NODES = ("/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc")
_CHIP = re.compile(r"\b(?:Ascend\s*)?(910_93\d\d|910B\d(?:-\d)?C?|910B|910C|910[A-Z]?|310P\d?|310B?\d?|950\w*)\b")


def check(system: System) -> Iterator[Finding]:
    """Look for a device, then for its chip name, then for its nodes."""
    ids = _pci_ids(system)
    chip, answered = _chip_name(system)
    yield from _pci(ids, chip)
    yield from _chip(chip, answered=answered, expected=bool(ids))
    if ids or chip:
        yield from _nodes(system)


def _pci_ids(system: System) -> list[str] | None:
    """Return the device ids of the vendor's accelerators, from sysfs or lspci; None when neither tells."""
    folder = system.path("/sys/bus/pci/devices")
    if folder.is_dir():
        found: list[str] = []
        for device in sorted(folder.iterdir()):
            vendor, number = device / "vendor", device / "device"
            if vendor.is_file() and number.is_file() and vendor.read_text().strip().lower() == f"0x{VENDOR}":
                found.append(number.read_text().strip().lower().removeprefix("0x"))
        accelerators = [number for number in found if number.startswith("d")]
        if accelerators:
            return accelerators
    listing = system.run(["lspci", "-n", "-d", f"{VENDOR}:"])
    if listing.status is None:
        return None if not folder.is_dir() else []
    return re.findall(rf"{VENDOR}:(d[0-9a-f]{{3}})", listing.output.lower())


def _pci(ids: list[str] | None, chip: str) -> Iterator[Finding]:
    if ids is None:
        yield unknown(
            "pci-unreadable", "PCI devices cannot be listed here.", "Install pciutils: apt-get install pciutils"
        )
        return
    if not ids:
        yield fault(
            "device-none",
            "No Ascend device was found on the PCI bus.",
            "Run on the simulator here (asclens run SCRIPT); in a container, pass the device through with"
            " --device /dev/davinci0 --device /dev/davinci_manager --device /dev/devmm_svm --device /dev/hisi_hdc.",
        )
        return
    for number in sorted(set(ids)):
        if number in FIRST_GENERATION:
            yield fault(
                "device-first-generation",
                f"PCI device {number} is a first-generation 910, which pyasc does not support.",
                "Use an Atlas A2 (910B) or A3 (910C) server, or the simulator (asclens run SCRIPT).",
            )
        elif number in FAMILY_910B:
            yield ok("device", f"PCI device {number}: 910 family")
        elif number in AMBIGUOUS:
            hint = "" if chip else "; the driver's chip name will decide, and it cannot be read yet"
            yield note(
                "device-ambiguous",
                f"PCI device {number} is an Ascend device, named 310P by public manuals{hint}.",
                "Read the chip name: npu-smi info",
            )
        else:
            yield note("device-unlisted", f"PCI device {number} is not in our table.", "Read it: npu-smi info")


def _chip_name(system: System) -> tuple[str, bool | None]:
    """Return the chip name, and whether npu-smi answered (None: not installed)."""
    answer = system.run(["npu-smi", "info"])
    if answer.status is None:
        return "", None
    if answer.status != 0:
        return "", False
    match = _CHIP.search(answer.output)
    return (match.group(1) if match else ""), True


def _chip(chip: str, *, answered: bool | None, expected: bool) -> Iterator[Finding]:
    if answered is None:
        if expected:
            yield fault(
                "npu-smi-missing",
                "npu-smi is not installed, so the driver is probably missing.",
                "Install the NPU driver: sudo ./Ascend-hdk-<chip>-npu-driver_<version>_linux-<arch>.run --full",
            )
        return
    if not answered:
        yield fault(
            "npu-smi-fails",
            "npu-smi info failed, so the driver does not run.",
            "Load the driver and look at its log: sudo systemctl restart ascend-dmi; dmesg | grep -i davinci",
        )
        return
    if not chip:
        yield unknown("chip-unreadable", "npu-smi info names no chip that we know.", "Look yourself: npu-smi info")
    elif chip.startswith(("910B", "910C", "910_93")):
        yield ok("chip", f"chip {chip}")
    elif chip.startswith("910"):
        yield fault(
            "chip-first-generation",
            f"The chip is {chip}, a first-generation 910, which pyasc does not support.",
            "Use an Atlas A2 (910B) or A3 (910C) server, or the simulator (asclens run SCRIPT).",
        )
    else:
        yield fault(
            "chip-unsupported",
            f"The chip is {chip}; pyasc supports 910B and 910C.",
            "Use an Atlas A2 (910B) or A3 (910C) server, or the simulator (asclens run SCRIPT).",
        )


def _nodes(system: System) -> Iterator[Finding]:
    devices = sorted(system.path("/dev").glob("davinci[0-9]*"))
    missing = [node for node in MANAGER_NODES if not system.exists(node)]
    if not devices:
        missing.insert(0, "/dev/davinci0")
    if missing:
        yield fault(
            "device-nodes-missing",
            f"Device nodes are missing: {', '.join(missing)}.",
            "On the host load the driver (sudo modprobe drv_davinci_intf_host); in a container add"
            f" {' '.join('--device ' + node for node in missing)}.",
        )
        return
    closed = [node for node in devices if not os.access(node, os.R_OK | os.W_OK)]
    if closed:
        yield fault(
            "device-permission",
            f"You may not open /dev/{closed[0].name}.",
            "Join the driver's group and log in again: sudo usermod -aG HwHiAiUser $USER",
        )
        return
    yield ok("device-nodes", f"{len(devices)} device node{'s' if len(devices) != 1 else ''}")
