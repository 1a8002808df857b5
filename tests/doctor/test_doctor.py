# SPDX-License-Identifier: Apache-2.0
"""Every fault of the doctor, on a fabricated machine; each fault names what mends it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from asclens_compiler.doctor.cann import parse_version
from asclens_compiler.doctor.model import CommandResult, Status, System
from asclens_compiler.doctor.render import as_json, as_text
from asclens_compiler.doctor.run import examine

HOME = "/usr/local/Ascend/ascend-toolkit/latest"
DRIVER = "/usr/local/Ascend/driver"
HEALTHY_CHIP = CommandResult(0, "| 0     910B1               | OK            | 93.6        45 |")
NO_OUTPUT = CommandResult(0, "")


@dataclass
class Machine:
    """A healthy A2 server under a temporary root; tests break one thing."""

    root: Path
    env: dict[str, str] = field(default_factory=dict)
    npu_smi: CommandResult = HEALTHY_CHIP
    lspci: CommandResult = NO_OUTPUT
    python: dict[str, object] | None = None
    os_name: str = "Linux"
    machine: str = "x86_64"

    def write(self, path: str, text: str = "") -> None:
        target = self.root / path.lstrip("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)

    def remove(self, path: str) -> None:
        (self.root / path.lstrip("/")).unlink()

    def device(self, number: str) -> None:
        self.write("/sys/bus/pci/devices/0000:81:00.0/vendor", "0x19e5\n")
        self.write("/sys/bus/pci/devices/0000:81:00.0/device", f"0x{number}\n")

    def run(self, command: Sequence[str]) -> CommandResult:
        if command[0] == "npu-smi":
            return self.npu_smi
        if command[0] == "lspci":
            return self.lspci
        if self.python is None:
            return CommandResult(None, "")
        return CommandResult(0, json.dumps(self.python) + "\n")

    def system(self) -> System:
        return System(
            root=self.root,
            env=self.env,
            run=self.run,
            python="python3",
            os_name=self.os_name,
            machine=self.machine,
            home=self.root / "home",
        )

    def findings(self) -> dict[str, Status]:
        return {item.name: item.status for _, items in examine(self.system()) for item in items}


@pytest.fixture
def healthy(tmp_path: Path) -> Machine:
    machine = Machine(tmp_path)
    machine.device("d802")
    for node in ("davinci0", "davinci_manager", "devmm_svm", "hisi_hdc"):
        machine.write(f"/dev/{node}")
    machine.write(f"{DRIVER}/version.info", "Version=25.2.0\n")
    machine.write("/usr/local/Ascend/firmware/version.info", "Version=7.8.0.2\n")
    machine.write(f"{HOME}/version.cfg", "runtime_running_version=[8.5.0:8.5.0]\nVersion=8.5.0\n")
    machine.write(f"{HOME}/compiler/ccec_compiler/bin/bisheng")
    machine.write(f"{HOME}/compiler/ccec_compiler/bin/ld.lld")
    machine.write(f"{HOME}/lib64/libascendcl.so")
    machine.write(f"{HOME}/lib64/libruntime.so")
    machine.write(f"{DRIVER}/lib64/driver/libascend_hal.so")
    (tmp_path / "home").mkdir()
    machine.env = {
        "ASCEND_HOME_PATH": HOME,
        "ASCEND_OPP_PATH": f"{HOME}/opp",
        "LD_LIBRARY_PATH": f"{HOME}/lib64:{DRIVER}/lib64/driver",
        "PATH": f"{HOME}/compiler/ccec_compiler/bin",
    }
    machine.python = python_facts()
    return machine


def python_facts(version: tuple[int, int] = (3, 11), **packages: str | None) -> dict[str, object]:
    return {"python": list(version), "packages": {"pyasc": "1.1.1", **packages}}


def drop(variable: str) -> Callable[[Machine], None]:
    return lambda machine: machine.env.pop(variable) and None


def put(variable: str, value: str) -> Callable[[Machine], None]:
    return lambda machine: machine.env.update({variable: value})


def device(number: str) -> Callable[[Machine], None]:
    return lambda machine: machine.device(number)


def npu_smi(status: int | None, output: str = "") -> Callable[[Machine], None]:
    return lambda machine: setattr(machine, "npu_smi", CommandResult(status, output))


def python(version: tuple[int, int] = (3, 11), **packages: str | None) -> Callable[[Machine], None]:
    return lambda machine: setattr(machine, "python", python_facts(version, **packages))


def no_device(machine: Machine) -> None:
    machine.remove("/sys/bus/pci/devices/0000:81:00.0/device")


def cann(version: str) -> Callable[[Machine], None]:
    return lambda machine: machine.write(f"{HOME}/version.cfg", f"Version={version}\n")


def gone(path: str) -> Callable[[Machine], None]:
    return lambda machine: machine.remove(path)


def no_toolkit(machine: Machine) -> None:
    machine.env.pop("ASCEND_HOME_PATH")
    (machine.root / "usr/local/Ascend/ascend-toolkit").rename(machine.root / "elsewhere")


def older_driver(machine: Machine) -> None:
    machine.write(f"{DRIVER}/version.info", "Version=6.1.0\n")


FAULTS: list[tuple[str, Callable[[Machine], None]]] = [
    ("os-unsupported", lambda machine: setattr(machine, "os_name", "Darwin")),
    ("processor-unsupported", lambda machine: setattr(machine, "machine", "riscv64")),
    ("device-none", no_device),
    ("device-first-generation", device("d801")),
    ("npu-smi-missing", npu_smi(None)),
    ("npu-smi-fails", npu_smi(255, "DrvMngGetConsoleLogLevel failed")),
    ("chip-first-generation", npu_smi(0, "| 0  910A | OK |")),
    ("chip-unsupported", npu_smi(0, "| 0  310P3 | OK |")),
    ("device-nodes-missing", gone("/dev/davinci0")),
    ("device-nodes-missing", gone("/dev/davinci_manager")),
    ("driver-missing", gone(f"{DRIVER}/version.info")),
    ("driver-older-than-firmware", older_driver),
    ("cann-missing", no_toolkit),
    ("ascend-home-unset", drop("ASCEND_HOME_PATH")),
    ("ascend-home-wrong", put("ASCEND_HOME_PATH", "/opt/nowhere")),
    ("cann-too-old", cann("8.3.RC1")),
    ("cann-too-old", cann("8.3.0")),
    ("bisheng-missing", gone(f"{HOME}/compiler/ccec_compiler/bin/bisheng")),
    ("ld.lld-missing", gone(f"{HOME}/compiler/ccec_compiler/bin/ld.lld")),
    ("bisheng-override-wrong", put("PYASC_COMPILER", "/opt/none/bisheng")),
    ("ld.lld-override-wrong", put("PYASC_LINKER", "/opt/none/ld.lld")),
    ("lib64-not-on-path", put("LD_LIBRARY_PATH", f"{DRIVER}/lib64/driver")),
    ("driver-lib-not-on-path", put("LD_LIBRARY_PATH", f"{HOME}/lib64")),
    ("libascendcl-missing", gone(f"{HOME}/lib64/libascendcl.so")),
    ("libruntime-missing", gone(f"{HOME}/lib64/libruntime.so")),
    ("libascend_hal-missing", gone(f"{DRIVER}/lib64/driver/libascend_hal.so")),
    ("python-missing", lambda machine: setattr(machine, "python", None)),
    ("python-too-old", python((3, 8))),
    ("python-too-new", python((3, 13))),
    ("pyasc-missing", python(pyasc=None)),
    ("torch-npu-mismatch", python(**{"torch": "2.7.1", "torch-npu": "2.6.0.post1"})),
]


def test_healthy_machine_has_no_fault(healthy: Machine):
    assert Status.FAULT not in healthy.findings().values()
    assert "Ready to run" in as_text(examine(healthy.system()))


@pytest.mark.parametrize(("name", "break_it"), FAULTS, ids=[f"{i}-{name}" for i, (name, _) in enumerate(FAULTS)])
def test_fault_is_found_and_says_how_to_mend_it(healthy: Machine, name: str, break_it: Callable[[Machine], None]):
    break_it(healthy)
    findings = [item for _, items in examine(healthy.system()) for item in items if item.name == name]
    assert [item.status for item in findings] == [Status.FAULT]
    assert findings[0].fix
    report = json.loads(as_json(examine(healthy.system())))
    assert report["faults"] >= 1
    assert name in {item["name"] for item in report["findings"]}


def test_there_are_at_least_25_faults():
    assert len({name for name, _ in FAULTS}) >= 25


@pytest.mark.parametrize("number", ["d802", "d803"])
def test_910_family_is_supported(healthy: Machine, number: str):
    healthy.device(number)
    assert healthy.findings()["device"] is Status.OK


def test_d500_is_decided_by_the_chip_name(healthy: Machine):
    healthy.device("d500")
    found = healthy.findings()
    assert found["device-ambiguous"] is Status.NOTE
    assert found["chip"] is Status.OK
    healthy.npu_smi = CommandResult(0, "| 0  310P3 | OK |")
    assert healthy.findings()["chip-unsupported"] is Status.FAULT


@pytest.mark.parametrize("version", ["8.5.0.alpha001", "8.5.0", "8.5.0.alpha002", "9.0.0"])
def test_new_enough_cann(healthy: Machine, version: str):
    cann(version)(healthy)
    assert healthy.findings()["cann"] is Status.OK


@pytest.mark.parametrize("version", [(3, 9), (3, 12)])
def test_supported_pythons(healthy: Machine, version: tuple[int, int]):
    python(version)(healthy)
    assert healthy.findings()["python"] is Status.OK


def test_notes_stop_nothing(healthy: Machine):
    healthy.env["ASCEND_HOME"] = "/opt/other"
    healthy.env.pop("ASCEND_OPP_PATH")
    healthy.python = python_facts(pyasc="1.2.0", torch="2.7.1")
    found = healthy.findings()
    for name in ("ascend-home-twice", "opp-path-unset", "pyasc-version", "torch-npu-missing"):
        assert found[name] is Status.NOTE
    assert Status.FAULT not in found.values()


def test_versions_are_ordered():
    texts = ["8.2.RC1", "8.3.RC2", "8.5.0.alpha001", "8.5.0.alpha002", "8.5.0.beta1", "8.5.0", "8.5.1", "9.0.0"]
    versions = [parse_version(text) for text in texts]
    assert None not in versions
    assert versions == sorted(versions)
