# SPDX-License-Identifier: Apache-2.0
"""Values of a launch that stands still, as a debugger shows them; evaluation of Python expressions over them.

References are texts: the names of the scopes, `tensor:NAME` and `fields:NAME` for what a variable
holds, `array:N` for the N-th array that an evaluation gave at this stop.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from asclens_compiler.backends.simulator.inspection import TensorView, Variable
from asclens_compiler.backends.simulator.session import Session
from asclens_compiler.backends.simulator.values import Tensor
from asclens_compiler.engine.debugging.masks import booleans
from asclens_compiler.errors import AscLensError

Array = npt.NDArray[Any]
JsonObject = dict[str, Any]

SCOPES = (
    ("Locals", "locals"), ("Constants", "constants"), ("Queues and flags", "sync"), ("Pipes", "pipes"),
)  # fmt: skip

_PREVIEW = 6
_PAGE = 1000


@dataclass(slots=True, kw_only=True)
class Known:
    """What a launch knows beside its registers.

    `masks` are the registers that hold masks with their numbers of elements; `constants` the names
    that the compiler knew; `arrays` what evaluations gave since the launch last moved.
    """

    masks: Mapping[int, int]
    constants: Mapping[str, Any]
    arrays: list[Array] = field(default_factory=list[Array])


class Values:
    """One core's frame at one stop."""

    def __init__(self, session: Session, core: int, depth: int, known: Known) -> None:
        self._session = session
        self._core = core
        self._depth = depth
        self._known = known
        self._arrays = known.arrays

    def variables(self, reference: str, start: int, count: int | None) -> list[JsonObject]:
        """Return the members of a scope or container; AscLensError for an unknown reference."""
        kind, _, name = reference.partition(":")
        if kind == "locals":
            return [self._shown(variable) for variable in self._locals()]
        if kind == "constants":
            return [
                {**_plain(key, value), "value": repr(value)} for key, value in sorted(self._known.constants.items())
            ]
        if kind == "sync":
            return self._sync()
        if kind == "pipes":
            return self._pipes()
        if kind == "tensor":
            return self._elements(name, start, count)
        if kind == "fields":
            fields = self._local(name).fields
            return [_plain(field, value) for field, value in fields]
        if kind == "array" and name.isdigit() and int(name) < len(self._arrays):
            return list(_elements(self._arrays[int(name)], start, count))
        raise AscLensError(f"there is nothing to show for {reference!r}")

    def evaluate(self, expression: str) -> Any:
        """Return the value of a Python expression over the names of the frame; tensors are arrays.

        AscLensError with the words of the exception when it raises one.
        """
        names = _Names(self._session, self._core, self._depth, self._known)
        try:
            code = compile(expression.strip(), "<expression>", "eval")
            return eval(code, {"__builtins__": builtins, "np": np}, names)
        except AscLensError:
            raise
        except Exception as error:  # the user's expression may raise anything
            raise AscLensError(f"{type(error).__name__}: {error}") from None

    def shown(self, value: Any) -> JsonObject:
        """Return how a result of `evaluate` is shown; arrays get a reference."""
        if isinstance(value, np.ndarray):
            array = cast("Array", value)
            self._arrays.append(array)
            text = np.array2string(array, threshold=64, edgeitems=4)
            return {"value": text, "type": _array_type(array), "reference": f"array:{len(self._arrays) - 1}",
                    "indexed": int(array.size)}  # fmt: skip
        is_numpy = type(value).__module__ in ("numpy", "ml_dtypes")
        return {"value": str(value) if is_numpy else repr(value), "type": type(value).__name__, "reference": None}

    def set_variable(self, reference: str, name: str, text: str) -> JsonObject:
        """Change a scalar variable or an element of a tensor, and return how it is shown now."""
        number = self._number(text)
        kind, _, owner = reference.partition(":")
        inspect = self._session.inspect
        if kind == "locals":
            inspect.set_local(self._core, self._depth, name, number)
            return self._shown(self._local(name))
        tensor = inspect.tensor(self._core, self._depth, owner) if kind == "tensor" else None
        if tensor is None:
            raise AscLensError(f"{name} cannot be changed")
        shape = tensor.shape or (tensor.elems,)
        inspect.set_element(tensor, _flat_index(name, shape), number)
        element = inspect.contents(tensor, _flat_index(name, shape), 1)[0]
        return {"value": str(element), "type": tensor.dtype.value}

    def _number(self, text: str) -> int | float:
        value: Any = self.evaluate(text)
        item: Any = value.item() if getattr(value, "size", 0) == 1 else value
        if not isinstance(item, bool | int | float):
            raise AscLensError(f"a {type(value).__name__} cannot be stored here: give a number")
        return item

    def _locals(self) -> Sequence[Variable]:
        return self._session.inspect.locals(self._core, self._depth)

    def _local(self, name: str) -> Variable:
        found = next((item for item in self._locals() if item.name == name), None)
        if found is None:
            raise AscLensError(f"there is no variable {name!r} here")
        return found

    def _shown(self, variable: Variable) -> JsonObject:
        if variable.tensor is not None:
            return self._tensor(variable.name, variable.tensor, variable.register)
        reference = f"fields:{variable.name}" if variable.fields else None
        named = {"named": len(variable.fields)} if variable.fields else {}
        return {"name": variable.name, "value": str(variable.value), "type": variable.type, "reference": reference,
                **named}  # fmt: skip

    def _tensor(self, name: str, view: TensorView, register: int) -> JsonObject:
        handle = self._session.inspect.tensor(self._core, self._depth, name)
        where = f"{view.memory.value}[{view.address}:{view.address + view.nbytes}]"
        memory = {"memory": view.memory.value, "address": view.address, "bytes": view.nbytes}
        if register in self._known.masks and handle is not None:
            return {**self._mask(name, handle, register, where), "memory": memory}
        first = self._session.inspect.contents(handle, 0, _PREVIEW) if handle is not None else np.zeros(0)
        elems = prod(view.shape)
        more = ", ..." if elems > len(first) else ""
        return {
            "name": name,
            "value": f"[{', '.join(str(item) for item in first)}{more}] {where}",
            "type": f"{view.dtype.value}[{', '.join(map(str, view.shape))}]",
            "reference": f"tensor:{name}",
            "indexed": elems,
            "memory": memory,
        }

    def _mask(self, name: str, handle: Tensor, register: int, where: str) -> JsonObject:
        bits = booleans(self._session.inspect.contents(handle), self._known.masks[register])
        first = ", ".join(str(item) for item in bits[:_PREVIEW])
        more = ", ..." if len(bits) > _PREVIEW else ""
        return {
            "name": name,
            "value": f"{int(bits.sum())} of {len(bits)} set: [{first}{more}] {where}",
            "type": f"mask[{len(bits)}]",
            "reference": f"tensor:{name}",
            "indexed": len(bits),
        }

    def _elements(self, name: str, start: int, count: int | None) -> list[JsonObject]:
        tensor = self._session.inspect.tensor(self._core, self._depth, name)
        if tensor is None:
            raise AscLensError(f"there is no tensor {name!r} here")
        mask = next((item for item in self._locals() if item.name == name and item.register in self._known.masks), None)
        if mask is not None:
            bits = booleans(self._session.inspect.contents(tensor), self._known.masks[mask.register])
            return list(_elements(bits, start, count))
        shape = tensor.shape or (tensor.elems,)
        values = self._session.inspect.contents(tensor, start, _PAGE if count is None else count)
        return [
            {"name": _index_name(start + position, shape), "value": str(value), "type": tensor.dtype.value,
             "reference": None}
            for position, value in enumerate(values)
        ]  # fmt: skip

    def _sync(self) -> list[JsonObject]:
        inspect = self._session.inspect
        found = [
            _plain(queue.name, f"{len(queue.queued)} enqueued; " + ", ".join(state for state, _, _ in queue.buffers),
                   f"{queue.position.value} depth {queue.depth}")
            for queue in inspect.queues(self._core)
        ]  # fmt: skip
        found += [_plain(flag.name, f"set at line {flag.span.line}", "flag") for flag in inspect.flags(self._core)]
        return found

    def _pipes(self) -> list[JsonObject]:
        return [
            _plain(
                pipe.name,
                f"busy {pipe.busy_cycles} cycles, free at {pipe.free_at_cycle}"
                + (f", {len(pipe.waiting)} waiting from line {pipe.waiting[0].line}" if pipe.waiting else ""),
                "pipe",
            )
            for pipe in self._session.inspect.pipes(self._core)
        ]


class _Names(Mapping[str, Any]):
    """The variables of a frame by name, then the constants; tensors as arrays of their shape, masks as booleans."""

    def __init__(self, session: Session, core: int, depth: int, known: Known) -> None:
        self._read: Callable[[str], Any] = lambda name: session.inspect.value(core, depth, name)
        self._known = known
        self._variables = {item.name: item for item in session.inspect.locals(core, depth)}

    def __getitem__(self, name: str) -> Any:
        variable = self._variables.get(name)
        if variable is None:
            return self._known.constants[name]
        value = self._read(name)
        if variable.register in self._known.masks and isinstance(value, np.ndarray):
            return booleans(cast("Array", value), self._known.masks[variable.register])
        tensor = variable.tensor
        if tensor is None or not isinstance(value, np.ndarray):
            return value
        array = cast("Array", value)
        return np.reshape(array[: prod(tensor.shape)], tensor.shape) if prod(tensor.shape) <= array.size else array

    def __iter__(self) -> Iterator[str]:
        return iter({**self._known.constants, **self._variables})

    def __len__(self) -> int:
        return len({**self._known.constants, **self._variables})


def _plain(name: str, value: Any, kind: str = "") -> JsonObject:
    return {"name": name, "value": str(value), "type": kind or type(value).__name__, "reference": None}


def _array_type(array: Array) -> str:
    return f"{array.dtype}[{', '.join(map(str, array.shape))}]"


def _elements(array: Array, start: int, count: int | None) -> Iterator[JsonObject]:
    flat = np.ravel(array)
    end = start + (_PAGE if count is None else count)
    for position, value in enumerate(flat[start:end], start):
        yield _plain(_index_name(position, array.shape), value, str(array.dtype))


def _index_name(position: int, shape: tuple[int, ...]) -> str:
    if len(shape) < 2 or prod(shape) <= position:
        return f"[{position}]"
    return f"[{', '.join(str(int(item)) for item in np.unravel_index(position, shape))}]"


def _flat_index(name: str, shape: tuple[int, ...]) -> int:
    """Return the element number of `[3]` or `[1, 2]`; AscLensError for another text."""
    try:
        parts = [int(item) for item in name.strip("[] ").split(",")]
        return parts[0] if len(parts) == 1 else int(np.ravel_multi_index(parts, shape))
    except ValueError:
        raise AscLensError(f"{name!r} is no element") from None
