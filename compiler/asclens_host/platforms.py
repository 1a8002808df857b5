# SPDX-License-Identifier: Apache-2.0
"""`asc.runtime.config` and the part of `asc.lib.runtime` that means something without a device."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any


class Backend(Enum):
    """Name where a script asks its kernels to run; here both run on the simulator."""

    Model = "Model"
    NPU = "NPU"


class Platform(Enum):
    """Name a chip."""

    Ascend910B1 = "Ascend910B1"
    Ascend910B2 = "Ascend910B2"
    Ascend910B2C = "Ascend910B2C"
    Ascend910B3 = "Ascend910B3"
    Ascend910B4 = "Ascend910B4"
    Ascend910B4_1 = "Ascend910B4-1"
    Ascend910_9362 = "Ascend910_9362"
    Ascend910_9372 = "Ascend910_9372"
    Ascend910_9381 = "Ascend910_9381"
    Ascend910_9382 = "Ascend910_9382"
    Ascend910_9391 = "Ascend910_9391"
    Ascend910_9392 = "Ascend910_9392"


class KernelType(Enum):
    """Name the cores that a kernel is built for."""

    AIV_ONLY = 0
    AIC_ONLY = 1
    MIX_AIV_HARD_SYNC = 2
    MIX_AIC_HARD_SYNC = 3
    MIX_AIV_1_0 = 4
    MIX_AIC_1_0 = 5
    MIX_AIC_1_1 = 6
    MIX_AIC_1_2 = 7


class Stream:
    """Stand for a stream; launches run one after another, whatever the stream."""

    def __init__(self, device_id: int = 0) -> None:
        self.value = device_id

    def __repr__(self) -> str:
        return f"<stream of simulated device {self.value}>"


class _State:
    backend = Backend.Model
    soc: Platform | None = None  # what the script asked for
    device_id = 0


STATE = _State()
DEFAULT_SOC = Platform.Ascend910B1


def set_platform(
    backend: Backend | str,
    soc_version: Platform | str | None = None,
    device_id: int | None = None,
    check: bool = True,
) -> None:
    """Choose backend, chip and device; ValueError for a chip that does not exist."""
    del check
    STATE.backend = Backend(backend)
    STATE.soc = None if soc_version is None else Platform(soc_version)
    if device_id is not None:
        set_device(device_id)


def requested_soc() -> str | None:
    """Return the chip that the script asked for, if it did."""
    return None if STATE.soc is None else STATE.soc.value


def set_device(device_id: int) -> None:
    """Select a device; RuntimeError unless it is an integer of at least 0."""
    if isinstance(device_id, bool) or not isinstance(device_id, int) or device_id < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise RuntimeError(f"a device id is an integer of at least 0, not {device_id!r}")
    STATE.device_id = device_id


def set_soc_version(soc_version: Platform | str) -> None:
    """Choose the chip."""
    STATE.soc = Platform(soc_version)


def get_soc_version() -> Platform:
    """Return the chip."""
    return STATE.soc or DEFAULT_SOC


def current_stream(device_id: int | None = None) -> Stream:
    """Return the stream of a device."""
    return Stream(STATE.device_id if device_id is None else device_id)


def create_stream(priority: int = 0) -> Stream:
    """Return a new stream."""
    del priority
    return Stream(STATE.device_id)


def use_model(custom_lib_prefix: str | None = None) -> None:
    """Ask for the vendor's model; the simulator is used."""
    del custom_lib_prefix
    STATE.backend = Backend.Model


def use_npu(custom_lib_prefix: str | None = None) -> None:
    """Ask for the device; the simulator is used."""
    del custom_lib_prefix
    STATE.backend = Backend.NPU


def _answer(value: Any) -> Callable[..., Any]:
    def answer(*args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        return value

    return answer


def _refuse(name: str) -> Callable[..., Any]:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        del args, kwargs
        raise RuntimeError(
            f"asc.lib.runtime.{name} works on device memory, which the simulator does not share with the script; "
            "pass arrays to the kernel instead"
        )

    return refuse


_ANSWERS: dict[str, Any] = {
    "is_initialized": True, "is_available": True, "check_device_handle": None, "default_device": 0,
    "device_count": 1, "reset_device": None, "destroy_stream": None, "synchronize": None,
    "synchronize_device": None, "free_mem": None, "set_pro_switch": None, "current_tick": None,
    "acl_init": None, "acl_finalize": None, "call_print_interface": None,
}  # fmt: skip
_REFUSED = (
    "magic_elf_value", "device_info", "register_device_binary_kernel", "unregister_device_binary_kernel",
    "register_function", "malloc", "memcpy", "copy_data_to_device", "copy_data_from_device", "launch_kernel", "free",
    "c2c_ctrl_addr", "npu_utils", "msprof_task_type",
)  # fmt: skip

RUNTIME: dict[str, Any] = {
    "use_model": use_model,
    "use_npu": use_npu,
    "is_model": lambda: STATE.backend is Backend.Model,
    "current_device": lambda: STATE.device_id,
    "current_stream": current_stream,
    "current_platform": lambda: get_soc_version().value,
    "set_device": set_device,
    "create_stream": create_stream,
    "set_soc_version": set_soc_version,
    "get_soc_version": get_soc_version,
    "Stream": Stream,
    **{name: _answer(value) for name, value in _ANSWERS.items()},
    **{name: _refuse(name) for name in _REFUSED},
}
CONFIG: dict[str, Any] = {
    "Backend": Backend,
    "Platform": Platform,
    "KernelType": KernelType,
    "set_platform": set_platform,
}
