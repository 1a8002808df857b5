# SPDX-License-Identifier: Apache-2.0
"""Names of a kernel whose values the compiler knew: globals, `self`, ConstExpr arguments of a launch record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

JsonObject = dict[str, Any]
UNKNOWN = object()


def constants_of(record: JsonObject) -> dict[str, Any]:
    """Return the constants by name, as Python values; what is no number, text or container of them is left out."""
    kernel = record["kernel"]
    instance: JsonObject = kernel.get("instance") or {}
    owner: JsonObject = instance.get("class") or kernel["function"]
    found = dict(_known((owner.get("globals") or {}).items()))
    found.update(_known((owner.get("closure") or {}).items()))
    if instance:
        attributes: JsonObject = {**(owner.get("attrs") or {}), **(instance.get("attrs") or {})}
        found["self"] = SimpleNamespace(**dict(_known(attributes.items())))
    found.update(_known((item["name"], item["v"]) for item in record["args"] if item["k"] == "const" and item["name"]))
    return found


def _known(items: Any) -> Iterator[tuple[str, Any]]:
    for name, value in items:
        found = _value(value)
        if found is not UNKNOWN:
            yield str(name), found


def _value(value: JsonObject) -> Any:
    reader = _READERS.get(value.get("k", ""))
    return reader(value) if reader is not None else UNKNOWN


def _items(value: JsonObject) -> list[Any]:
    return [found for found in map(_value, value["v"]) if found is not UNKNOWN]


def _pairs(value: JsonObject) -> dict[Any, Any]:
    return {_value(key): _value(item) for key, item in value["v"] if _value(key).__hash__ is not None}


def _attributes(value: JsonObject) -> SimpleNamespace:
    return SimpleNamespace(**dict(_known(value["attrs"].items())))


_READERS: dict[str, Callable[[JsonObject], Any]] = {
    "none": lambda _value: None,
    "bool": lambda value: value["v"],
    "int": lambda value: value["v"],
    "str": lambda value: value["v"],
    "float": lambda value: float(value["v"]),
    "dtype": lambda value: value["v"],
    "enum": lambda value: f"{value['type']}.{value['v']}",
    "tuple": lambda value: tuple(_items(value)),
    "list": _items,
    "dict": _pairs,
    "namespace": _attributes,
    "instance": _attributes,
}
