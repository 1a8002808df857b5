# SPDX-License-Identifier: Apache-2.0
"""Ascend C text in a form in which two emitters can be compared: statements after renaming.

Constants are put where they are used, casts of values left out, variables numbered in order of
appearance, numbers written one way.
"""

from __future__ import annotations

import re

_CONSTANT = re.compile(r"^(?:constexpr )?(?:half|bfloat16_t|float|\w+_t|bool) (\w+) = (?:\(\w+\))?\s*(-?[\w.+:-]+);$")
_ALIAS = re.compile(r"^(?:half|float|u?int\d+_t|bool|bfloat16_t) (\w+) = (?:\([\w ]+\)\s*)?(\w+);$")
_EMPTY = re.compile(r"^(?:half|float|u?int\d+_t|bool|bfloat16_t) (\w+);$")
_ARRAY = re.compile(r"^(\w+) (\w+)\[\d+\];$")
_STORE = re.compile(r"^(\w+)\[(\w+)\] = (\w+);$")
_VARIABLE = re.compile(r"\b(?:v\d+(?:_\w+)?|\w*_list(?:_\d+)?)\b(?!\()")
_NUMBER = re.compile(r"(?<![\w.])(?:\d+\.\d*(?:e[+-]?\d+)?|\d+(?:e[+-]?\d+)?)(?:f|u|ULL)?(?![\w.])")
_RETURNED = re.compile(r"^u?int\d+_t (\w+) = (?=(?:AscendC::\w+|\w+\.\w+)[(<])")  # C++ converts the result anyway
_IGNORED = ("#", "//", "set_ffts_base_addr(", "return;")


def statements(text: str) -> list[str]:
    """Return the statements of a kernel in normal form."""
    body = text[text.index("{") + 1 :]
    head = text[: text.index("{")]
    known: dict[str, str] = {}
    kept: list[str] = []
    arrays: dict[str, tuple[str, list[str]]] = {}
    for line in body.split("\n"):
        statement = _without_casts(line.strip())
        if not statement or statement.startswith(_IGNORED):
            continue
        for part in re.split(r"(?<=;)\s+(?=\w+\.)", statement):
            _take(part, known, kept, arrays)
    lines = _without_copies([_with(known, line) for line in kept])
    # the base object that the real constructor of a buffer makes and nothing uses
    lines = [
        line
        for line, following in zip(lines, [*lines[1:], ""], strict=True)
        if not (line.startswith("AscendC::TQueBind<") and ", 0>" in line and following.startswith("AscendC::TBuf<"))
    ]
    order: dict[str, str] = {}
    for name in (item for item in _VARIABLE.findall(head) if "ffts_addr" not in item):
        order.setdefault(name, f"${len(order)}")
    return [_VARIABLE.sub(lambda match: order.setdefault(match[0], f"${len(order)}"), line) for line in lines]


def _take(statement: str, known: dict[str, str], kept: list[str], arrays: dict[str, tuple[str, list[str]]]) -> None:
    constant = _CONSTANT.match(statement)
    if constant and _is_literal(statement, constant[1], constant[2], known):
        known[constant[1]] = constant[2]
        return
    alias = _ALIAS.match(statement)
    if alias:
        known[alias[1]] = alias[2]
        return
    array, store = _ARRAY.match(statement), _STORE.match(statement)
    if array:
        arrays[array[2]] = (array[1], [])
        kept.append(array[2])  # replaced once all elements are known
    elif store and store[1] in arrays:
        kind, items = arrays[store[1]]
        items.append(store[3])
        kept[kept.index(next(k for k in kept if k.startswith(store[1]) or f" {store[1]}[" in k))] = (
            f"{kind} {store[1]}[] = {{{', '.join(items)}}};"
        )
    else:
        kept.append(re.sub(r"\[\d+\] = \{", "[] = {", statement))


def _without_copies(lines: list[str]) -> list[str]:
    """Drop variables that are declared empty and assigned another variable exactly once."""
    for line in list(lines):
        declared = _EMPTY.match(line)
        if declared is None:
            continue
        name = declared[1]
        assigned = [other for other in lines if other.startswith(f"{name} = ")]
        if len(assigned) != 1:
            continue
        value = assigned[0].removeprefix(f"{name} = ").removesuffix(";")
        if not _VARIABLE.fullmatch(value):
            continue
        lines = [re.sub(rf"\b{name}\b", value, other) for other in lines if other != line and other is not assigned[0]]
    return lines


def _is_literal(statement: str, name: str, value: str, known: dict[str, str]) -> bool:
    declared = statement.startswith("constexpr") or name.startswith("c") or not value.startswith("v")
    return declared and not _VARIABLE.fullmatch(value) and value not in known


def _with(known: dict[str, str], line: str) -> str:
    for _ in range(20):
        changed = re.sub(r"\b\w+\b", lambda match: known.get(match[0], match[0]), line)
        if changed == line:
            break
        line = changed
    line = _RETURNED.sub(r"auto \1 = ", line).replace("(uint64_t* )0", "0").replace("(uint64_t*)(0)", "0")
    line = re.sub(r"\btrue\b", "1", re.sub(r"\bfalse\b", "0", line))
    return _NUMBER.sub(_number, line).replace("( ", "(")


def _number(match: re.Match[str]) -> str:
    text = match[0].rstrip("fuUL")
    value = float(text) if "." in text or "e" in text else int(text)
    return str(int(value)) if value == int(value) else f"{value:.5g}"


def _without_casts(text: str) -> str:
    """Replace `static_cast<T>(x)` by x."""
    while True:
        start = text.find("static_cast<")
        if start < 0:
            return text
        open_ = text.index(">(", start) + 1
        depth = 0
        for end in range(open_, len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if depth == 0:
                text = text[:start] + text[open_ + 1 : end] + text[end + 1 :]
                break
        else:
            return text
