# SPDX-License-Identifier: Apache-2.0
"""Handle tables: the numbers the client sees are ours alone; what they stand for is a typed key."""

from __future__ import annotations

import itertools
from collections.abc import Hashable
from typing import Generic, TypeVar

from asclens_debugadapter.protocol.wire import DapError

Key = TypeVar("Key", bound=Hashable)


class Handles(Generic[Key]):
    """Numbers are never used twice in a session, so one from before a resume cannot mean something else after it."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._numbers = itertools.count(1)
        self._by_key: dict[Key, int] = {}
        self._by_number: dict[int, Key] = {}

    def number(self, key: Key) -> int:
        """Return the number of a key; a new one on first sight."""
        if key not in self._by_key:
            number = next(self._numbers)
            self._by_key[key], self._by_number[number] = number, key
        return self._by_key[key]

    def key(self, number: object) -> Key:
        """Return what a number stands for; raise DapError for an unknown or outdated one."""
        key = self._by_number.get(number) if isinstance(number, int) else None
        if key is None:
            raise DapError(f"that {self._what} belongs to an earlier stop, or never existed")
        return key

    def forget(self) -> None:
        """Drop all keys, because something ran."""
        self._by_key.clear()
        self._by_number.clear()
