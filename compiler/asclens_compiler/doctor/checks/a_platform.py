# SPDX-License-Identifier: Apache-2.0
"""Operating system and processor."""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.doctor.model import Finding, System, fault, ok

TITLE = "Machine"
PROCESSORS = ("x86_64", "aarch64")


def check(system: System) -> Iterator[Finding]:
    """Ask for Linux on a processor that CANN supports."""
    if system.os_name != "Linux":
        yield fault(
            "os-unsupported",
            f"CANN runs on Linux only, this is {system.os_name}.",
            "Run on the simulator here (asclens run SCRIPT), or on a Linux server with an NPU.",
        )
        return
    if system.machine not in PROCESSORS:
        yield fault(
            "processor-unsupported",
            f"CANN supports {' and '.join(PROCESSORS)}, this is {system.machine}.",
            "Run on the simulator here (asclens run SCRIPT).",
        )
        return
    yield ok("platform", f"{system.os_name} on {system.machine}")
