# SPDX-License-Identifier: Apache-2.0
"""What a walk finds, as data; rules turn it into diagnostics."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, auto

from asclens_compiler.ascir.program import Op


class Fault(Enum):
    """Name a kind of mistake."""

    MISSING_SYNC = auto()
    AUTO_SYNC_ONLY = auto()
    WAIT_WITHOUT_SET = auto()
    WAIT_BEFORE_SET = auto()
    SET_NOT_AWAITED = auto()
    SET_TWICE = auto()
    USELESS_FLAG = auto()
    STRONG_BARRIER = auto()
    EVENT_PIPES = auto()
    NOTHING_QUEUED = auto()
    NOT_FREED = auto()
    FREED_TWICE = auto()
    USED_WHILE_QUEUED = auto()
    USED_AFTER_FREE = auto()
    WRONG_QUEUE = auto()
    NO_FREE_BUFFER = auto()
    QUEUE_FULL = auto()
    ENQUEUED_TWICE = auto()
    TOO_MANY_BUFFERS = auto()
    BUFFERS_OVER_EVENTS = auto()
    MEMORY_FULL = auto()
    BEYOND_MEMORY = auto()
    PLACED_OVERLAP = auto()
    NEVER_WRITTEN = auto()
    BUFFER_LENGTH = auto()
    BUFFER_PART = auto()
    EVENT_ID = auto()
    RESERVED_ID = auto()
    SCALAR_BARRIER = auto()
    SAME_DTYPE = auto()
    DTYPE = auto()
    DTYPE_PAIR = auto()
    CAST_MODE = auto()
    RANGE = auto()
    MASK = auto()
    MASK_WORDS = auto()
    ENUM = auto()
    ALIGNMENT = auto()
    PARTIAL_BLOCK = auto()
    OPERAND_OVERLAP = auto()
    OUT_OF_BOUNDS = auto()
    WRONG_MEMORY = auto()
    NO_PATH = auto()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Finding:
    """One mistake at `op`; `others` are the ops that take part, `values` fill the rule's texts.

    `carried` tells that the other op ran in an earlier trip of a loop.
    """

    fault: Fault
    op: Op
    others: tuple[tuple[Op, str], ...] = ()
    values: tuple[tuple[str, object], ...] = ()
    carried: bool = False


@dataclass(slots=True, eq=False)
class Findings:
    """Collect findings; the same mistake on several paths is kept once."""

    items: list[Finding] = field(default_factory=list[Finding])
    _seen: set[object] = field(default_factory=set[object])

    def add(
        self, fault: Fault, op: Op, *others: tuple[Op, str], key: object = None, carried: bool = False, **values: object
    ) -> None:
        """Record a mistake; `key` tells apart several at one place."""
        mark = (fault, op.span, tuple(item.span for item, _ in others), key)
        if mark in self._seen:
            return
        self._seen.add(mark)
        found = Finding(fault=fault, op=op, others=others, values=tuple(values.items()), carried=carried)
        self.items.append(found)

    def of(self, fault: Fault) -> list[Finding]:
        """Return the findings of one kind."""
        return [item for item in self.items if item.fault is fault]
