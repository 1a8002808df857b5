# SPDX-License-Identifier: Apache-2.0
"""What the text that a device leaves behind says, as records in the order of arrival."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Confidence(Enum):
    """Say how a record was led back to its Python line."""

    EXACT = "exact"  # by the print-site id that we compiled in
    LIKELY = "likely"  # one place has this format string or desc id
    AMBIGUOUS = "ambiguous"  # several places fit
    NONE = "none"  # no place fits


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """The core that a record came from: kind ("AIV", "AIC", "MIX") and block number."""

    kind: str
    block: int

    @property
    def name(self) -> str:
        """Return the name as people write it."""
        return f"{self.kind} {self.block}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """The first line of a core's block of dump text."""

    core: Core
    op: str
    block_dim: int
    remaining_bytes: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """A printed line; `site` is the print-site id when the text carries one."""

    core: Core | None
    text: str
    line: int
    site: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorDump:
    """A dumped tensor.

    `values` are as printed, None for a missing element; `complete` tells whether its list was closed.
    """

    core: Core | None
    desc: int
    address: int
    dtype: str
    position: str
    size: int
    values: tuple[float | None, ...]
    shape: tuple[int, ...] | None
    complete: bool
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """A failed assertion on the device."""

    core: Core | None
    file: str
    source_line: int
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeStamp:
    """A time stamp of a core."""

    core: Core | None
    desc: int
    cycles: int
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """An exception report of the runtime: which core, which error words, what it says."""

    kind: str
    core: int | None
    error_words: tuple[int, ...]
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Truncation:
    """The device said that its buffer was full, so records may be missing from here."""

    core: Core | None
    text: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreign:
    """A line that is none of ours; kept, never dropped."""

    text: str
    line: int


Record = Header | Print | TensorDump | Assertion | TimeStamp | Fault | Truncation | Foreign
