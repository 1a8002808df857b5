# SPDX-License-Identifier: Apache-2.0
"""Streaming parser of device printf and DumpTensor text, both layouts of the runtime.

Workspace layout: one header line per core (`... DumpHead: AIV-0 ... magic=5aa5bccd`), then the core's
lines. FIFO layout: every line carries `[AIV Block 3/16] `. Lines of several cores may interleave, blocks
may be cut off, and lines of other programs may stand between.
Source: adump printf implementation of the runtime and asc-devkit, pyasc's debugging page.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from asclens_compiler.npu.faults import FaultText
from asclens_compiler.npu.records import (
    Assertion,
    Core,
    Foreign,
    Header,
    Print,
    Record,
    TensorDump,
    TimeStamp,
    Truncation,
)

MAX_DUMP_VALUES = 1 << 20  # a core's whole buffer holds 1 MiB of text
MAX_LINE_CHARS = 1 << 20

_HEADER = re.compile(r"opType=(\S*), DumpHead: (AIV|AIC|MIX)-(\d+)\b.*?block dim=(\d+).*?block_remain_len=(\d+)")
_FIFO = re.compile(r"\[(AIV|AIC) Block (\d+)/\d+\] ?")
_DUMP = re.compile(
    r"DumpTensor: desc=(\d+), addr=(0x[0-9a-fA-F]+|[0-9a-fA-F]+), data_type=(\w+), position=(\w+), dump_size=(\d+)"
)
_ASSERT = re.compile(r"\[ASSERT\] (.+?):(\d+): ?(.*)")
_STAMP = re.compile(r"descId is (\d+), rsv is \d+, timeStamp is (\d+)")
_FULL = "Remain block space is not enough"
_SITE = re.compile(r"\[asc#(\d+)\]")
_SHAPE = re.compile(r"shape is \[([\d, ]+)\]")
_NUMBERS = re.compile(r"-?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|inf|nan)|-")
_VERSION = "CANN Version:"


@dataclass(slots=True)
class _OpenDump:
    """A tensor dump whose list is still arriving."""

    core: Core | None
    desc: int
    address: int
    dtype: str
    position: str
    size: int
    line: int
    values: list[float | None] = field(default_factory=list[float | None])
    shape: tuple[int, ...] | None = None
    depth: int = 0
    started: bool = False

    def record(self, *, complete: bool) -> TensorDump:
        """Return what has arrived."""
        return TensorDump(
            core=self.core,
            desc=self.desc,
            address=self.address,
            dtype=self.dtype,
            position=self.position,
            size=self.size,
            values=tuple(self.values),
            shape=self.shape,
            complete=complete,
            line=self.line,
        )


class DumpText:
    """Turn lines into records; feed it lines, then call `finish`."""

    def __init__(self) -> None:
        self._line = 0
        self._core: Core | None = None  # of the workspace block we are in
        self._cores: dict[str, Core] = {}  # by FIFO prefix
        self._open: dict[Core | None, _OpenDump] = {}
        self._fault = FaultText()

    def feed(self, text: str) -> Iterator[Record]:
        """Take one line (without its end) and yield the records that it completes."""
        self._line += 1
        text = text[:MAX_LINE_CHARS].rstrip("\r\n")
        core = self._core
        if text.startswith("[AI"):
            core, text = self._fifo(text)
        if self._open and core in self._open:
            yield from self._continue(core, text)
        elif core is not None and text.startswith("[asc#"):  # by far the commonest line
            yield self._print(core, text)
        else:
            yield from self._fresh(core, text)

    def _fifo(self, text: str) -> tuple[Core | None, str]:
        """Split the prefix of a FIFO line off."""
        prefix, closed, rest = text.partition("] ")
        core = self._cores.get(prefix)
        if core is None:
            match = _FIFO.match(text)
            if match is None:
                return self._core, text
            core = Core(kind=match.group(1), block=_int(match.group(2)))
            if not closed:
                return core, text[match.end() :]
            self._cores[prefix] = core
        return core, rest

    def finish(self) -> Iterator[Record]:
        """Yield what was cut off by the end of the text."""
        for dump in self._open.values():
            yield dump.record(complete=False)
        self._open.clear()

    def _fresh(self, core: Core | None, text: str) -> Iterator[Record]:
        if "DumpHead:" in text and (header := _HEADER.search(text)) is not None:
            yield self._begin_block(header)
        elif text.startswith("DumpTensor:") and (dump := _DUMP.match(text)) is not None:
            self._begin_dump(core, dump)
        elif "[ASSERT]" in text and (failed := _ASSERT.search(text)) is not None:
            file, number, rest = failed.groups()
            yield Assertion(core=core, file=file, source_line=_int(number), text=rest, line=self._line)
        elif text.startswith("descId is ") and (stamp := _STAMP.match(text)) is not None:
            yield TimeStamp(core=core, desc=_int(stamp.group(1)), cycles=_int(stamp.group(2)), line=self._line)
        elif _FULL in text:
            yield Truncation(core=core, text=text, line=self._line)
        elif (fault := self._fault.match(text, self._line)) is not None:
            yield fault
        elif core is None or text.startswith(_VERSION):
            yield Foreign(text=text, line=self._line)
        else:
            yield self._print(core, text)

    def _begin_block(self, header: re.Match[str]) -> Header:
        op, kind, block, dim, remaining = header.groups()
        self._core = Core(kind=kind, block=_int(block))
        return Header(core=self._core, op=op, block_dim=_int(dim), remaining_bytes=_int(remaining), line=self._line)

    def _begin_dump(self, core: Core | None, match: re.Match[str]) -> None:
        desc, address, dtype, position, size = match.groups()
        self._open[core] = _OpenDump(core, _int(desc), int(address, 16), dtype, position, _int(size), self._line)

    def _print(self, core: Core, text: str) -> Print:
        site = _SITE.match(text)
        if site is None:
            return Print(core=core, text=text, line=self._line)
        return Print(core=core, text=text[site.end() :], line=self._line, site=_int(site.group(1)))

    def _continue(self, core: Core | None, text: str) -> Iterator[Record]:
        """Take a line of a list that is still arriving; anything else ends the dump where it is."""
        dump = self._open[core]
        shape = _SHAPE.match(text)
        if shape is not None and not dump.started:
            dump.shape = tuple(_int(part) for part in re.findall(r"\d+", shape.group(1)))
            return
        opens = text.startswith("[") and not text.startswith("[ASSERT]")
        if not (opens or (dump.started and dump.depth > 0 and _is_list(text))):
            del self._open[core]
            yield dump.record(complete=False)
            yield from self._fresh(core, text)
            return
        dump.started = True
        room = MAX_DUMP_VALUES - len(dump.values)
        dump.values += [_number(part) for part in _NUMBERS.findall(text)[:room]]
        dump.depth += text.count("[") - text.count("]")
        if dump.depth <= 0:
            del self._open[core]
            yield dump.record(complete=True)


def _is_list(text: str) -> bool:
    return not text.strip("0123456789.,-+eEinfa[] \t")


def _int(text: str) -> int:
    return int(text[:18])


def _number(text: str) -> float | None:
    return None if text == "-" else float(text)


def parse_dump_text(lines: Iterable[str]) -> Iterator[Record]:
    """Yield the records of a whole text, line by line, in memory that does not grow with it."""
    parser = DumpText()
    for line in lines:
        yield from parser.feed(line)
    yield from parser.finish()
