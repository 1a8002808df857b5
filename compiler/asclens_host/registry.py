# SPDX-License-Identifier: Apache-2.0
"""Which live object is which public name of the facade."""

from __future__ import annotations

from typing import Any

_paths: dict[int, tuple[Any, str]] = {}


def register(obj: Any, path: str) -> Any:
    """Remember that `obj` is the facade's `path`; the first path wins. Returns the object."""
    _paths.setdefault(id(obj), (obj, path))
    return obj


def path_of(obj: Any) -> str | None:
    """Return the public name of a facade module, function or class, else None."""
    found = _paths.get(id(obj))
    return None if found is None else found[1]
