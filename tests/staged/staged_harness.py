# SPDX-License-Identifier: Apache-2.0
"""Compile a staged kernel from text for given arguments, lower it, and run it on the simulator."""

from __future__ import annotations

import gc
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from asclens_compiler.analysis.run import analyse
from asclens_compiler.ascir.program import Program
from asclens_compiler.ascir.unit import Unit
from asclens_compiler.backends.simulator.api import ArrayArg, RunResult, ScalarArg, Schedule, SimOptions
from asclens_compiler.backends.simulator.run import simulate
from asclens_compiler.diagnostics.model import Diagnostic, Severity
from asclens_compiler.frontend.asc_names import neutral_surface
from asclens_compiler.frontend.classes import ClassValue
from asclens_compiler.frontend.compile import compile_kernel
from asclens_compiler.frontend.context import Context, Frame
from asclens_compiler.frontend.driver import find_kernels, parse
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.hostvalues import HostArray
from asclens_compiler.frontend.module import StaticModule
from asclens_compiler.frontend.result import KernelResult
from asclens_compiler.frontend.staged.instances import InstanceValue, instantiate
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.surfaces import KernelSource, Launch, Origin
from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.frontend.walker import Walker
from asclens_compiler.hardware.chips import chip_for
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.passes.pipelines import run_pipeline
from asclens_compiler.source.text import SourceText

SOC = "Ascend910B1"
_RUNS = itertools.count()
HEADER = "import asc\nfrom asc import DataType, PipeStage, Scope, Tensor\n"


@dataclass
class Compiled:
    """A kernel for one launch: what the frontend and the analyses say, and the lowered unit."""

    result: KernelResult
    diagnostics: list[Diagnostic]
    unit: Unit | None

    @property
    def codes(self) -> list[str]:
        return [item.code for item in self.diagnostics]

    @property
    def lines(self) -> list[tuple[int, str]]:
        return [(item.span.line, item.code) for item in self.diagnostics]


def kernel_of(text: str, name: str = "", file: str = "kernel.py") -> KernelSource:
    source = SourceText(file, text)
    tree = parse(source)
    assert not isinstance(tree, Diagnostic), tree
    kernels = find_kernels(StaticModule(source, tree))
    assert kernels, "no kernel found"
    return next(kernel for kernel in kernels if not name or kernel.name == name)


def host_value(value: Any) -> KernelValue:
    if isinstance(value, np.ndarray):
        return HostArray(DType(value.dtype.name), value.shape)
    if isinstance(value, DType):
        return DTypeValue(value)
    return StaticValue(value)


def instance_of(kernel: KernelSource, init: Sequence[Any]) -> InstanceValue | None:
    if kernel.owner is None:
        return None
    host = Context(
        surface=neutral_surface(),
        frame=Frame("<module>", kernel.owner, kernel.module, kernel.module.source),
        soc="",
    )
    Walker(host)
    cls = ClassValue(kernel.owner, kernel.module)
    return instantiate(host, cls, [host_value(item) for item in init], {}, kernel.span)


def compile_text(
    text: str, args: Sequence[Any] | Mapping[str, Any], init: Sequence[Any] = (), name: str = "", *, lower: bool = True
) -> Compiled:
    kernel = kernel_of(text, name)
    plain = tuple(host_value(item) for item in args) if not isinstance(args, Mapping) else ()
    named = tuple((key, host_value(item)) for key, item in args.items()) if isinstance(args, Mapping) else ()
    launch = Launch(args=plain, kwargs=named, instance=instance_of(kernel, init), origin=Origin.RECORD)
    result = compile_kernel(kernel, launch, soc=SOC, facts=False)
    diagnostics = list(result.diagnostics)
    if result.unit is not None and not result.incomplete:
        (program,) = result.unit.decode()
        diagnostics += analyse(program, chip_for(SOC), source=kernel.module.source)
    unit = result.unit if result.ok else None
    errors = any(item.severity is Severity.ERROR for item in diagnostics)
    if unit is not None and not errors and lower:
        assert unit.verify() == []
        diagnostics += run_pipeline(unit, "default", target=chip_for(SOC))
    if any(item.severity is Severity.ERROR for item in diagnostics):
        unit = None
    return Compiled(result, diagnostics, unit)


def simulate_unit(
    unit: Unit, args: Sequence[Any], *, cores: int = 1, schedule: Schedule = Schedule.PROGRAM, seed: int = 0
) -> RunResult:
    (program,) = unit.decode()
    given = [
        ArrayArg(name=param.name, data=value)
        if isinstance(value, np.ndarray)
        else ScalarArg(name=param.name, value=value)
        for param, value in zip(program.params, args, strict=True)
    ]
    options = SimOptions(schedule=schedule, seed=seed)
    return simulate_and_tidy(program, given, cores, options)


def simulate_and_tidy(program: Program, args: list, cores: int, options: SimOptions) -> RunResult:
    """Run, and free finished machines now and then: the collector rests while a machine runs."""
    result = simulate(program, target=SOC, blocks=cores, args=args, options=options)
    if next(_RUNS) % 20 == 0:
        gc.collect()
    return result


def run(
    text: str,
    args: Sequence[Any],
    init: Sequence[Any] = (),
    name: str = "",
    *,
    cores: int = 1,
    change: Callable[[Unit], None] | None = None,
    clean: bool = True,
) -> RunResult:
    """Compile, lower and run; with `clean`, the run must finish without findings."""
    compiled = compile_text(text, args, init, name)
    assert compiled.unit is not None, [(item.span.line, item.code, item.message) for item in compiled.diagnostics]
    if change is not None:
        change(compiled.unit)
    result = simulate_unit(compiled.unit, args, cores=cores)
    if clean:
        findings = [(item.span.line, item.code, item.message) for item in result.violations]
        assert result.ok, (result.error, findings)
        assert findings == []
    return result
