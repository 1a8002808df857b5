# SPDX-License-Identifier: Apache-2.0
"""Torch scripts that ask for device "npu": their tensors live on the CPU."""

from __future__ import annotations

import importlib
import importlib.abc
import sys
from types import ModuleType
from typing import Any

_NAME = "npu"


def install(torch: ModuleType) -> None:
    """Map device "npu" to the CPU in `torch`; does what a stand-in for torch allows. Idempotent."""
    if hasattr(torch, _NAME):
        return
    module = _npu_module(torch)
    sys.modules[module.__name__] = module
    setattr(torch, _NAME, module)
    for owner in (getattr(torch, "Tensor", None), getattr(getattr(torch, "nn", None), "Module", None)):
        if owner is not None:
            _add_member(owner, _NAME, _stay)
    tensor = getattr(torch, "Tensor", None)
    if tensor is not None:
        _add_member(tensor, "is_npu", False)
    try:
        torch.utils.rename_privateuse1_backend(_NAME)
    except (AttributeError, RuntimeError):
        pass  # a stand-in, or a torch that has another name for it already
    mode = _mode(torch)
    if mode is not None:
        mode.__enter__()


class TorchNpuLoader(importlib.abc.Loader):
    """Make the module `torch_npu`, which scripts import for its effect on torch."""

    def create_module(self, spec: Any) -> ModuleType | None:
        """Use an ordinary module."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Import torch, which installs the mapping."""
        torch: Any = importlib.import_module("torch")
        install(torch)
        names: dict[str, Any] = {"npu": torch.npu, "_autoload": lambda: None, "__version__": "0"}
        vars(module).update(names)


def _mode(torch: ModuleType) -> Any:
    """Return a function mode that replaces device "npu" in every call, or None without such modes."""
    base = getattr(getattr(torch, "overrides", None), "TorchFunctionMode", None)
    if base is None:
        return None
    device_type = torch.device
    cpu = device_type("cpu")

    def on_cpu(value: Any) -> Any:
        if isinstance(value, str):
            return cpu if value == _NAME or value.startswith(f"{_NAME}:") else value
        return cpu if isinstance(value, device_type) and value.type == _NAME else value

    def call(self: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del self, types
        kwargs = kwargs or {}
        if any(isinstance(item, (str, device_type)) for item in args):
            args = tuple(on_cpu(item) for item in args)
        if "device" in kwargs:
            kwargs = {**kwargs, "device": on_cpu(kwargs["device"])}
        return func(*args, **kwargs)

    return type("NpuOnCpu", (base,), {"__torch_function__": call})()


def _npu_module(torch: ModuleType) -> ModuleType:
    module = ModuleType("torch.npu")
    nothing = (
        "synchronize",
        "empty_cache",
        "set_device",
        "manual_seed",
        "manual_seed_all",
        "init",
        "reset_peak_memory_stats",
    )
    zero = ("current_device", "memory_allocated", "max_memory_allocated", "memory_reserved")
    answers: dict[str, Any] = dict.fromkeys(nothing)
    answers.update(dict.fromkeys(zero, 0))
    answers.update({"is_available": True, "is_initialized": True, "device_count": 1, "_is_in_bad_fork": False,
                    "get_device_name": "Ascend (simulated)"})  # fmt: skip
    for name, value in answers.items():
        setattr(module, name, _answer(value))
    for name in ("Stream", "Event", "device", "stream"):
        setattr(module, name, _Idle)
    module.current_stream = module.default_stream = lambda *args, **kwargs: _Idle()  # type: ignore[attr-defined]
    if hasattr(torch, "get_rng_state"):
        module.get_rng_state = lambda *args, **kwargs: torch.get_rng_state()  # type: ignore[attr-defined]
    return module


class _Idle:
    """A stream, event or device context that does nothing."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __enter__(self) -> _Idle:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def synchronize(self) -> None:
        """Return at once."""

    def record(self, *args: Any) -> None:
        """Do nothing."""

    def wait_stream(self, *args: Any) -> None:
        """Return at once."""

    def elapsed_time(self, *args: Any) -> float:
        """Return 0 milliseconds."""
        return 0.0


def _stay(self: Any, *args: Any, **kwargs: Any) -> Any:
    """Return the tensor or module itself: it is where it should be."""
    return self


def _answer(value: Any) -> Any:
    def answer(*args: Any, **kwargs: Any) -> Any:
        return value

    return answer


def _add_member(owner: Any, name: str, value: Any) -> None:
    try:
        if name not in vars(owner):
            setattr(owner, name, value)
    except (AttributeError, TypeError):
        return
