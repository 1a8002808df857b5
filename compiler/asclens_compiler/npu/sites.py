# SPDX-License-Identifier: Apache-2.0
"""Leading records back to Python lines: by print-site id, else by format string, desc id and order."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from asclens_compiler.npu.records import Assertion, Confidence, Print, Record, TensorDump
from asclens_compiler.source.span import Span

_CONVERSION = re.compile(r"%[-+ #0]*\d*(?:\.\d+)?(?:hh|h|ll|l|z)?([diuxXofFeEgGcsp%])")
_MATCHERS = {
    **dict.fromkeys("diu", r"[-+]?\d+"),
    **dict.fromkeys("xX", r"(?:0x)?[0-9a-fA-F]+"),
    "o": r"[0-7]+",
    **dict.fromkeys("fFeEgG", r"[-+]?(?:\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|inf|nan)"),
    "c": r".",
    "s": r".*?",
    "p": r"(?:0x)?[0-9a-fA-F]+",
    "%": "%",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintSite:
    """A `printf` of a kernel: its number in the compiled text, its format, its place."""

    number: int
    format: str
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class DumpSite:
    """A `dump_tensor` of a kernel: its desc id (None when only a run knows it) and its place."""

    desc: int | None
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A record with the places it may come from and how sure that is."""

    record: Record
    places: tuple[Span, ...]
    confidence: Confidence


def format_pattern(text: str) -> re.Pattern[str]:
    """Return a pattern that matches what one line of this C format prints."""
    line = text.rstrip("\n").split("\n")[-1] if text.strip("\n") else ""
    parts: list[str] = []
    end = 0
    for match in _CONVERSION.finditer(line):
        parts.append(re.escape(line[end : match.start()]))
        parts.append(_MATCHERS[match.group(1)])
        end = match.end()
    parts.append(re.escape(line[end:]))
    return re.compile("".join(parts) + r"\s*")


class SiteMap:
    """All print and dump sites of the kernels of one run."""

    def __init__(self, prints: Sequence[PrintSite], dumps: Sequence[DumpSite]) -> None:
        self._by_number = {site.number: site for site in prints}
        self._patterns = [(format_pattern(site.format), site) for site in prints]
        self._dumps = tuple(dumps)

    def locate(self, record: Record) -> Located:
        """Return the record with its Python places; several places mean that it is ambiguous."""
        if isinstance(record, Print):
            return self._print(record)
        if isinstance(record, TensorDump):
            fitting = [site.span for site in self._dumps if site.desc == record.desc]
            if not fitting:
                fitting = [site.span for site in self._dumps if site.desc is None]
            return _located(record, fitting)
        if isinstance(record, Assertion):
            line = record.source_line
            return Located(record=record, places=(Span(record.file, line, 1, line, 1),), confidence=Confidence.EXACT)
        return Located(record=record, places=(), confidence=Confidence.NONE)

    def _print(self, record: Print) -> Located:
        site = self._by_number.get(record.site) if record.site is not None else None
        if site is not None:
            return Located(record=record, places=(site.span,), confidence=Confidence.EXACT)
        return _located(record, [site.span for pattern, site in self._patterns if pattern.fullmatch(record.text)])


def _located(record: Record, places: Sequence[Span]) -> Located:
    if not places:
        return Located(record=record, places=(), confidence=Confidence.NONE)
    sure = Confidence.LIKELY if len(places) == 1 else Confidence.AMBIGUOUS
    return Located(record=record, places=tuple(places), confidence=sure)
