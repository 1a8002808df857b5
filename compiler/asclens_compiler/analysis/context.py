# SPDX-License-Identifier: Apache-2.0
"""What the rules of one program share."""

from __future__ import annotations

from functools import cached_property

from asclens_compiler.analysis.accesses import Accesses
from asclens_compiler.analysis.definitions import Definitions
from asclens_compiler.analysis.statements import Statements
from asclens_compiler.analysis.verifier.findings import Findings
from asclens_compiler.analysis.verifier.run import verify
from asclens_compiler.ascir.program import Op, Program
from asclens_compiler.hardware.chips import Target
from asclens_compiler.opset.model import OpRow
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.text import SourceText


class AnalysisContext:
    """Hold a program's facts, computed on first use.

    `statements` answers questions about the kernel's text; it knows nothing without `source`.
    """

    def __init__(self, program: Program, target: Target, source: SourceText | None) -> None:
        self.program = program
        self.target = target
        self.source = source
        self._rows = opset().ops

    @cached_property
    def accesses(self) -> Accesses:
        """Return what each op reads and writes."""
        return Accesses(self.program)

    @property
    def definitions(self) -> Definitions:
        """Return where registers are defined."""
        return self.accesses.definitions

    @cached_property
    def statements(self) -> Statements:
        """Return the statements of the source."""
        return Statements(self.source)

    @cached_property
    def findings(self) -> Findings:
        """Return what walking the paths of the kernel found."""
        return verify(self.program, self.target)

    def row(self, op: Op) -> OpRow | None:
        """Return the opset row of an op, None for scalar ops."""
        return self._rows.get(op.name)
