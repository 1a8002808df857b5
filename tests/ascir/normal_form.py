# SPDX-License-Identifier: Apache-2.0
"""What a program does, in a form that two frontends can be compared in.

One line per op of the opset and per edge of control flow, in order. Operands are written as what
they are made of: parameters, literals, results of earlier lines, loop variables, and arithmetic on
them with casts left out and literals folded.
"""

from __future__ import annotations

from collections.abc import Iterator

from asclens_compiler.ascir.program import Block, Branch, Const, Loop, Node, Op, Operand, Program, Reg

Value = int | float | str
_CASTS = ("ext", "trunc", "sito", "uito", "fpto", "bitcast", "index_cast")
# The real IR leaves these to the C++ default or to the type.
_LEFT_OUT = frozenset({("sync_all_hard", "isAIVOnly"), ("sync_all_soft", "isAIVOnly"), ("ib_set", "isAIVOnly"),
                       ("ib_wait", "isAIVOnly"), ("tBufPool", "pos"), ("tensor_desc", "dtype"),
                       ("axpy_l2", "isSetMask")})  # fmt: skip
_RENAMED = {"gather_mask_fixed": "gather_mask"}


def lines(program: Program) -> list[str]:
    """Return the normal form of a program."""
    return _Writer(program).lines


class _Writer:
    def __init__(self, program: Program) -> None:
        self.lines: list[str] = []
        self._values: dict[int, Value] = {item.reg.index: f"p{n}" for n, item in enumerate(program.params)}
        self._loops = 0
        self._arrays: dict[int, tuple[Operand, ...]] = _constant_arrays(program.body)
        self._block(program.body)

    def _of(self, operand: Operand) -> Value:
        if isinstance(operand, Const):
            value = operand.value
            return int(value) if isinstance(value, bool) else value
        return self._values[operand.index]

    def _set(self, regs: tuple[Reg, ...], values: list[Value]) -> None:
        self._values.update({reg.index: value for reg, value in zip(regs, values, strict=True)})

    def _block(self, block: Block) -> None:
        for node in block.nodes:
            self._node(node)

    def _node(self, node: Node) -> None:
        if isinstance(node, Op):
            self._op(node)
            return
        self._loops += 1
        number = self._loops
        results = [f"r{number}.{k}" for k in range(len(node.results))]
        if isinstance(node, Loop):
            head = " ".join(str(self._of(item)) for item in (node.lower, node.upper, node.step))
            self.lines.append(f"for {head} from {self._joined(node.inits)}")
            self._set(
                (node.induction, *node.carried), [f"i{number}", *(f"c{number}.{k}" for k in range(len(node.carried)))]
            )
            self._block(node.body)
            self.lines.append(f"next {self._joined(node.yields)}")
        elif isinstance(node, Branch):
            self.lines.append(f"if {self._of(node.condition)}")
            self._block(node.then)
            self.lines.append(f"else {self._joined(node.then_yields)}")
            self._block(node.orelse)
            self.lines.append(f"end {self._joined(node.else_yields)}")
        else:
            self.lines.append(f"while {self._joined(node.inits)}")
            self._set(node.carried, [f"c{number}.{k}" for k in range(len(node.carried))])
            self._block(node.before)
            self.lines.append(f"do {self._of(node.condition)} {self._joined(node.passed)}")
            self._set(node.body_args, [f"b{number}.{k}" for k in range(len(node.body_args))])
            self._block(node.body)
            self.lines.append(f"next {self._joined(node.yields)}")
        self._set(node.results, results)

    def _joined(self, operands: tuple[Operand, ...]) -> str:
        return ", ".join(str(self._of(item)) for item in operands)

    def _op(self, op: Op) -> None:
        if op.name.startswith(("arith.", "math.")):
            self._set(op.results, [self._scalar(op)])
            return
        if self._is_folded(op):
            return
        name = f"#{len(self.lines)}"
        flat: list[str] = []
        for item in op.operands:
            if isinstance(item, tuple):
                flat += [str(self._of(part)) for part in item]
            elif item is not None:
                flat.append(str(self._of(item)))
        attrs = [
            f"{key}={value}"
            for key, value in op.attrs
            if value not in ("", False, ())
            and (op.name, key) not in _LEFT_OUT
            and not (key == "dtype" and str(op.attr("type")).startswith("Aipp"))
        ]
        self.lines.append(f"{_RENAMED.get(op.name, op.name)}({', '.join(flat)}) {' '.join(attrs)}".lower().rstrip())
        self._set(op.results, [f"{name}.{k}" for k in range(len(op.results))])

    def _is_folded(self, op: Op) -> bool:
        """Take an element of an array that never changes for what it was made of; tell whether this did."""
        if op.name == "array_load" and isinstance(op.operands[0], Reg) and op.operands[0].index in self._arrays:
            place = op.operands[1]
            assert isinstance(place, Const)
            self._set(op.results, [self._of(self._arrays[op.operands[0].index][int(place.value)])])
            return True
        return op.name == "array" and op.results[0].index in self._arrays

    def _scalar(self, op: Op) -> Value:
        name = op.name.partition(".")[2]
        values = [self._of(item) for item in op.operands if not isinstance(item, tuple) and item is not None]
        if name.startswith(_CASTS):
            return values[0]
        predicate = str(op.attr("predicate") or "")
        if name in ("cmpi", "cmpf") and predicate in ("ne", "une") and values[1] == 0:
            return values[0]  # the truth of a number, which real pyasc writes as a truncation
        folded = _fold(name, predicate, values)
        return folded if folded is not None else f"{name}{predicate}({', '.join(map(str, values))})"


def _constant_arrays(body: Block) -> dict[int, tuple[Operand, ...]]:
    """Return the elements of the arrays that only loads at known places use."""
    arrays: dict[int, tuple[Operand, ...]] = {}
    used: set[int] = set()
    for op in _ops(body):
        if op.name == "array" and isinstance(op.operands[0], tuple):
            arrays[op.results[0].index] = op.operands[0]
        for position, item in enumerate(op.operands):
            known = op.name == "array_load" and position == 0 and isinstance(op.operands[1], Const)
            parts = item if isinstance(item, tuple) else (item,)
            used |= {part.index for part in parts if isinstance(part, Reg) and not known}
    return {index: items for index, items in arrays.items() if index not in used}


def _ops(block: Block) -> Iterator[Op]:
    for node in block.nodes:
        if isinstance(node, Op):
            yield node
            continue
        parts = (node.body,) if isinstance(node, Loop) else (
            (node.then, node.orelse) if isinstance(node, Branch) else (node.before, node.body)
        )  # fmt: skip
        for part in parts:
            yield from _ops(part)


def _fold(name: str, predicate: str, values: list[Value]) -> Value | None:
    if any(isinstance(value, str) for value in values):
        return None
    left, right = (*values, 0)[:2]
    assert not isinstance(left, str)
    assert not isinstance(right, str)
    compare = {"eq": left == right, "ne": left != right, "slt": left < right, "sle": left <= right,
               "sgt": left > right, "sge": left >= right}  # fmt: skip
    if name in ("cmpi", "cmpf"):
        found = compare.get(predicate)
        return None if found is None else int(found)
    if name in ("divsi", "remsi") and right and isinstance(left, int) and isinstance(right, int):
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        return quotient if name == "divsi" else left - quotient * right
    table = {"addi": left + right, "subi": left - right, "muli": left * right, "addf": left + right,
             "subf": left - right, "mulf": left * right}  # fmt: skip
    return table.get(name)
