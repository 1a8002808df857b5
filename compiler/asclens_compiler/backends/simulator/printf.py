# SPDX-License-Identifier: Apache-2.0
"""Formatting of device printf: the conversions of C that Ascend C supports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_CONVERSION = re.compile(r"%([-+ #0]*)(\d+|\*)?(?:\.(\d+|\*))?(hh|h|ll|l|z|j|t|L)?([diuoxXfFeEgGcsp%])")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[abfnrtv\\'\"?])")
_ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
_UNSIGNED = {"hh": 8, "h": 16, "l": 64, "ll": 64, "z": 64}


def c_format(text: str, values: tuple[Any, ...]) -> str:
    """Return `text` with C conversions replaced by `values`; missing ones show as they stand.

    The text stands between the quotes of a C++ literal, so that its escapes are C++'s.
    """
    rest = iter(values)
    return _CONVERSION.sub(lambda match: _one(match, rest), _ESCAPE.sub(_unescaped, text))


def _unescaped(match: re.Match[str]) -> str:
    code = match.group(1)
    if code[0] == "x" or code[0].isdigit():
        return chr(int(code[1:], 16) if code[0] == "x" else int(code, 8) & 255)
    return _ESCAPED.get(code, code)


def _one(match: re.Match[str], rest: Iterator[Any]) -> str:
    flags, width, precision, length, kind = match.groups()
    if kind == "%":
        return "%"
    try:
        width = str(next(rest)) if width == "*" else width
        precision = str(next(rest)) if precision == "*" else precision
        value = next(rest)
    except StopIteration:
        return match.group(0)
    spec = f"%{flags}{width or ''}{'.' + precision if precision is not None else ''}"
    if kind in "di":
        return f"{spec}d" % int(value)
    if kind in "uoxX":
        bits = _UNSIGNED.get(length or "", 32)
        number = int(value) & ((1 << bits) - 1)
        return f"{spec}{'d' if kind == 'u' else kind}" % number
    if kind == "c":
        return f"{spec}c" % (int(value) & 255)
    if kind == "p":
        return f"{int(getattr(value, 'address', getattr(value, 'lo', value))):#x}"
    return f"{spec}s" % value if kind == "s" else f"{spec}{kind}" % float(value)
