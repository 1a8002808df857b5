# SPDX-License-Identifier: Apache-2.0
"""Compiling launch records: the same kernel with the same kinds of arguments is compiled once."""

from __future__ import annotations

import hashlib
import json
import os
from collections import OrderedDict
from typing import Any, cast

from asclens_compiler.engine.findings_text import read_file
from asclens_compiler.engine.pipeline import Compiled, finish
from asclens_compiler.frontend.driver import compile_launch

JsonObject = dict[str, Any]

_CACHE_SIZE = 64
# What an argument may differ in without a different program.
_DATA_KEYS = frozenset({"segment", "offset", "nbytes"})


class Compiler:
    """Compile launch records and remember the results, the least recently used going first."""

    def __init__(self, size: int = _CACHE_SIZE) -> None:
        self._size = size
        self._cache: OrderedDict[str, Compiled] = OrderedDict()

    def compile(self, record: JsonObject) -> Compiled:
        """Return the compiled kernel of a record whose `soc` is set.

        AscLensError when the source of the kernel cannot be read.
        """
        key = launch_key(record)
        found = self._cache.get(key)
        if found is None:
            found = self._cache[key] = finish(compile_launch(record, read_file=read_file), soc=record["soc"])
            if len(self._cache) > self._size:
                self._cache.popitem(last=False)
        self._cache.move_to_end(key)
        return found


def launch_key(record: JsonObject) -> str:
    """Return what two launches of one compiled kernel have in common, as a digest."""
    arguments = [{key: value for key, value in item.items() if key not in _DATA_KEYS} for item in record["args"]]
    files: set[str] = set()
    _collect_files(record["kernel"], files)
    content = [record["kernel"], arguments, record["options"], record["core_num"], record["soc"]]
    content.append([(file, _stamp(file)) for file in sorted(files)])
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def _collect_files(value: Any, found: set[str]) -> None:
    if isinstance(value, dict):
        record = cast("JsonObject", value)
        file = record.get("file")
        if isinstance(file, str) and record.get("text") is None:
            found.add(file)
        value = list(record.values())
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            _collect_files(item, found)


def _stamp(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
