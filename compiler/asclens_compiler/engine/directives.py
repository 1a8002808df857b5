# SPDX-License-Identifier: Apache-2.0
"""Running a kernel as its `# asclens: run` comment says, without host code."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

import numpy as np

from asclens_compiler.backends.simulator.api import Arg, ArrayArg, ScalarArg
from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.engine.creations import Array, make, preview
from asclens_compiler.engine.pipeline import Compiled, finish
from asclens_compiler.errors import AscLensError
from asclens_compiler.frontend.compile import compile_kernel
from asclens_compiler.frontend.creations import Creation, creation_of
from asclens_compiler.frontend.directives import Directive, find_directives, target_name
from asclens_compiler.frontend.driver import deep_recursion, find_kernels, parse
from asclens_compiler.frontend.hostvalues import HostArray
from asclens_compiler.frontend.module import StaticModule
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.surfaces import KernelSource, Launch, Origin
from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.text import SourceText

CORES = "core_num"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DirectedRun:
    """A kernel compiled for a directive, with the values to run it on by name."""

    compiled: Compiled
    cores: int
    arrays: dict[str, Array]
    scalars: dict[str, int | float | bool]

    def arguments(self) -> list[Arg]:
        """Return the arguments in the order of the program's parameters.

        AscLensError for a parameter that the directive leaves out.
        """
        program = self.compiled.program
        assert program is not None
        found: list[Arg] = []
        for param in program.params:
            if param.name in self.arrays:
                found.append(ArrayArg(name=param.name, data=self.arrays[param.name]))
            elif param.name in self.scalars:
                found.append(ScalarArg(name=param.name, value=self.scalars[param.name]))
            else:
                raise AscLensError(
                    f"the run directive gives no value for {param.name!r}: write `{param.name}=rand(1024)` or the like"
                )
        return found

    def descriptions(self) -> list[str]:
        """Return one text per argument, as launch results have them."""
        arrays = [f"{name}={array.dtype}{list(array.shape)}" for name, array in self.arrays.items()]
        return arrays + [f"{name}={value}" for name, value in self.scalars.items()]

    def outputs(self) -> list[dict[str, Any]]:
        """Return the arrays after the run, with their first elements as text."""
        return [
            {"name": name, "dtype": str(array.dtype), "shape": list(array.shape), "text": preview(array)}
            for name, array in self.arrays.items()
        ]


def prepare(source: SourceText, *, directive: str | None, kernel: str | None, soc: str, seed: int) -> DirectedRun:
    """Compile the kernel of a directive: the given text, or the first one of the file (for `kernel`).

    AscLensError when there is no such directive or kernel, or a value cannot be made.
    """
    tree = parse(source)
    if isinstance(tree, Diagnostic):
        raise AscLensError(f"{source.file}:{tree.span.line}: {tree.message}")
    with deep_recursion():
        module = StaticModule(source, tree)
        chosen = _choose(source, directive, kernel)
        found = _kernel(module, chosen)
        values = _Values(module)
        for name, node in chosen.values:
            values.add(name, node)
        instance = module.evaluate(chosen.target) if isinstance(chosen.target, ast.Call) else None
        launch = Launch(
            kwargs=tuple(values.known), core_num=values.cores, instance=instance, origin=Origin.RUN, span=chosen.span
        )
        compiled = finish(compile_kernel(found, launch, soc=soc, facts=False), soc=soc)
    generator = np.random.default_rng(seed)
    return DirectedRun(
        compiled=compiled,
        cores=values.cores,
        arrays={name: make(creation, generator) for name, creation in values.creations.items()},
        scalars=values.scalars,
    )


class _Values:
    """The values of a directive as the frontend wants them, and as the simulator does."""

    def __init__(self, module: StaticModule) -> None:
        self._module = module
        self.cores = 1
        self.known: list[tuple[str, KernelValue]] = []
        self.creations: dict[str, Creation] = {}
        self.scalars: dict[str, int | float | bool] = {}

    def add(self, name: str, node: ast.expr) -> None:
        creation = creation_of(node, self._constant)
        if creation is not None:
            self.creations[name] = creation
            self.known.append((name, HostArray(DType(creation.dtype), creation.shape)))
            return
        value = self._module.evaluate(node)
        constant = value.value if isinstance(value, StaticValue) else None
        if name == CORES:
            if not isinstance(constant, int) or constant < 1:
                raise AscLensError(f"`{CORES}={ast.unparse(node)}`: the number of cores is an integer of at least 1")
            self.cores = constant
            return
        if isinstance(constant, int | float):
            self.scalars[name] = constant
        self.known.append((name, value))

    def _constant(self, node: ast.expr) -> object:
        value = self._module.evaluate(node)
        items = value.items()
        if items is not None:
            return tuple(getattr(item, "value", None) for item in items)
        return getattr(value, "value", None)


def _choose(source: SourceText, directive: str | None, kernel: str | None) -> Directive:
    text = source if directive is None else SourceText(source.file, f"# asclens: run {directive}")
    found, problems = find_directives(text)
    runs = [item for item in found if item.kind == "run" and kernel in (None, target_name(item))]
    if runs:
        return runs[0]
    if problems:
        raise AscLensError(problems[0].message)
    wanted = f" for {kernel}" if kernel else ""
    raise AscLensError(
        f"{source.file} has no `# asclens: run` comment{wanted}",
        help=f"add one, for example `# asclens: run {kernel or 'Kernel(n=1024)'} x=rand(1024) y=zeros(1024)`",
    )


def _kernel(module: StaticModule, directive: Directive) -> KernelSource:
    name = target_name(directive)
    kernels = find_kernels(module)
    for kernel in kernels:
        if kernel.name == name:
            return kernel
    known = ", ".join(sorted({kernel.name for kernel in kernels})) or "none"
    raise AscLensError(f"{module.source.file} has no kernel {name!r}; kernels: {known}")
