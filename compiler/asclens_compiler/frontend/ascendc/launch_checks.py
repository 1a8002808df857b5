# SPDX-License-Identifier: Apache-2.0
"""Launch sites of Ascend C-level kernels: arguments against parameters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from asclens_compiler.diagnostics.model import Diagnostic
from asclens_compiler.frontend.ascendc.entry import CODEGEN_OPTIONS, COMPILE_OPTIONS, bind_launch
from asclens_compiler.frontend.dtypes import DTypeValue
from asclens_compiler.frontend.enums import EnumValue
from asclens_compiler.frontend.hostvalues import HostArray
from asclens_compiler.frontend.parameters import parameters
from asclens_compiler.frontend.rules import block_count, block_count_high, launch_argument, toolchain_bfloat16
from asclens_compiler.frontend.static import SequenceValue, StaticValue
from asclens_compiler.frontend.values import KernelValue
from asclens_compiler.hardware.chips import targets
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.source.span import Span

if TYPE_CHECKING:
    from asclens_compiler.frontend.surfaces import KernelSource, Launch


def launch_findings(kernel: KernelSource, launch: Launch) -> Iterator[Diagnostic]:
    """Yield what the launcher refuses or cuts among the arguments of a launch site."""
    span = launch.span
    if span is None:
        return
    yield from _block_count(launch.core_num, span)
    rows = parameters(kernel.node, kernel.module)
    by_name = {row.name: row for row in rows}
    if len(launch.args) > len(rows):
        yield launch_argument.report_count(kernel.name, len(rows), len(launch.args), span)
    given = bind_launch(kernel, launch)
    for name, _ in launch.kwargs:
        if name not in by_name and name not in (*CODEGEN_OPTIONS, *COMPILE_OPTIONS):
            yield launch_argument.report_keyword(kernel.name, name, span)
    missing = [row.name for row in rows if row.name not in given]
    if missing and not launch.open_ended:
        yield launch_argument.report_missing(kernel.name, missing, span)
    for name, value in given.items():
        if by_name[name].constexpr:
            continue
        if isinstance(value, StaticValue) and isinstance(value.value, int) and not -(2**31) <= value.value < 2**31:
            yield launch_argument.report_wraps(name, value.value, span)
        elif isinstance(value, HostArray) and value.dtype is DType.BFLOAT16:
            yield toolchain_bfloat16.report(name, span)
        elif _not_passable(value):
            yield launch_argument.report_type(name, value.describe(), span)


def _block_count(count: int | None, span: Span) -> Iterator[Diagnostic]:
    if count is None:
        return
    cores = max(target.aiv for target in targets().values())
    if not block_count.LEAST <= count <= block_count.MOST:
        yield block_count.RULE.report(span, count=count, least=block_count.LEAST, most=block_count.MOST)
    elif count > block_count_high.MANY_ROUNDS * cores:
        yield block_count_high.RULE.report(span, count=count, cores=cores, rounds=-(-count // cores))


def _not_passable(value: KernelValue) -> bool:
    if isinstance(value, StaticValue):
        return not isinstance(value.value, int | float)
    return isinstance(value, SequenceValue | DTypeValue | EnumValue)
