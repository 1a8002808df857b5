# SPDX-License-Identifier: Apache-2.0
"""What the frontend returns: kernels compiled for one launch each, and whole-file analyses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.frontend.facts import Fact
from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.ascir.program import Program
    from asclens_compiler.ascir.unit import Unit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KernelResult:
    """One kernel for one launch.

    `unit` is None when nothing could be built. With `incomplete` some op is missing: the unit shows
    what was understood, but it may not verify and must not be run. `specialisation` names the
    launch ("x=float32[16384], block_length=2048"), `origin` says where that is known from. Results
    with the same `fingerprint` are equal; one that is `reused` was not compiled again and is empty.
    """

    kernel: str
    surface: str
    span: Span
    unit: Unit | None
    diagnostics: tuple[Diagnostic, ...]
    facts: tuple[Fact, ...] = ()
    specialisation: str = ""
    origin: str = ""
    arguments: tuple[str, ...] = ()
    core_num: int | None = None
    incomplete: bool = False
    insert_sync: bool | None = None
    fingerprint: str = ""
    reused: bool = False

    @property
    def ok(self) -> bool:
        """Tell that no error was found and nothing is missing."""
        return self.unit is not None and not self.incomplete and not self.has_errors

    @property
    def has_errors(self) -> bool:
        """Tell whether a diagnostic is an error."""
        return any(item.severity is Severity.ERROR for item in self.diagnostics)

    def program(self) -> Program | None:
        """Return the program before any pass, None when the kernel is not complete."""
        if self.unit is None or not self.ok:
            return None
        return self.unit.decode(self.kernel)[0]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FileAnalysis:
    """All kernels of a file, each once per known launch; `diagnostics` also holds those of the kernels."""

    file: str
    kernels: tuple[KernelResult, ...]
    diagnostics: tuple[Diagnostic, ...]
    facts: tuple[Fact, ...] = ()
