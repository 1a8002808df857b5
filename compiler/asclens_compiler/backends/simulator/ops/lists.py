# SPDX-License-Identifier: Apache-2.0
"""Arrays on the core's stack, lists of tensors, system workspace, data cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.ops.tensors import call_cache
from asclens_compiler.backends.simulator.plans.base import as_scalar
from asclens_compiler.backends.simulator.rules import operand_range
from asclens_compiler.backends.simulator.values import Pointer, StructValue, Tensor
from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.dtypes import DType

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

Array = tuple[DType, tuple[Any, ...]]


@handler("array")
def make_array(call: Call, _core: Core, values: tuple[Any, ...] = ()) -> Array:
    """Make an array; its elements have one type."""
    dtype = DType(str(call.attr("dtype", DType.INT32.value)))
    return dtype, tuple(_fitted(value, dtype) for value in values)


def _fitted(value: Any, dtype: DType) -> Any:
    fitted = as_scalar(value, dtype)
    return float(fitted) if dtype.is_float else int(fitted)


def _in_range(call: Call, core: Core, array: Array, index: int) -> bool:
    if 0 <= index < len(array[1]):
        return True
    core.machine.reports.at(
        core, call.pc, operand_range.RULE, operand="the index", op="array", value=index, low=0, high=len(array[1]) - 1
    )
    return False


@handler("array_load")
def load(call: Call, core: Core, array: Array, index: int) -> Any:
    """Return an element."""
    return array[1][index] if _in_range(call, core, array, int(index)) else 0


@handler("array_store", assigns="array")
def store(call: Call, core: Core, array: Array, index: int, value: Any) -> Array:
    """Change an element."""
    if not _in_range(call, core, array, int(index)):
        return array
    dtype, values = array
    return dtype, (*values[:index], _fitted(value, dtype), *values[index + 1 :])


@handler("mrg_sort_src_list")
def sort_list(call: Call, core: Core, sources: tuple[Any, ...] = ()) -> StructValue:
    """Make the list of sorted lists that a merge reads."""
    return call_cache(core, call).setdefault(sources, StructValue("MrgSortSrcList", {"items": sources}))


@handler(
    "list_tensor_desc", "list_tensor_desc_v2", "list_tensor_desc_init", "list_tensor_desc_get_desc",
    "list_tensor_desc_get_data_ptr", "list_tensor_desc_get_size", "tensor_desc", "tensor_desc_get_data_obj",
    "tensor_desc_get_data_ptr", "tensor_desc_get_dim", "tensor_desc_get_index", "tensor_desc_get_shape",
    "tensor_desc_set_shape_addr",
)  # fmt: skip
def list_tensor(_call: Call, _core: Core, *_operands: Any) -> Any:
    """Refuse: such lists hold device addresses, which a simulated launch has not."""
    raise AscLensError(
        "Lists of tensors (ListTensorDesc, TensorDesc) are not simulated: they hold device addresses.",
        help="Pass the tensors as kernel arguments of their own.",
    )


@handler("get_sys_workspace_ptr")
def get_workspace(_call: Call, core: Core) -> Pointer:
    """Return the workspace that was set, else the launch's own."""
    given = core.machine.workspace
    owner = core.machine.arrays.workspace()
    return given if given is not None else Pointer(owner, DType.UINT8, owner.lo)


@handler("set_sys_workspace")
def set_workspace(_call: Call, core: Core, workspace: Any) -> None:
    """Set the workspace."""
    if isinstance(workspace, Pointer):
        core.machine.workspace = workspace


@handler("data_cache_clean_invalid_global", "data_cache_clean_invalid_global_nodccidst")
def clean_data_cache(call: Call, core: Core, tensor: Any) -> None:
    """Write the data cache back: the line of a tensor's start, or all of this core's."""
    whole = "ENTIRE" in str(call.attr("entireType", ""))
    core.hazards.cache.clean(core.id, None if whole or not isinstance(tensor, Tensor) else tensor.lo)
