# SPDX-License-Identifier: Apache-2.0
"""Tensor handles: declaration, views, properties, addresses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from asclens_compiler.ascir.types import LocalType
from asclens_compiler.backends.simulator.ops.registry import Call, handler
from asclens_compiler.backends.simulator.rules import capacity, no_buffer
from asclens_compiler.backends.simulator.values import Owner, Pointer, StructValue, Tensor, Unset, form_of
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory, Position

if TYPE_CHECKING:
    from asclens_compiler.backends.simulator.core import Core

_POSITIONS = tuple(Position)


def local_owner(core: Core, call: Call, memory: Memory, lo: int, hi: int, kind: str) -> Owner:
    """Return the owner of a range of local memory; reports one that ends beyond the memory."""
    name = call.name or f"{kind} at {memory.value} byte {lo}"
    made = core.owners.get((memory, lo, hi, name))
    if made is not None:
        return made
    limit = core.machine.target.memory_bytes(memory)
    if hi > limit:
        core.machine.reports.at(
            core, call.pc, capacity.RULE, what=name, end=hi, memory=memory.value, capacity=limit, over=hi - limit
        )
    return core.owner((memory, lo, hi, name), Owner(core.bank(memory), lo, hi, name, kind, call.op.span))


def needs_tensor(core: Core, call: Call, value: Any) -> bool:
    """Tell whether a value is a tensor with memory; reports when it is not."""
    if isinstance(value, Tensor):
        return True
    reports = core.machine.reports
    reports.at(core, call.pc, no_buffer.RULE, op=reports.op(call.pc), operand="tensor", advice="set_global_buffer(...)")
    return False


@handler("global_tensor", "local_tensor")
def declare(call: Call, _core: Core) -> Unset:
    """Make a tensor without memory."""
    return Unset(call.result_dtype)


@handler("global_tensor_set_global_buffer", assigns="tensor")
def set_global_buffer(call: Call, _core: Core, tensor: Any, buffer: Any, size: int | None = None) -> Any:
    """Let a global tensor start at an address, with a size in elements or to the array's end."""
    dtype: DType = tensor.dtype
    if isinstance(buffer, Tensor):
        owner, address = buffer.owner, buffer.lo
    else:
        pointer: Pointer = buffer
        owner, address = pointer.owner, pointer.address
    end = owner.hi if size is None else address + int(size) * dtype.size_bytes
    key = (address, end, dtype)
    return call_cache(_core, call).setdefault(key, Tensor(owner, form_of(dtype), address, end))


def call_cache(core: Core, call: Call) -> dict[Any, Any]:
    """Return a table of one call site that keeps handles alive, so that equal calls give one handle."""
    return core.machine.site_handles.setdefault((call.pc, core.id), {})


@handler("ptr_offset")
def ptr_offset(_call: Call, _core: Core, base: Pointer, offset: int) -> Pointer:
    """Move a pointer by elements."""
    return Pointer(base.owner, base.dtype, base.address + int(offset) * base.dtype.size_bytes)


@handler("local_tensor_v2")
def local_tensor_v2(call: Call, core: Core, addr: int, elems: int) -> Tensor:
    """Make a tensor at a byte address of a position's memory."""
    kind: LocalType = call.result
    position = Position[str(call.attr("pos"))]
    cache = call_cache(core, call)
    found = cache.get((addr, elems))
    if found is None:
        end = addr + elems * kind.dtype.size_bytes
        owner = local_owner(core, call, position.memory, addr, end, "LocalTensor")
        found = cache[(addr, elems)] = Tensor(owner, form_of(kind.dtype, position), addr, end, kind.shape)
    return found


@handler("reinterpret_cast", "local_tensor_reinterpret_cast")
def reinterpret_cast(call: Call, core: Core, tensor: Any) -> Any:
    """Read the same bytes as another element type."""
    return tensor.cast(call.result_dtype) if needs_tensor(core, call, tensor) else Unset(call.result_dtype)


@handler("local_tensor_set_addr_with_offset", assigns="tensor")
def set_addr_with_offset(call: Call, core: Core, tensor: Any, src: Any, offset: int) -> Any:
    """Let a tensor start at an element of another one."""
    if not needs_tensor(core, call, src):
        return tensor
    dtype: DType = tensor.dtype
    key = ("at", src, offset)
    made = Tensor(src.owner, form_of(dtype, src.position), src.lo + int(offset) * src.size, src.hi)
    return call_cache(core, call).setdefault(key, made)


@handler("local_tensor_set_size", assigns="tensor")
def set_size(call: Call, core: Core, tensor: Any, size: int) -> Any:
    """Set the length in elements."""
    return tensor.sized(int(size)) if needs_tensor(core, call, tensor) else tensor


@handler("local_tensor_set_buffer_len", assigns="tensor")
def set_buffer_len(call: Call, core: Core, tensor: Any, nbytes: int) -> Any:
    """Set the length in bytes."""
    return tensor.sized(int(nbytes) // max(tensor.size, 1)) if needs_tensor(core, call, tensor) else tensor


@handler("local_tensor_set_user_tag", assigns="tensor")
def set_user_tag(call: Call, core: Core, tensor: Any, tag: int) -> Any:
    """Set the user's tag."""
    return tensor.tagged(int(tag)) if needs_tensor(core, call, tensor) else tensor


@handler("local_tensor_set_shape_info", "global_tensor_set_shape_info", assigns="tensor")
def set_shape_info(call: Call, core: Core, tensor: Any, shape: StructValue) -> Any:
    """Set the shape from a `ShapeInfo`."""
    if not needs_tensor(core, call, tensor):
        return tensor
    dims = tuple(int(item) for item in shape_dims(shape))
    return tensor.shaped(dims)


def shape_dims(shape: StructValue) -> tuple[int, ...]:
    """Return the dimensions that a `ShapeInfo` holds."""
    rank = int(shape.get("shape_dim", 0) or 0)
    dims = shape.get("shape", ())
    return tuple(dims)[:rank] if rank else tuple(dims)


@handler("local_tensor_get_size", "global_tensor_get_size")
def get_size(call: Call, core: Core, tensor: Any) -> int:
    """Return the number of elements."""
    return tensor.elems if needs_tensor(core, call, tensor) else 0


@handler("local_tensor_get_length")
def get_length(call: Call, core: Core, tensor: Any) -> int:
    """Return the number of bytes."""
    return max(tensor.hi - tensor.lo, 0) if needs_tensor(core, call, tensor) else 0


@handler("local_tensor_get_position")
def get_position(call: Call, core: Core, tensor: Any) -> int:
    """Return the position as the vendor numbers it."""
    return _POSITIONS.index(tensor.position) if needs_tensor(core, call, tensor) else 0


@handler("local_tensor_get_user_tag")
def get_user_tag(call: Call, core: Core, tensor: Any) -> int:
    """Return the user's tag."""
    return tensor.tag if needs_tensor(core, call, tensor) else 0


@handler("local_tensor_get_shape_info", "global_tensor_get_shape_info")
def get_shape_info(call: Call, core: Core, tensor: Any) -> StructValue:
    """Return the shape of a tensor as a `ShapeInfo`."""
    dims = (tensor.shape or (tensor.elems,)) if needs_tensor(core, call, tensor) else ()
    key = ("shape", dims)
    fields = {"shape_dim": len(dims), "shape": dims, "original_shape_dim": len(dims), "original_shape": dims}
    return call_cache(core, call).setdefault(key, StructValue("ShapeInfo", fields))


@handler("shape_info_shape")
def shape_dim(_call: Call, _core: Core, base: StructValue, dim: int) -> int:
    """Return one dimension of a shape."""
    dims = tuple(base.get("shape", ()))
    return int(dims[dim]) if 0 <= dim < len(dims) else 0


@handler("shape_info_original_shape")
def original_dim(_call: Call, _core: Core, base: StructValue, dim: int) -> int:
    """Return one dimension of the shape before padding."""
    dims = tuple(base.get("original_shape", ()))
    return int(dims[dim]) if 0 <= dim < len(dims) else 0


@handler("get_shape_size")
def get_shape_size(_call: Call, _core: Core, shape: StructValue) -> int:
    """Return the number of elements of a shape."""
    size = 1
    for dim in shape_dims(shape):
        size *= int(dim)
    return size


@handler("local_tensor_get_phy_addr")
def get_local_addr(call: Call, core: Core, tensor: Any, offset: int | None = None) -> int:
    """Return the byte address of an element in local memory."""
    if not needs_tensor(core, call, tensor):
        return 0
    element: Tensor = tensor.at(int(offset)) if offset else tensor
    core.addressed[element.lo] = element
    return element.lo


@handler("global_tensor_get_phy_addr")
def get_global_addr(call: Call, core: Core, tensor: Any, offset: int | None = None) -> Any:
    """Return a pointer to an element in global memory."""
    if not needs_tensor(core, call, tensor):
        return 0
    return Pointer(tensor.owner, tensor.dtype, tensor.lo + int(offset or 0) * tensor.size)


@handler("global_tensor_set_l2_cache_hint")
def set_l2_cache_hint(_call: Call, _core: Core, _tensor: Any) -> None:
    """Do nothing: hints change no values."""
