# SPDX-License-Identifier: Apache-2.0
"""Physical memories: bytes, written ranges, and page snapshots for stepping back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from asclens_compiler.backends.simulator.arrays import POISON, Array, typed
from asclens_compiler.backends.simulator.shadow import Shadow
from asclens_compiler.backends.simulator.values import Form
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.hardware.pipes import Memory

Pages = tuple[bytes, ...]

PAGE_BYTES = 4096
GM_CHUNK_BYTES = 65536
RANGE_SHIFT = 40  # a written range is `lo << RANGE_SHIFT | hi`
RANGE_MASK = (1 << RANGE_SHIFT) - 1


class Bank:
    """One memory of one core, or global memory.

    `guard_bytes` behind the end belong to no one: an access that straddles the end has a real
    place to go to, so the part inside still works. With `filled` false the caller fills all of it.
    """

    __slots__ = ("_pages", "_views", "data", "dirty", "memory", "shadow", "size")

    def __init__(self, memory: Memory, size: int, guard_bytes: int, *, core: int = 0, filled: bool = True) -> None:
        self.memory = memory
        self.size = size
        total = -(-(size + guard_bytes) // PAGE_BYTES) * PAGE_BYTES
        self.data: npt.NDArray[np.uint8] = np.full(total, POISON, np.uint8) if filled else np.empty(total, np.uint8)
        self.dirty: set[int] = set()
        self._pages: list[bytes] = []
        self._views: list[Array | None] = [None] * len(DType)
        shared = memory is Memory.GM
        self.shadow = Shadow(memory.value, total, chunk=GM_CHUNK_BYTES if shared else 0, shared=shared, core=core)

    def view(self, form: Form, lo: int, count: int) -> Array:
        """Return `count` elements from byte address `lo`, sharing memory."""
        size = form.size
        if lo % size:
            return typed(self.data[lo : lo + count * size], form.dtype)
        whole = self._views[form.number]
        if whole is None:
            whole = self._views[form.number] = typed(self.data, form.dtype)
        start = lo // size
        return whole[start : start + count]

    def mark(self, lo: int, hi: int) -> None:
        """Note that [lo, hi) was written since the last snapshot."""
        self.dirty.add(lo << RANGE_SHIFT | hi)

    def _dirty_pages(self) -> set[int]:
        found: set[int] = set()
        for key in self.dirty:
            found.update(range((key >> RANGE_SHIFT) // PAGE_BYTES, ((key & RANGE_MASK) - 1) // PAGE_BYTES + 1))
        return found

    def _page(self, index: int) -> bytes:
        return self.data[index * PAGE_BYTES : (index + 1) * PAGE_BYTES].tobytes()

    def snapshot(self) -> Pages:
        """Return all pages; those not written since the last call are shared with it."""
        if not self._pages:
            self._pages = [self._page(index) for index in range(len(self.data) // PAGE_BYTES)]
        else:
            for index in self._dirty_pages():
                self._pages[index] = self._page(index)
        self.dirty.clear()
        return tuple(self._pages)

    def clear(self) -> None:
        """Go back to what nothing wrote."""
        self.data[:] = POISON
        self.dirty.clear()
        self._pages = []

    def restore(self, pages: Pages) -> None:
        """Write back the pages that differ from `pages`."""
        stale = self._dirty_pages()
        old = self._pages or [b""] * len(pages)
        stale.update(index for index, (new, now) in enumerate(zip(pages, old, strict=True)) if new is not now)
        for index in stale:
            self.data[index * PAGE_BYTES : (index + 1) * PAGE_BYTES] = np.frombuffer(pages[index], np.uint8)
        self.dirty.clear()
        self._pages = list(pages)
