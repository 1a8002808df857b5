# SPDX-License-Identifier: Apache-2.0
"""Program -> Ascend C text: one statement per op, a `#line` before each, names from Python.

The same program always gives the same text. `EmittedKernel.lines` maps every statement back to its
Python range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from asclens_compiler.ascir.dialect import op_shapes
from asclens_compiler.ascir.program import Block, Branch, Const, Loop, Node, Op, Operand, Program, Reg, While
from asclens_compiler.ascir.types import AscType, HandleType
from asclens_compiler.backends.ascendc import cpp_types, scalars, structs
from asclens_compiler.backends.ascendc.forms import DECLARATIONS, MARKERS
from asclens_compiler.backends.ascendc.names import Names
from asclens_compiler.backends.ascendc.statement import INLINE_LISTS, CallWriter
from asclens_compiler.errors import AscLensError
from asclens_compiler.hardware.dtypes import DType
from asclens_compiler.opset.model import OpRow
from asclens_compiler.opset.registry import opset
from asclens_compiler.source.span import NOWHERE, Span

_HEADER = '#include "kernel_operator.h"'
_INDENT = "  "
_RETURNED_BY_REFERENCE = frozenset({"gather_mask", "gather_mask_fixed"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LineOrigin:
    """Say which Python range a line of the text comes from; lines count from 1."""

    line: int
    span: Span


@dataclass(frozen=True, slots=True, kw_only=True)
class EmittedKernel:
    """Hold the text of one kernel and where its lines come from."""

    kernel: str
    text: str
    lines: tuple[LineOrigin, ...]

    def origin(self, line: int) -> Span | None:
        """Return the Python range of an output line, None for lines that stand for no statement."""
        found = next((item for item in self.lines if item.line == line), None)
        return found.span if found is not None else None


def emit(program: Program, *, line_directives: bool = True) -> EmittedKernel:
    """Return the Ascend C text of a program whose staged macros are expanded.

    Raises AscLensError when element types are known only to a launch, InternalError for an op that
    has no Ascend C form.
    """
    unknown = [item.name for item in program.params if getattr(item.type, "dtype", None) is DType.UNKNOWN]
    if unknown or any(getattr(item, "dtype", None) is DType.UNKNOWN for item in program.reg_types):
        raise AscLensError(
            f"{program.kernel} has no Ascend C text: the element type of {', '.join(unknown) or 'a tensor'} "
            "is known only to a launch.",
            help="Launch the kernel in the file, or add a line such as `# asclens: assume x=float16[1024]`.",
        )
    return _Emitter(program, line_directives).kernel()


class _Emitter:
    def __init__(self, program: Program, line_directives: bool) -> None:
        self._program = program
        self._names = Names(program)
        self._directives = line_directives
        self._out: list[str] = []
        self._origins: list[LineOrigin] = []
        self._depth = 1
        self._arrays: dict[tuple[int, int], str] = {}

    def kernel(self) -> EmittedKernel:
        program = self._program
        params = [f"{self._param_type(item.type)} {self._names.of(item.reg)}" for item in program.params]
        params.append("__gm__ uint64_t* ffts_addr")
        self._out += [_HEADER, ""]
        self._line(
            f'extern "C" __global__ __aicore__ void {program.kernel}({", ".join(params)}) {{', program.span, depth=0
        )
        self._line("set_ffts_base_addr(*ffts_addr);", program.span)
        self._block(program.body)
        self._out.append("}")
        return EmittedKernel(kernel=program.kernel, text="\n".join(self._out) + "\n", lines=tuple(self._origins))

    # Text

    def _line(self, text: str, span: Span, depth: int | None = None) -> None:
        if self._directives and span is not NOWHERE and span.file:
            self._out.append(f"#line {span.line} {cpp_types.text_literal(span.file)}")
        self._out.append(_INDENT * (self._depth if depth is None else depth) + text)
        if span is not NOWHERE:
            self._origins.append(LineOrigin(line=len(self._out), span=span))

    def _plain(self, text: str) -> None:
        self._out.append(_INDENT * self._depth + text)

    def _param_type(self, type_: AscType) -> str:
        if isinstance(type_, HandleType):
            return "__gm__ uint8_t*"
        return cpp_types.type_name(type_)

    def _text(self, operand: Operand) -> str:
        return cpp_types.literal(operand) if isinstance(operand, Const) else self._names.of(operand)

    def _type_of(self, operand: Operand) -> AscType:
        return operand.type if isinstance(operand, Const) else self._program.reg_types[operand.index]

    def _declared(self, reg: Reg) -> str:
        return f"{cpp_types.type_name(self._program.reg_types[reg.index])} {self._names.of(reg)}"

    # Nodes

    def _block(self, block: Block) -> None:
        for node in block.nodes:
            self._node(node)

    def _node(self, node: Node) -> None:
        match node:
            case Op():
                self._op(node)
            case Loop():
                self._loop(node)
            case Branch():
                self._branch(node)
            case While():
                self._while(node)

    def _carry(self, regs: Sequence[Reg], inits: Sequence[Operand], results: Sequence[Reg], span: Span) -> None:
        """Declare the variables that a loop carries; the results live in them too."""
        for reg, init, result in zip(regs, inits, results, strict=True):
            self._line(f"{self._declared(reg)} = {self._text(init)};", span)
            self._names.share(result, self._names.of(reg))

    def _assign(self, targets: Sequence[Reg], values: Sequence[Operand], span: Span) -> None:
        """Assign in parallel: a value that an earlier target overwrites is kept aside first."""
        pairs = [
            (self._names.of(target), self._text(value), target)
            for target, value in zip(targets, values, strict=True)
            if self._names.of(target) != self._text(value)
        ]
        written: set[str] = set()
        late: list[str] = []
        for name, value, target in pairs:
            if value in written or any(value == other for other, _, _ in pairs if other != name):
                kept = self._names.fresh(f"next_{name}")
                type_ = cpp_types.type_name(self._program.reg_types[target.index])
                self._line(f"{type_} {kept} = {value};", span)
                late.append(f"{name} = {kept};")
            else:
                late.append(f"{name} = {value};")
            written.add(name)
        for statement in late:
            self._line(statement, span)

    def _loop(self, node: Loop) -> None:
        self._carry(node.carried, node.inits, node.results, node.span)
        index = self._names.of(node.induction)
        self._line(
            f"for ({self._declared(node.induction)} = {self._text(node.lower)}; {index} < {self._text(node.upper)}; "
            f"{index} += {self._text(node.step)}) {{",
            node.span,
        )
        self._depth += 1
        self._block(node.body)
        self._assign(node.carried, node.yields, node.span)
        self._depth -= 1
        self._plain("}")

    def _branch(self, node: Branch) -> None:
        for result in node.results:
            self._line(f"{self._declared(result)};", node.span)
        self._line(f"if ({self._text(node.condition)}) {{", node.span)
        self._depth += 1
        self._block(node.then)
        self._assign(node.results, node.then_yields, node.span)
        self._depth -= 1
        if node.orelse.nodes or node.results:
            self._plain("} else {")
            self._depth += 1
            self._block(node.orelse)
            self._assign(node.results, node.else_yields, node.span)
            self._depth -= 1
        self._plain("}")

    def _while(self, node: While) -> None:
        self._carry(node.carried, node.inits, node.results, node.span)
        self._line("while (true) {", node.span)
        self._depth += 1
        self._block(node.before)
        for argument, passed, result in zip(node.body_args, node.passed, node.results, strict=True):
            self._names.share(argument, self._text(passed))
            del result
        self._line(f"if (!({self._text(node.condition)})) {{", node.span)
        self._depth += 1
        self._assign(node.carried, node.passed, node.span)
        self._line("break;", node.span)
        self._depth -= 1
        self._plain("}")
        self._block(node.body)
        self._assign(node.carried, node.yields, node.span)
        self._depth -= 1
        self._plain("}")

    # Ops

    def _op(self, op: Op) -> None:
        shape = op_shapes().get(op.name)
        if shape is None:
            self._scalar(op)
            return
        row = shape.row
        if MARKERS.fullmatch(row.name):
            self._line(f"// {row.name} {op.attr('unit') or ''}".rstrip(), op.span)
        elif row.name == "construct":
            self._construct(op)
        elif row.name in DECLARATIONS:
            self._line(f"{self._declared(op.results[0])};", op.span)
        elif row.name in _SPECIAL:
            _SPECIAL[row.name](self, op)
        else:
            self._call(op, row)

    def _scalar(self, op: Op) -> None:
        operands = [item for item in op.operands if item is not None and not isinstance(item, tuple)]
        (result,) = op.results
        source = self._type_of(operands[0])
        value = scalars.expression(
            op, [self._text(item) for item in operands], source, self._program.reg_types[result.index]
        )
        self._line(f"{self._declared(result)} = {value};", op.span)

    def _construct(self, op: Op) -> None:
        (result,) = op.results
        made = structs.construct(op, self._names.of(result), self._text, self._names.fresh)
        for statement in made.before:
            self._line(statement, op.span)
        self._line(made.declaration, op.span)

    def _array(self, op: Op) -> None:
        (result,) = op.results
        values = op.operands[0] if isinstance(op.operands[0], tuple) else ()
        dtype = cpp_types.dtype(DType(str(op.attr("dtype"))))
        items = ", ".join(self._text(item) for item in values)
        self._line(f"{dtype} {self._names.of(result)}[{len(values)}] = {{{items}}};", op.span)

    def _copy_struct(self, op: Op) -> None:
        """Copy a struct from global memory byte by byte: scalar code cannot read it in place."""
        (result,) = op.results
        name, (base, *_) = self._names.of(result), op.operands
        assert base is not None
        assert not isinstance(base, tuple)
        self._line(f"{self._declared(result)};", op.span)
        self._line(f"for (size_t i = 0; i < sizeof({name}); i++) {{", op.span)
        source = f"reinterpret_cast<__gm__ uint8_t*>({self._text(base)})[i]"
        self._depth += 1
        self._line(f"reinterpret_cast<uint8_t*>(&{name})[i] = {source};", op.span)
        self._depth -= 1
        self._plain("}")

    def _call(self, op: Op, row: OpRow) -> None:
        self._lists(op, row)
        result = op.results[0] if op.results else None
        type_ = self._program.reg_types[result.index] if result is not None else None
        name = self._names.of(result) if result is not None else ""
        writer = CallWriter(
            op, row, text=self._text, type_of=self._type_of, list_name=lambda i: self._arrays[op.index, i], result=name
        )
        text = writer.write(type_)
        if result is None:
            self._line(f"{text};", op.span)
        elif row.name in _RETURNED_BY_REFERENCE:
            self._line(f"{self._declared(result)};", op.span)
            self._line(f"{text};", op.span)
        elif len(op.results) > 1:
            for item in op.results:
                self._line(f"{self._declared(item)};", op.span)
            outs = ", ".join(self._names.of(item) for item in op.results)
            self._line(f"AscendC::{row.cpp}({outs});", op.span)
        elif row.name == "mrg_sort_src_list":
            self._line(f"{text.partition('{')[0]} {name}{{{text.partition('{')[2]};", op.span)
        else:
            self._line(f"{self._declared(result)} = {text};", op.span)

    def _lists(self, op: Op, row: OpRow) -> None:
        """Put each variadic operand into an array of its own before the call."""
        if row.name in INLINE_LISTS:
            return
        for index, (operand, value) in enumerate(zip(row.operands, op.operands, strict=True)):
            if not operand.variadic or not isinstance(value, tuple):
                continue
            if not value:
                self._arrays[op.index, index] = ""
                continue
            first = self._type_of(value[0])
            mask = operand.name.lower().endswith("mask")
            dtype = "uint64_t" if mask else cpp_types.type_name(first)
            array = self._names.fresh(f"{operand.name}_list")
            self._arrays[op.index, index] = array
            items = ", ".join(self._text(item) for item in value)
            self._line(f"{dtype} {array}[] = {{{items}}};", op.span)

    def _allocator(self, op: Op) -> None:
        memory = cpp_types.enum_member("Hardware", str(op.attr("hardware")))
        self._line(f"AscendC::LocalMemAllocator<{memory}> {self._names.of(op.results[0])};", op.span)


_SPECIAL = {
    "local_mem_allocator": _Emitter._allocator,  # pyright: ignore[reportPrivateUsage]
    "array": _Emitter._array,  # pyright: ignore[reportPrivateUsage]
    "copy_struct": _Emitter._copy_struct,  # pyright: ignore[reportPrivateUsage]
}


def can_emit(name: str) -> bool:
    """Tell whether an op has an Ascend C form; ops that a pass expands first have none."""
    row = opset().ops.get(name)
    return row is not None and (bool(row.cpp) or name in _SPECIAL or MARKERS.fullmatch(name) is not None)
