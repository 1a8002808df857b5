# SPDX-License-Identifier: Apache-2.0
"""Which elements the mask / repeat / stride form of a vector instruction touches."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.arrays import as_tuple
from asclens_compiler.backends.simulator.semantics.api import Bits, Index
from asclens_compiler.hardware.chips import DATA_BLOCK_BYTES


@lru_cache(maxsize=1024)
def repeat_form(size: int, repeat: int, blk_stride: int, rep_stride: int, elems: int) -> Index:
    """Return element indexes (repeat, elems) of the repeat form, read-only."""
    per_block = DATA_BLOCK_BYTES // size
    lane = np.arange(elems)
    inside = lane // per_block * (blk_stride * per_block) + lane % per_block
    index = np.arange(repeat)[:, None] * (rep_stride * per_block) + inside[None, :]
    index.setflags(write=False)
    return index


def mask_operand(value: Any) -> tuple[Any, ...]:
    """Return a mask operand as a count, or as two words; a list of one word leaves the high word empty."""
    words = as_tuple(value)
    return (words[0], 0) if len(words) == 1 and isinstance(value, tuple) else words


def mask_of(given: tuple[Any, ...], state: Any, elems: int, repeat: int) -> Bits:
    """Return the active elements for a mask operand (a count, or low and high words; () = registers)."""
    if state.mask_counter:
        total = int(given[0]) if given else state.mask_low
        return np.reshape(np.arange(repeat * elems), (repeat, elems)) < total
    if len(given) == 1:
        return np.broadcast_to(np.arange(elems) < int(given[0]), (repeat, elems))
    low, high = (int(given[0]), int(given[1])) if given else (state.mask_low, state.mask_high)
    return np.broadcast_to(_word_bits(low & (2**64 - 1), high & (2**64 - 1), elems), (repeat, elems))


@lru_cache(maxsize=256)
def _word_bits(low: int, high: int, elems: int) -> Bits:
    words = np.frombuffer(low.to_bytes(8, "little") + high.to_bytes(8, "little"), np.uint8)
    return np.unpackbits(words, bitorder="little")[:elems].astype(np.bool_)
