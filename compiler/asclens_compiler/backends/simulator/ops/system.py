# SPDX-License-Identifier: Apache-2.0
"""Block numbers, system registers, structs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.types import ScalarType, StructType
from asclens_compiler.backends.simulator.emit.scalars import wrap
from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.ops.tensors import call_cache
from asclens_compiler.backends.simulator.plans.base import as_scalar
from asclens_compiler.backends.simulator.values import StructValue
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES
from asclens_compiler.opset.registry import opset

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

_ARCH_VERSION = 2201
_CYCLES_PER_TICK = 37  # 50 MHz system counter against a core clock of 1850 MHz


@handler("get_block_idx")
def get_block_idx(_call: Call, core: Core) -> int:
    """Return the number of this block."""
    return core.id


@handler("get_block_num")
def get_block_num(_call: Call, core: Core) -> int:
    """Return the number of blocks."""
    return len(core.machine.cores)


@handler("get_sub_block_idx")
def get_sub_block_idx(_call: Call, _core: Core) -> int:
    """Return the number of the vector core beside its cube core: a logical core has one."""
    return 0


@handler("get_sub_block_num", "get_task_ratio")
def get_sub_block_num(_call: Call, _core: Core) -> int:
    """Return how many vector cores a logical core has."""
    return 1


@handler("ascend_is_aic", "ascend_is_aiv")
def is_core_kind(call: Call, core: Core) -> bool:
    """Tell whether this logical core has the asked kind of core."""
    return core.machine.has_core(call.op.name.removeprefix("ascend_is_"))


@handler("get_system_cycle")
def get_system_cycle(_call: Call, core: Core) -> int:
    """Return ticks of the system counter."""
    return core.clk[0] // _CYCLES_PER_TICK


@handler("get_program_counter")
def get_program_counter(call: Call, _core: Core) -> int:
    """Return where the core is."""
    return call.pc


@handler("get_data_block_size_in_bytes")
def get_data_block_size(_call: Call, _core: Core) -> int:
    """Return the bytes of a data block."""
    return DATA_BLOCK_BYTES


@handler("get_arch_version")
def get_arch_version(_call: Call, _core: Core, *_operands: Any) -> int:
    """Return the architecture number."""
    return _ARCH_VERSION


@handler("get_icache_preload_status")
def get_icache_status(_call: Call, _core: Core) -> int:
    """Return that no preload runs."""
    return 0


# -- structs --------------------------------------------------------------------------------------------
@handler("construct")
def construct(call: Call, core: Core, values: tuple[Any, ...] = ()) -> Any:
    """Make a parameter struct from its fields in order, or a number from a number."""
    kind = call.result
    if isinstance(kind, ScalarType):
        value = values[0] if values else 0
        return float(as_scalar(value, kind.dtype)) if kind.dtype.is_float else wrap(int(value), kind.dtype)
    cache = call_cache(core, call)
    found = cache.get(values)
    if found is None:
        name = kind.name if isinstance(kind, StructType) else str(kind)
        found = cache[values] = StructValue(name, struct_fields(name, values))
    return found


def struct_fields(name: str, values: tuple[Any, ...]) -> dict[str, Any]:
    """Return the fields of a struct; lists take as many values as they are long."""
    row = opset().structs.get(name)
    if row is None:
        return {"items": values} if values else {}
    fields: dict[str, Any] = {}
    at = 0
    for field in row.fields:
        if at >= len(values):
            fields[field.name] = _default(field.default)
        elif field.length > 1:
            fields[field.name] = tuple(values[at : at + field.length])
        else:
            fields[field.name] = values[at]
        at += field.length
    return fields


def _default(text: str) -> Any:
    known: dict[str, Any] = {"True": True, "False": False, "None": None}
    if text in known:
        return known[text]
    if text.startswith(("(", "[")):
        return tuple(_default(item.strip()) for item in text[1:-1].split(",") if item.strip())
    try:
        return int(text, 0)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return 0


@handler("member")
def member(call: Call, _core: Core, base: StructValue) -> Any:
    """Return a field of a struct."""
    return base.get(str(call.attr("field")), 0)


@handler("set_member", assigns="base")
def set_member(call: Call, core: Core, base: StructValue, value: Any) -> StructValue:
    """Change a field of a struct."""
    cache = call_cache(core, call)
    key = (base, value)
    found = cache.get(key)
    if found is None:
        found = cache[key] = base.having(str(call.attr("field")), value)
    return found


@handler("copy_struct")
def copy_struct(_call: Call, _core: Core, base: StructValue) -> StructValue:
    """Return a struct parameter as a value."""
    return base


@handler(
    "declare_py_struct",
    "init_soc_state",
    "noop",
    "set_ffts_base_addr",
    "data_sync_barrier",
    "check_local_memory_ia",
)
def nothing(_call: Call, _core: Core, *_operands: Any) -> None:
    """Do nothing."""
