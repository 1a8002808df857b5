# SPDX-License-Identifier: Apache-2.0
"""Reads the IR text that real pyasc prints, line by line, into a tree of ops.

The text has one op, block start or block end per line; operands stand between the op's name and
the types, in the order of the op's definition, with enum members as bare words among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from asclens_compiler.source.span import NOWHERE, Span


@dataclass(slots=True, kw_only=True)
class RealOp:
    """One op: SSA names of results and operands, bare words, attributes and types as text."""

    name: str
    results: tuple[str, ...] = ()
    operands: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    attrs: dict[str, str] = field(default_factory=dict[str, str])
    types: str = ""
    body: str = ""
    span: Span = NOWHERE
    blocks: list[RealBlock] = field(default_factory=list["RealBlock"])


@dataclass(slots=True, kw_only=True)
class RealBlock:
    """A list of ops with block arguments (SSA name and type)."""

    arguments: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    ops: list[RealOp] = field(default_factory=list[RealOp])


@dataclass(slots=True, kw_only=True)
class RealFunction:
    """A function: `params` are SSA name, type text, Python name and range."""

    name: str
    params: list[tuple[str, str, str, Span]]
    attributes: str
    block: RealBlock
    span: Span = NOWHERE


class UnknownForm(ValueError):  # noqa: N818  the text is foreign, not wrong
    """Tell which line of the text has a form that is not known."""

    def __init__(self, number: int, line: str) -> None:
        super().__init__(f"line {number}: {line.strip()[:120]}")
        self.number = number


_LOC_TAIL = re.compile(r"\s+loc\((?P<loc>.*)\)$")
_LOC_LINE = re.compile(r"^#(loc\d*) = loc\((.*)\)$")
_LOC_FILE = re.compile(r'"((?:[^"\\]|\\.)*)":(\d+):(\d+)')
_LOC_NAME = re.compile(r'"((?:[^"\\]|\\.)*)"\((.*)\)')
_FUNC = re.compile(r"func\.func (?:private )?@([\w$.]+)\((.*)\)(?: -> (?:\(.*?\)|[^ ]+))?(?: attributes \{(.*)\})? \{$")
_PARAM = re.compile(r'(%\w+): (.+?)(?: \{[^{}]*\})? loc\((?:"([^"]*)"\((#loc\d*)\)|[^)]*)\)(?:, |\)|$)')
_OP = re.compile(r'^(?:(?P<results>%[-\w:#, %]+?) = )?(?P<name>"?(?:[a-z_]+\.[\w.]+|call|return)"?)(?P<rest>.*)$')
_BLOCK_ARGS = re.compile(r"^\^bb\d+\((.*)\):$")
_VALUE = re.compile(r"%(?:c-)?\w+(?:#\d+)?")
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|@[\w$.]+|-?\d[\d.]*(?:[eE][-+]?\d+)?(?![\w.])|-?[A-Za-z0-9_.+]+')
_OPEN, _CLOSE = "([{<", ")]}>"


def parse(text: str) -> list[RealFunction]:
    """Return the functions of a printed module; raise UnknownForm for a line that is not understood."""
    lines = text.split("\n")
    return _Reader(lines, _locations(lines)).functions()


def split_top(text: str, separator: str = ",") -> list[str]:
    """Split at separators outside brackets and quotes."""
    parts: list[str] = []
    start = 0
    for index in _top_level(text):
        if text.startswith(separator, index):
            parts.append(text[start:index].strip())
            start = index + len(separator)
    tail = text[start:].strip()
    return [*parts, tail] if tail or parts else []


def _top_level(text: str) -> Iterator[int]:
    """Yield the positions outside brackets and quotes."""
    depth = 0
    quoted = False
    for index, char in enumerate(text):
        if char == '"' and (index == 0 or text[index - 1] != "\\"):
            quoted = not quoted
        elif quoted:
            continue
        elif char in _OPEN:
            depth += 1
        elif char in _CLOSE and not (char == ">" and text[index - 1] == "-"):
            depth -= 1
        elif depth == 0:
            yield index


def _locations(lines: list[str]) -> dict[str, str]:
    return {match[1]: match[2] for match in map(_LOC_LINE.match, lines) if match}


class _Reader:
    def __init__(self, lines: list[str], locations: dict[str, str]) -> None:
        self._lines = lines
        self._locations = locations
        self._at = 0

    def functions(self) -> list[RealFunction]:
        found: list[RealFunction] = []
        depth = 0
        while self._at < len(self._lines):
            line = self._lines[self._at].strip()
            self._at += 1
            depth += line.startswith("module") - line.startswith("}")
            match = _FUNC.match(line)
            if match:
                params = [(item[1], item[2], item[3] or "", self._span(item[4])) for item in _PARAM.finditer(match[2])]
                block = RealBlock(arguments=[(name, type_) for name, type_, _, _ in params])
                tail = self._block(block)
                found.append(
                    RealFunction(
                        name=match[1],
                        params=params,
                        attributes=match[3] or "",
                        block=block,
                        span=self._tail_span(tail),
                    )
                )
        if depth:
            raise UnknownForm(self._at, "the text ends inside a block")
        return found

    def _block(self, block: RealBlock) -> str:
        """Read ops until the line that closes the block; return that line."""
        while self._at < len(self._lines):
            line = self._lines[self._at].strip()
            self._at += 1
            if line.startswith("}"):
                return line
            arguments = _BLOCK_ARGS.match(line)
            if arguments:
                block.arguments = [
                    (item.split(":")[0].strip(), _without_loc(item.split(":", 1)[1]).strip())
                    for item in split_top(arguments[1])
                ]
            elif line:
                block.ops.append(self._op(line))
        raise UnknownForm(self._at, "the text ends inside a block")

    def _op(self, line: str) -> RealOp:
        number = self._at
        opens = line.endswith("{")
        text = line[:-1].rstrip() if opens else line
        span = NOWHERE
        tail = None if opens else _LOC_TAIL.search(text)
        if tail:
            span, text = self._span(tail["loc"]), text[: tail.start()]
        match = _OP.match(text)
        if match is None:
            raise UnknownForm(number, line)
        op = _split(match["name"].strip('"'), _results(match["results"] or ""), match["rest"])
        op.span = span
        while opens:
            block = RealBlock()
            op.blocks.append(block)
            closing = self._block(block)
            opens = closing.endswith("{")
            if not opens:
                op.span = self._tail_span(closing)
        return op

    def _tail_span(self, line: str) -> Span:
        tail = _LOC_TAIL.search(line)
        return self._span(tail["loc"]) if tail else NOWHERE

    def _span(self, location: str | None) -> Span:
        """Resolve a location; an inlined one gives the innermost place."""
        for _ in range(20):
            text = (location or "").strip()
            if text.startswith("#"):
                location = self._locations.get(text[1:], "")
                continue
            file = _LOC_FILE.match(text)
            if file:
                line, column = int(file[2]), int(file[3]) + 1
                return Span(file[1], line, column, line, column)
            name = _LOC_NAME.match(text)
            if name:
                location = name[2]
            elif text.startswith("callsite("):
                location = text[len("callsite(") :].split(" at ")[0]
            else:
                break
        return NOWHERE


def _without_loc(text: str) -> str:
    return text.partition(" loc(")[0]


def _results(text: str) -> tuple[str, ...]:
    """Return the SSA names that uses see: `%1:2` gives `%1#0` and `%1#1`."""
    found: list[str] = []
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, _, count = item.partition(":")
        found += [f"{name}#{index}" for index in range(int(count))] if count else [name]
    return tuple(found)


def _split(name: str, results: tuple[str, ...], rest: str) -> RealOp:
    """Take an op's text apart: operands and words, attribute dictionary, types."""
    rest = rest.removesuffix(" :")
    body, types = rest, ""
    for index in _top_level(rest):
        if rest.startswith(" : ", index):
            body, types = rest[:index], rest[index + 3 :]
            break
        if name == "emitc.constant" and rest.startswith("() <{", index):
            break
    attrs: dict[str, str] = {}
    match = re.search(r"<?\{(.*)\}>?\s*$", body)
    if match:
        for item in split_top(match[1]):
            key, _, value = item.partition(" = ")
            attrs[key.strip()] = value.strip() or "true"
        body = body[: match.start()]
    operands = tuple(_VALUE.findall(body))
    words = tuple(_WORD.findall(_VALUE.sub(" ", body)))
    return RealOp(
        name=name, results=results, operands=operands, words=words, attrs=attrs, types=types.strip(), body=body.strip()
    )
