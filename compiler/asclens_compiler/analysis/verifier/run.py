# SPDX-License-Identifier: Apache-2.0
"""Verify a program: walk its paths and collect what is wrong on them."""

from __future__ import annotations

from asclens_compiler.analysis.verifier.core import Setup
from asclens_compiler.analysis.verifier.findings import Findings
from asclens_compiler.analysis.verifier.limits import Limits
from asclens_compiler.analysis.verifier.paths import Paths
from asclens_compiler.analysis.verifier.usage import Usage
from asclens_compiler.analysis.verifier.walk import ProgramFacts, Walk
from asclens_compiler.ascir.program import Op, Program
from asclens_compiler.hardware.chips import Target

MAX_PATHS = 24
# What orders work of several cores needs flags for reasons that no access of one core shows.
_BETWEEN_CORES = frozenset(
    {
        "sync_all_hard", "sync_all_soft", "cross_core_set_flag", "cross_core_wait_flag", "ib_set", "ib_wait",
        "notify_next_block", "wait_pre_block", "data_cache_clean_invalid_global", "data_sync_barrier",
        "data_cache_clean_invalid_global_nodccidst",
    }
)  # fmt: skip


def verify(program: Program, target: Target) -> Findings:
    """Return what is wrong on the paths of a kernel.

    Tensors that the compiler places get their synchronisation from passes: their accesses are not
    ordered here. Kernels of the staged surface are not walked: sizes, padding and order of their ops
    are the compiler's own work, and their mistakes are the frontend's findings.
    """
    findings = Findings()
    if program.staged:
        return findings
    names = {node.name for node in program.walk() if isinstance(node, Op)}
    setup = Setup(
        program=program,
        target=target,
        findings=findings,
        limits=Limits(findings),
        atomics=any(name.startswith("set_atomic") for name in names),
        ordered="local_tensor_auto" not in names,
        usage=Usage(blind=bool(names & _BETWEEN_CORES)),
    )
    facts = ProgramFacts(program)
    paths = Paths(MAX_PATHS)
    while (choices := paths.next()) is not None:
        Walk(facts, setup, choices).run()
        paths.done(choices)
    if setup.ordered and paths.complete and not setup.usage.blind and not findings.items:
        setup.usage.report(program, findings)
    setup.usage.explain(findings)
    return findings
