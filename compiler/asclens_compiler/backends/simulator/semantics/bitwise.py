# SPDX-License-Identifier: Apache-2.0
"""Elementwise bit operations and shifts on integers.

A shift by the element's width or more gives 0, or -1 for a negative value shifted right
(amounts above the width are outside the documented range). Right shifts are arithmetic for signed and
logical for unsigned types.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.semantics.api import Array, Builder, Kernel, Site, elementwise
from asclens_compiler.backends.simulator.semantics.kernels import bit_view

_UFUNCS: dict[str, Any] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "not": np.invert,
    "shift_left": np.left_shift,
    "shift_right": np.right_shift,
}


def _builder(ufunc: Any) -> Builder:
    def build(site: Site) -> Kernel:
        if not site.out.is_float:
            return ufunc
        return _on_bits(ufunc)

    return build


def _on_bits(ufunc: Any) -> Kernel:
    """Work on the bit patterns of floats (and, or, not on reinterpreted data)."""

    def kernel(*values: Array, out: Array) -> None:
        ufunc(*(bit_view(value) for value in values), out=bit_view(out))

    return kernel


for _name, _ufunc in _UFUNCS.items():
    elementwise(_name)(_builder(_ufunc))
