# SPDX-License-Identifier: Apache-2.0
"""Queues as a protocol: alloc, enque, deque, free, with the flags that they carry."""

from __future__ import annotations

from asclens_compiler.analysis.verifier.clocks import Clocks
from asclens_compiler.analysis.verifier.findings import Fault, Findings
from asclens_compiler.analysis.verifier.objects import Queue, Slot, SlotState, Tensor
from asclens_compiler.ascir.program import Op
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import HardEvent, Pipe

_LIVE = frozenset({SlotState.OCCUPIED, SlotState.DEQUEUED})


class Queues:
    """Follow the buffers of all queues of one walk."""

    def __init__(self, clocks: Clocks, findings: Findings) -> None:
        self._clocks = clocks
        self._findings = findings
        self._queues: list[Queue] = []
        self._vague: set[Queue] = set()

    def declare(self, queue: Queue) -> None:
        """Note a queue."""
        self._queues.append(queue)

    def alloc(self, op: Op, queue: Queue, dtype: DType) -> Tensor:
        """Take a free buffer, waiting for the flag that its free set."""
        slot = self._free_slot(op, queue)
        if slot.clock is not None and slot.event is not None:
            self._take(slot)
        slot.state, slot.op = SlotState.OCCUPIED, op
        return self._tensor(queue, slot, dtype)

    def _free_slot(self, op: Op, queue: Queue) -> Slot:
        if queue.slots is None:
            queue.slots = []
            self._vague.add(queue)
        count = len(queue.slots)
        for step in range(count):
            place = (queue.cursor + step) % count
            if queue.slots[place].state is SlotState.FREE:
                queue.cursor = (place + 1) % count
                return queue.slots[place]
        if queue not in self._vague:
            holders = {slot.op.span.line: slot.op for slot in queue.slots if slot.op is not None}
            self._findings.add(
                Fault.NO_FREE_BUFFER, op, *((holder, "in use since here") for holder in holders.values()),
                queue=queue.name, count=count, live=count + 1,
            )  # fmt: skip
        slot = Slot(queue, count)
        queue.slots.append(slot)
        self._vague.add(queue)
        return slot

    def enque(self, op: Op, queue: Queue, tensor: object, event: HardEvent | None) -> None:
        """Queue a tensor and set the flag that its deque waits for."""
        slot = self._slot(op, queue, tensor, "put into")
        if slot is None:
            return
        if slot.state is SlotState.QUEUED and slot.op is not None:
            self._findings.add(
                Fault.ENQUEUED_TWICE, op, (slot.op, "enqueued here"), queue=queue.name, line=slot.op.span.line
            )
            return
        if slot.state is SlotState.FREE and slot.op is not None:
            self._gone(op, slot)
        elif queue.depth and len(queue.waiting) >= queue.depth and queue not in self._vague:
            self._findings.add(
                Fault.QUEUE_FULL, op, *((item.op, "still enqueued") for item in queue.waiting if item.op is not None),
                queue=queue.name, depth=queue.depth, count=len(queue.waiting) + 1,
            )  # fmt: skip
        slot.state, slot.op = SlotState.QUEUED, op
        slot.event = event
        slot.clock = self._clocks.told_by(event.source) if event is not None else None
        queue.waiting.append(slot)

    def deque(self, op: Op, queue: Queue, dtype: DType) -> Tensor:
        """Take the oldest tensor out, waiting for its flag."""
        if not queue.waiting:
            if queue not in self._vague:
                held = [slot for slot in queue.slots or () if slot.state in _LIVE and slot.op is not None]
                others = tuple((slot.op, "allocated here and never enqueued") for slot in held[-1:] if slot.op)
                self._findings.add(Fault.NOTHING_QUEUED, op, *others, queue=queue.name)
            self._clocks.barrier(Pipe.ALL)
            if held := [slot for slot in queue.slots or () if slot.state in _LIVE]:
                slot = held[-1]
            else:
                slot = Slot(queue, len(queue.slots or ()))
        else:
            slot = queue.waiting.pop(0)
            if slot.clock is not None and slot.event is not None:
                self._take(slot)
        slot.state, slot.op = SlotState.DEQUEUED, op
        return self._tensor(queue, slot, dtype)

    def free(self, op: Op, queue: Queue, tensor: object) -> None:
        """Give a buffer back and set the flag that its next alloc waits for."""
        slot = self._slot(op, queue, tensor, "freed in")
        if slot is None:
            return
        if slot.state is SlotState.FREE:
            if slot.op is not None:
                line = slot.op.span.line
                self._findings.add(Fault.FREED_TWICE, op, (slot.op, "freed here"), queue=queue.name, line=line)
            return
        owner = slot.queue
        if slot in owner.waiting:
            owner.waiting.remove(slot)
        event = owner.events.free if owner.events is not None else None
        fresh = Slot(owner, slot.number)
        if event is not None:
            fresh.event, fresh.clock = event, self._clocks.told_by(event.source)
        slot.state, slot.op = SlotState.FREE, op
        if owner.slots is not None and slot in owner.slots:
            owner.slots[owner.slots.index(slot)] = fresh

    def use(self, op: Op, tensor: Tensor) -> bool:
        """Check that a tensor may be touched; tell whether it may."""
        slot = tensor.slot
        if slot is None or slot.op is None or slot.state in _LIVE:
            return True
        if slot.state is SlotState.QUEUED:
            self._findings.add(
                Fault.USED_WHILE_QUEUED, op, (slot.op, "enqueued here"), queue=slot.queue.name, line=slot.op.span.line
            )
        else:
            self._gone(op, slot)
        return False

    def end(self, *, exact: bool) -> None:
        """Check that every buffer was given back."""
        for queue in self._queues:
            if queue in self._vague or not exact:
                continue
            for slot in queue.slots or ():
                if slot.state is not SlotState.FREE and slot.op is not None:
                    self._findings.add(Fault.NOT_FREED, slot.op, queue=queue.name, state=slot.state.value)

    def _gone(self, op: Op, slot: Slot) -> None:
        if slot.op is not None:
            self._findings.add(
                Fault.USED_AFTER_FREE, op, (slot.op, "freed here"), queue=slot.queue.name, line=slot.op.span.line
            )

    def _slot(self, op: Op, queue: Queue, tensor: object, how: str) -> Slot | None:
        """Return the buffer of a tensor; report when it belongs to another queue."""
        slot = tensor.slot if isinstance(tensor, Tensor) else None
        if slot is None:
            self._vague.add(queue)
            return None
        if slot.queue is not queue:
            return self._foreign(op, queue, slot, how)
        return slot

    def _foreign(self, op: Op, queue: Queue, slot: Slot, how: str) -> Slot | None:
        self._findings.add(
            Fault.WRONG_QUEUE, op, (slot.queue.op, "the queue it comes from"), queue=queue.name,
            owner=slot.queue.name, how=how,
        )  # fmt: skip
        self._vague.update((queue, slot.queue))
        return slot if how == "freed in" else None

    def _take(self, slot: Slot) -> None:
        if slot.event is None or slot.clock is None:
            return
        pipe = slot.event.target
        self._clocks.join(pipe, slot.clock)
        slot.clock = None
        if pipe is Pipe.S:
            self._clocks.barrier(Pipe.ALL)

    @staticmethod
    def _tensor(queue: Queue, slot: Slot, dtype: DType) -> Tensor:
        base = ("slot", queue.op.index, slot.number)
        return Tensor(base, queue.position.memory, 0, queue.slot_bytes, dtype, slot)
