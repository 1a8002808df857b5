# SPDX-License-Identifier: Apache-2.0
"""C++ identifiers for registers: Python names where there are any, each once."""

from __future__ import annotations

import re

from asclens_compiler.ascir.program import Program, Reg

_RESERVED = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class compl
concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do
double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace
new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires return
short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef
typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq half bfloat16_t main printf assert
AscendC ffts_addr set_ffts_base_addr g_coreType GetSysWorkSpacePtr workspace tiling NULL
int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t INT32_MIN INT64_MIN
"""
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_OTHER = re.compile(r"[^A-Za-z0-9_]")


class Names:
    """Give every register one name; the same program always gets the same names."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._taken: set[str] = set(_RESERVED.split())
        self._of: dict[int, str] = {}

    def of(self, reg: Reg) -> str:
        """Return the name of a register."""
        found = self._of.get(reg.index)
        if found is None:
            known = self._program.names.get(reg.index, ())
            found = self._of[reg.index] = self.fresh(known[0] if known else "v")
        return found

    def share(self, reg: Reg, name: str) -> None:
        """Let a register live in the variable `name`."""
        self._of[reg.index] = name

    def fresh(self, wanted: str) -> str:
        """Return an unused identifier that looks like `wanted`."""
        base = wanted if _IDENTIFIER.fullmatch(wanted) else "v_" + _OTHER.sub("_", wanted)
        if base.startswith("_") or "__" in base:  # such names belong to the implementation
            base = "v" + re.sub("_+", "_", base)
        name, number = base, 1
        if base == "v":
            name, number = "v1", 1
        while name in self._taken:
            number += 1
            name = f"v{number}" if base == "v" else f"{base}_{number}"
        self._taken.add(name)
        return name
