# SPDX-License-Identifier: Apache-2.0
"""From a file's text to its kernels: find them, find their launches, compile each."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections import Counter
from collections.abc import Container, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.errors import AscLensError
from asclens_compiler.frontend.asc_names import neutral_surface
from asclens_compiler.frontend.ascendc.launch_checks import launch_findings
from asclens_compiler.frontend.compile import compile_kernel, describe_configuration, describe_launch
from asclens_compiler.frontend.directives import Directive, find_directives
from asclens_compiler.frontend.fingerprint import fingerprint
from asclens_compiler.frontend.functions import FunctionValue
from asclens_compiler.frontend.launches import assumed_launch, directed_launches, find_launches
from asclens_compiler.frontend.module import StaticModule, definition_span
from asclens_compiler.frontend.recorded import ReadFile, RecordReader
from asclens_compiler.frontend.result import FileAnalysis, KernelResult
from asclens_compiler.frontend.rules import syntax_error
from asclens_compiler.frontend.staged.instances import InstanceValue
from asclens_compiler.frontend.static import StaticValue
from asclens_compiler.frontend.surfaces import KernelSource, Launch, Origin, surface_named, surfaces
from asclens_compiler.frontend.values import POISON, KernelValue
from asclens_compiler.source.span import Span
from asclens_compiler.source.text import SourceText

DEFAULT_SOC = "Ascend910B1"
MAX_SPECIALISATIONS = 4
_CALLED = re.compile(r"(?<![.\w])(\w+)\s*\(")
Callers = Mapping[str, Sequence[KernelSource]]
_RETURNS_VALUE = re.compile(r"^\s*return\s+\S", re.MULTILINE)
# A file that never names the facade cannot hold kernels.
_USES_ASC = re.compile(r"\basc\b")
# The walk uses a few Python frames per nesting level of the source (`walker.MAX_NESTING` levels).
_RECURSION_LIMIT = 20_000


def analyse_file(
    source: SourceText, *, soc: str = DEFAULT_SOC, facts: bool = False, known: Container[str] = ()
) -> FileAnalysis:
    """Check every kernel of a file for each launch that the file shows; executes nothing of it.

    A file that does not use the facade gives nothing. Text that does not parse gives one diagnostic.
    Kernels whose fingerprint is `known` are not compiled: the caller has their result already.
    """
    if not _USES_ASC.search(source.text):
        return FileAnalysis(file=source.file, kernels=(), diagnostics=())
    parsed = parse(source)
    if isinstance(parsed, Diagnostic):
        return FileAnalysis(file=source.file, kernels=(), diagnostics=(parsed,))
    with deep_recursion():
        return _analyse(StaticModule(source, parsed), soc, facts, known)


def parse(source: SourceText) -> ast.Module | Diagnostic:
    """Return the syntax tree, or what is wrong with the text."""
    try:
        with deep_recursion(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python warns about in the user's text is not ours to print
            return ast.parse(source.text)
    except SyntaxError as error:
        return syntax_error.report(source, error)
    except (ValueError, RecursionError, MemoryError) as error:
        return syntax_error.report_unreadable(source, error)


@contextmanager
def deep_recursion() -> Generator[None]:
    """Allow the recursion that `walker.MAX_NESTING` levels of nesting need."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def find_kernels(module: StaticModule) -> list[KernelSource]:
    """Return the kernels of all surfaces in source order."""
    found = [kernel for surface in surfaces() for kernel in surface.find_kernels(module)]
    return sorted(found, key=lambda kernel: (kernel.span.line, kernel.span.column))


def _analyse(module: StaticModule, soc: str, facts: bool, known: Container[str]) -> FileAnalysis:
    kernels = find_kernels(module)
    file = module.source.file
    if not kernels:
        return FileAnalysis(file=file, kernels=(), diagnostics=())
    directives, problems = find_directives(module.source)
    launches, wrong = find_launches(module, neutral_surface())
    wrong = [item for item in wrong if not any(_is_staged_code(kernel, item.span) for kernel in kernels)]
    results: list[KernelResult] = []
    callers = _callers(kernels)
    wrong += [item for kernel in kernels for item in _site_findings(kernel, launches)]
    for kernel in kernels:
        for launch in _launches_of(kernel, launches, directives, callers):
            label = launch.label or describe_launch(kernel, launch)
            mark = fingerprint(kernel, launch, label, soc=soc, facts=facts)
            if mark in known:
                results.append(_reused(kernel, launch, label, mark))
            else:
                results.append(replace(compile_kernel(kernel, launch, soc=soc, facts=facts), fingerprint=mark))
    return FileAnalysis(
        file=file,
        kernels=tuple(results),
        diagnostics=(*problems, *wrong, *(item for result in results for item in result.diagnostics)),
        facts=tuple(item for result in results for item in result.facts),
    )


def _reused(kernel: KernelSource, launch: Launch, label: str, mark: str) -> KernelResult:
    return KernelResult(
        kernel=kernel.name, surface=kernel.surface.name, span=kernel.span, unit=None, diagnostics=(),
        specialisation=label, origin=launch.origin.value, core_num=launch.core_num, fingerprint=mark, reused=True,
    )  # fmt: skip


def _is_staged_code(kernel: KernelSource, span: Span) -> bool:
    """Tell whether a place lies in a staged kernel, whose undecorated text looks like host code."""
    node = kernel.owner if kernel.owner is not None else kernel.node
    last = node.end_lineno if node.end_lineno is not None else node.lineno
    return kernel.surface.name == "staged" and node.lineno <= span.line <= last


def _site_findings(kernel: KernelSource, launches: Sequence[tuple[ast.AST, Launch]]) -> Iterator[Diagnostic]:
    """Yield what is wrong with the launch sites of an Ascend C-level kernel."""
    if kernel.surface.name == "ascendc":
        for node, launch in launches:
            if node is kernel.node:
                yield from launch_findings(kernel, launch)


def _launches_of(
    kernel: KernelSource,
    launches: Sequence[tuple[ast.AST, Launch]],
    directives: Sequence[Directive],
    callers: Callers,
) -> list[Launch]:
    """Return the launches to check a kernel for, each specialisation once."""
    found: dict[tuple[str, str], Launch] = {}
    made = [launch for node, launch in launches if node is kernel.node or node is kernel.owner]
    for launch in (*made, *directed_launches(kernel, directives)):
        found.setdefault((describe_launch(kernel, launch), describe_configuration(launch.instance)), launch)
    assumed = assumed_launch(kernel, directives)
    if assumed is not None and not any(launch_is_known(launch) for launch in found.values()):
        found = {("", ""): assumed}
    known = {label: launch for label, launch in found.items() if launch_is_known(launch)}
    found = known or found
    if not found:
        return [] if is_helper(kernel, callers) else [Launch()]
    labels = Counter(label for label, _ in found)
    chosen = list(found.items())[:MAX_SPECIALISATIONS]
    return [
        replace(launch, label=", ".join(filter(None, (configuration, label)))) if labels[label] > 1 else launch
        for (label, configuration), launch in chosen
    ]


def launch_is_known(launch: Launch) -> bool:
    """Tell whether every argument of a launch is known."""
    return POISON not in launch.args and all(value is not POISON for _, value in launch.kwargs)


def is_helper(kernel: KernelSource, callers: Callers) -> bool:
    """Tell whether a function that is never launched is called by kernels or returns a value."""
    if kernel.surface.name != "ascendc":
        return False
    if _RETURNS_VALUE.search(_text(kernel)) and any(
        isinstance(node, ast.Return) and node.value is not None for node in ast.walk(kernel.node)
    ):
        return True
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == kernel.name
        for other in callers.get(kernel.name, ())
        if other.node is not kernel.node
        for node in ast.walk(other.node)
    )


def _callers(kernels: Sequence[KernelSource]) -> Callers:
    """Return, per name, the kernels whose text looks as if they called it."""
    found: dict[str, list[KernelSource]] = {}
    for kernel in kernels:
        for name in set(_CALLED.findall(_text(kernel))):
            found.setdefault(name, []).append(kernel)
    return found


def _text(kernel: KernelSource) -> str:
    return "\n".join(kernel.module.source.lines[kernel.node.lineno - 1 : kernel.node.end_lineno])


def compile_launch(record: Mapping[str, Any], *, read_file: ReadFile) -> KernelResult:
    """Compile the kernel of a launch record for the arguments it was launched with.

    `read_file` returns the text of a file. Raises AscLensError when a file cannot be read or changed.
    """
    reader = RecordReader(read_file, _parse_or_raise)
    with deep_recursion():
        kernel, launch = recorded_launch(reader, record)
        return compile_kernel(kernel, launch, soc=record.get("soc") or DEFAULT_SOC, facts=False)


def _parse_or_raise(source: SourceText) -> ast.Module:
    parsed = parse(source)
    if isinstance(parsed, Diagnostic):
        raise AscLensError(f"{source.file} does not parse: {parsed.message}")
    return parsed


def recorded_launch(reader: RecordReader, record: Mapping[str, Any]) -> tuple[KernelSource, Launch]:
    """Return the kernel and the launch of a record."""
    described = record["kernel"]
    surface = surface_named(described["surface"])
    args, kwargs = reader.arguments(record["args"])
    options = tuple((name, _option(value)) for name, value in record.get("options", {}).items())
    instance: KernelValue | None = None
    owner: ast.ClassDef | None = None
    if "function" in described:
        function = reader.function(described["function"], jit=described["surface"] == "ascendc")
        node, module, name = function.node, function.module, function.node.name
        qualname = described["function"]["qualname"]
    else:
        cls = reader.cls(described["instance"]["class"])
        entry = described["instance"]["entry"]
        attrs = {key: reader.value(value) for key, value in described["instance"]["attrs"].items()}
        operator = InstanceValue(cls, attrs)
        found = operator.method(entry)
        if not isinstance(found, FunctionValue):
            raise AscLensError(f"{cls.describe()} has no method {entry}")
        node, module, owner, name, instance = found.node, found.module, cls.node, cls.name, operator
        qualname = f"{described['instance']['class']['qualname']}.{entry}"
    inherited = owner is not None and not any(item is node for item in owner.body)
    kernel = KernelSource(
        name=name, qualname=qualname, surface=surface, node=node, module=module, owner=owner,
        span=definition_span(module.source, owner if owner is not None and not inherited else node),
    )  # fmt: skip
    launch = Launch(
        args=args, kwargs=kwargs, core_num=record["core_num"], options=options, instance=instance, origin=Origin.RECORD
    )
    return kernel, launch


def _option(value: object) -> KernelValue:
    if value is None or isinstance(value, bool | int | float | str):
        return StaticValue(value)
    return POISON
