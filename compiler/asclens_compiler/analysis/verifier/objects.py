# SPDX-License-Identifier: Apache-2.0
"""What registers hold in a walk besides numbers: tensors, queues, buffers, parameter structs."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import Enum

from asclens_compiler.analysis.verifier.numbers import Num
from asclens_compiler.ascir.program import Op
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import HardEvent, Memory, Position
from asclens_compiler.hardware.queues import QueueEvents


@dataclass(frozen=True, slots=True, eq=False)
class Link:
    """A wait or barrier that made an entry of a clock greater than `before`.

    `previous` is what the entry was known from until then, `parent` what the flag's setter knew it from.
    """

    op: Op
    before: int
    previous: Link | None
    parent: Link | None


@dataclass(frozen=True, slots=True, eq=False)
class Clock:
    """What a flag tells: how many instructions of each pipe are complete, and the waits it is known from."""

    values: tuple[int, ...]
    links: tuple[Link | None, ...]


# What a tensor lies in: a kind, and what names it among its kind.
Base = tuple[Hashable, ...]


class SlotState(Enum):
    """Say where a queue's buffer is in its life; the vendor's names."""

    FREE = "free"
    OCCUPIED = "allocated"
    QUEUED = "enqueued"
    DEQUEUED = "dequeued"


@dataclass(slots=True, eq=False)
class Slot:
    """One buffer of a queue; `op` is the call that brought it into its state, `clock` what its flag tells."""

    queue: Queue
    number: int
    state: SlotState = SlotState.FREE
    op: Op | None = None
    clock: Clock | None = None
    event: HardEvent | None = None


@dataclass(slots=True, eq=False)
class Queue:
    """A queue; `slots` is None until its buffers are known."""

    op: Op
    source: Position
    target: Position
    position: Position
    depth: int
    events: QueueEvents | None
    slots: list[Slot] | None = None
    waiting: list[Slot] = field(default_factory=list[Slot])
    cursor: int = 0
    slot_bytes: int | None = None
    init: Op | None = None
    name: str = ""


@dataclass(slots=True, eq=False)
class Buffer:
    """A `TBuf`."""

    op: Op
    position: Position
    size_bytes: int | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Tensor:
    """A tensor: `start` counts bytes in `base`, `size_bytes` from there to its end.

    `placed` is the op that declared a hand-placed tensor, `aligned` that byte 0 of the base is aligned.
    """

    base: Base
    memory: Memory
    start: Num | None
    size_bytes: int | None
    dtype: DType
    slot: Slot | None = None
    placed: Op | None = None
    aligned: bool = True


@dataclass(slots=True, eq=False)
class GlobalHandle:
    """A `GlobalTensor` object; `set_global_buffer` gives it memory."""

    dtype: DType
    view: Tensor | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Struct:
    """A parameter struct: numeric fields by name, None where not known."""

    name: str
    fields: dict[str, int | None]
