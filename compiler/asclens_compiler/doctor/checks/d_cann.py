# SPDX-License-Identifier: Apache-2.0
"""The CANN toolkit: place, version, environment, compiler and libraries."""

from __future__ import annotations

import os
from collections.abc import Iterator

from asclens_compiler.doctor.cann import DEFAULTS, MINIMUM, Toolkit, find_toolkit, parse_version
from asclens_compiler.doctor.model import Finding, System, fault, note, ok, unknown

TITLE = "CANN toolkit"
DRIVER_LIBRARIES = "/usr/local/Ascend/driver/lib64"
INSTALL_DRIVER = (
    "Install the NPU driver, or pass it into the container: -v /usr/local/Ascend/driver:/usr/local/Ascend/driver"
)
INSTALL = "Install CANN 8.5.0 or newer: ./Ascend-cann-toolkit_<version>_linux-<arch>.run --install"


def check(system: System) -> Iterator[Finding]:
    """Look at the toolkit from the outside in."""
    toolkit = find_toolkit(system)
    if toolkit is None:
        yield fault("cann-missing", "No CANN toolkit was found.", INSTALL)
        return
    if not system.exists(toolkit.home):
        yield fault(
            "ascend-home-wrong",
            f"{toolkit.variable} names {toolkit.home}, which does not exist.",
            f"source {DEFAULTS[0]}/bin/setenv.bash   (or the set_env.sh of your installation)",
        )
        return
    if not toolkit.variable:
        yield fault(
            "ascend-home-unset",
            f"CANN lies in {toolkit.home}, but ASCEND_HOME_PATH is not set.",
            f"source {os.path.dirname(toolkit.home)}/set_env.sh",
        )
    yield from _two_homes(system, toolkit)
    yield from _version(toolkit)
    yield from _programs(system, toolkit)
    yield from _libraries(system, toolkit)
    if not system.env.get("ASCEND_OPP_PATH"):
        yield note(
            "opp-path-unset",
            "ASCEND_OPP_PATH is not set; torch_npu operators need it.",
            f"source {os.path.dirname(toolkit.home)}/set_env.sh",
        )


def _two_homes(system: System, toolkit: Toolkit) -> Iterator[Finding]:
    one, other = system.env.get("ASCEND_HOME_PATH"), system.env.get("ASCEND_HOME")
    if one and other and os.path.normpath(one) != os.path.normpath(other):
        yield note(
            "ascend-home-twice",
            f"ASCEND_HOME_PATH is {one} and ASCEND_HOME is {other}; {toolkit.variable} is used.",
            "unset ASCEND_HOME",
        )


def _version(toolkit: Toolkit) -> Iterator[Finding]:
    found, least = parse_version(toolkit.version or ""), parse_version(MINIMUM)
    if found is None or least is None:
        yield unknown(
            "cann-version-unreadable",
            f"The version of the toolkit in {toolkit.home} cannot be read.",
            f"Look yourself: cat {toolkit.home}/version.cfg; pyasc needs {MINIMUM} or newer.",
        )
    elif found < least:
        yield fault("cann-too-old", f"CANN is {toolkit.version}; pyasc needs {MINIMUM} or newer.", INSTALL)
    else:
        yield ok("cann", f"CANN {toolkit.version} in {toolkit.home}")


def _programs(system: System, toolkit: Toolkit) -> Iterator[Finding]:
    folders = [folder for folder in system.env.get("PATH", "").split(os.pathsep) if folder]

    def found(program: str) -> bool:
        return system.exists(program) or any(system.exists(f"{folder}/{program}") for folder in folders)

    for name, variable in (("bisheng", "PYASC_COMPILER"), ("ld.lld", "PYASC_LINKER")):
        wanted = system.env.get(variable)
        if found(wanted or name):
            yield ok(name, f"{variable} names {wanted}" if wanted else f"{name} is on the path")
        elif wanted:
            message = f"{variable} names {wanted}, which does not exist."
            yield fault(f"{name}-override-wrong", message, f"unset {variable}")
        else:
            yield fault(
                f"{name}-missing",
                f"The device {'compiler' if name == 'bisheng' else 'linker'} {name} is not on PATH.",
                f"export PATH={toolkit.home}/compiler/ccec_compiler/bin:$PATH",
            )


def _libraries(system: System, toolkit: Toolkit) -> Iterator[Finding]:
    folders = [os.path.normpath(entry) for entry in system.env.get("LD_LIBRARY_PATH", "").split(os.pathsep) if entry]
    wanted = f"{toolkit.home}/lib64"
    if os.path.normpath(wanted) not in folders:
        yield fault(
            "lib64-not-on-path",
            f"{wanted} is not on LD_LIBRARY_PATH.",
            f"export LD_LIBRARY_PATH={wanted}:$LD_LIBRARY_PATH",
        )
    if DRIVER_LIBRARIES not in folders and f"{DRIVER_LIBRARIES}/driver" not in folders:
        yield fault(
            "driver-lib-not-on-path",
            f"{DRIVER_LIBRARIES}/driver is not on LD_LIBRARY_PATH.",
            f"export LD_LIBRARY_PATH={DRIVER_LIBRARIES}/driver:$LD_LIBRARY_PATH",
        )
    places = [*folders, wanted]
    for library, part in (("libascendcl.so", "toolkit"), ("libruntime.so", "toolkit"), ("libascend_hal.so", "driver")):
        more = [DRIVER_LIBRARIES, f"{DRIVER_LIBRARIES}/driver"] if part == "driver" else []
        if not any(system.exists(f"{folder}/{library}") for folder in (*places, *more)):
            yield fault(
                f"{library.partition('.')[0]}-missing",
                f"{library}: cannot open shared object file (not in lib64 and not on LD_LIBRARY_PATH).",
                INSTALL
                if part == "toolkit"
                else "Install the NPU driver, or pass /usr/local/Ascend/driver into the container:"
                " -v /usr/local/Ascend/driver:/usr/local/Ascend/driver",
            )
