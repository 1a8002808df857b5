# SPDX-License-Identifier: Apache-2.0
"""Exception reports of the runtime (plog): which core failed and with which error words.

Source: device error reporting of the runtime, wording of CANN 8.x and of the newer releases.
"""

from __future__ import annotations

import re

from asclens_compiler.npu.records import Fault

_REPORT = re.compile(r"(?:there is an exception of|the error is|there is an error of) (\w+(?: \w+)? error)")
_CORE = re.compile(r"core id is (\d+)")
_EXTEND = re.compile(r"errcode:\(([^)]*)\)")
_TEXT = re.compile(r"errorStr: (.*?)(?: fixp_error0 info|$)")
_RETURN = re.compile(r"Kernel task happen error, retCode=(0x[0-9a-fA-F]+), \[([^\]]*)\]")
_HINTS = ("error of", "exception of", "the error is", "errcode:(", "retCode=")
WORDS = 3


class FaultText:
    """Recognise the lines of an exception report."""

    def match(self, text: str, line: int) -> Fault | None:
        """Return the fault that a line reports, or None."""
        if not any(hint in text for hint in _HINTS):
            return None
        report, returned = _REPORT.search(text), _RETURN.search(text)
        extend = _EXTEND.search(text)
        if report is None and returned is None and extend is None:
            return None
        core, words = _CORE.search(text), extend.group(1) if extend else ""
        said = _TEXT.search(text)
        kind = report.group(1) if report else returned.group(2) if returned else "extend info"
        return Fault(
            kind=kind,
            core=int(core.group(1)[:9]) if core else None,
            error_words=_words(words),
            text=said.group(1).strip() if said else text.strip(),
            line=line,
        )


def _words(text: str) -> tuple[int, ...]:
    found: list[int] = []
    for part in text.split(",")[:WORDS]:
        try:
            found.append(int(part.strip(), 0))
        except ValueError:
            continue
    return tuple(found)


def error_bits(words: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers of the set error bits.

    Word 0 holds bits 0-63, word 1 bits 64-127, word 2 bits 128-144 in its lower part and 145 on from bit 32.
    """
    bits: list[int] = []
    for index, word in enumerate(words[:WORDS]):
        for bit in range(64):
            if word >> bit & 1:
                bits += [] if index == 2 and 16 < bit < 32 else [_bit_number(index, bit)]
    return tuple(bits)


def _bit_number(word: int, bit: int) -> int:
    if word < 2:
        return 64 * word + bit
    return 128 + bit if bit <= 16 else 145 + bit - 32
