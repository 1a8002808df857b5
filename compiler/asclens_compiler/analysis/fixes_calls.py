# SPDX-License-Identifier: Apache-2.0
"""Changes to operands of calls, and to calls of queues."""

from __future__ import annotations

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes import Fixes, one, ops_of, value_of
from asclens_compiler.analysis.verifier.findings import Finding
from asclens_compiler.ascir.program import Const, Reg
from asclens_compiler.diagnostics.model import Applicability, Fix


def _replace_number(item: Finding, context: AnalysisContext, old: int, new: int, title: str) -> Fixes:
    text = context.statements.call(item.op.span)
    part = text.literal(old) if text is not None else None
    if text is None or part is None:
        return ()
    return one(title, Applicability.UNSAFE, text.replace(part, str(new)))


def _number(item: Finding, name: str) -> int | None:
    """Return the first number in a value's text."""
    digits = str(value_of(item, name)).split(" ")[0].split("..")[0]
    return int(digits) if digits.lstrip("-").isdigit() else None


def fix_partial_block(item: Finding, context: AnalysisContext) -> Fixes:
    """Copy whole blocks."""
    count = _operand_number(item, context, "calCount")
    found = _number(item, "found")
    if not count or not found:
        return ()
    element = found // count
    rounded = -(-found // 32) * 32 // element if element else 0
    return _replace_number(item, context, count, rounded, f"Copy {rounded} elements")


def fix_out_of_bounds(item: Finding, context: AnalysisContext) -> Fixes:
    """Work on as many elements as the tensor has."""
    allowed, element = _number(item, "allowed"), value_of(item, "element")
    if allowed is None or not isinstance(element, int) or not element:
        return ()
    for name in ("calCount", "index"):
        count = _operand_number(item, context, name)
        if count is not None:
            most = allowed // element - (1 if name == "index" else 0)
            return _replace_number(item, context, count, most, f"Use {most}") if most >= 0 else ()
    return ()


def _operand_number(item: Finding, context: AnalysisContext, name: str) -> int | None:
    row = context.row(item.op)
    if row is None or name not in {operand.name for operand in row.operands}:
        return None
    operand = item.op.operands[row.operand_index(name)]
    return int(operand.value) if isinstance(operand, Const) else None


def fix_mask_range(item: Finding, context: AnalysisContext) -> Fixes:
    """Use the nearest value that is allowed."""
    found = _number(item, "found")
    low, _, high = str(value_of(item, "allowed")).partition("..")
    if found is None or not high.lstrip("-").isdigit():
        return ()
    nearest = min(max(found, int(low)), int(high))
    return _replace_number(item, context, found, nearest, f"Use {nearest}")


def fix_value_range(item: Finding, context: AnalysisContext) -> Fixes:
    """Show the nearest value that is allowed; what it means for the rest is for the author to say."""
    shown = Applicability.DISPLAY_ONLY
    return tuple(Fix(title=fix.title, applicability=shown, edits=fix.edits) for fix in fix_mask_range(item, context))


def fix_buffer_length(item: Finding, context: AnalysisContext) -> Fixes:
    """Write the rounded length."""
    found, rounded = value_of(item, "found"), value_of(item, "rounded")
    if not isinstance(found, int) or not isinstance(rounded, int):
        return ()
    return _replace_number(item, context, found, rounded, f"Use {rounded}")


def fix_memory_full(item: Finding, context: AnalysisContext) -> Fixes:
    """Use the largest buffers that fit."""
    fits = value_of(item, "fits")
    length = item.op.operands[-1]
    if not isinstance(fits, int) or fits <= 0 or not isinstance(length, Const):
        return ()
    return _replace_number(item, context, int(length.value), fits, f"Use {fits} bytes")


def fix_not_freed(item: Finding, context: AnalysisContext) -> Fixes:
    """Free the tensor after its last use."""
    queue, register = item.op.operands[0], item.op.results[0] if item.op.results else None
    if not isinstance(queue, Reg) or register is None or value_of(item, "state") == "enqueued":
        return ()
    names = [context.program.names.get(reg.index, ()) for reg in (queue, register)]
    if not all(names):
        return ()
    uses = [op for op in ops_of(context) if register in op.operands or op is item.op]
    if any(op.name == "que_bind_free_tensor" for op in uses):
        return ()
    line = f"{names[0][0]}.free_tensor({names[1][0]})"
    return one("Free it after its last use", Applicability.UNSAFE, context.statements.insert_after(uses[-1].span, line))


def fix_nothing_queued(item: Finding, context: AnalysisContext) -> Fixes:
    """Enqueue the tensor that was allocated."""
    queue = item.op.operands[0]
    if not item.others or not isinstance(queue, Reg) or not item.others[0][0].results:
        return ()
    held = item.others[0][0].results[0]
    names = [context.program.names.get(reg.index, ()) for reg in (queue, held)]
    queued = any(op.name.startswith("que_bind_enque") and held in op.operands for op in ops_of(context))
    if queued or not all(names):
        return ()
    line = f"{names[0][0]}.enque({names[1][0]})"
    return one("Enqueue it before", Applicability.UNSAFE, context.statements.insert_before(item.op.span, line))


def fix_wrong_queue(item: Finding, context: AnalysisContext) -> Fixes:
    """Name the queue that the tensor comes from."""
    text = context.statements.call(item.op.span)
    owner = str(value_of(item, "owner")).strip("`")
    if text is None or not text.prefix() or not owner.isidentifier():
        return ()
    function = text.node.func
    part = getattr(function, "value", None)
    return one(f"Use {owner}", Applicability.UNSAFE, text.replace(part, owner)) if part is not None else ()


def fix_cast_mode(item: Finding, context: AnalysisContext) -> Fixes:
    """Use the first round mode that the cast has."""
    text = context.statements.call(item.op.span)
    modes = str(value_of(item, "allowed")).split(", ")
    part = text.argument(2, "round_mode") if text is not None else None
    if text is None or part is None or not modes[0].startswith("CAST_"):
        return ()
    best = next((mode for mode in ("CAST_NONE", "CAST_RINT") if mode in modes), modes[0])
    written = text.source.excerpt(text.source.span(part))
    return one(f"Use {best}", Applicability.UNSAFE, text.replace(part, f"{written.rpartition('.')[0]}.{best}"))
