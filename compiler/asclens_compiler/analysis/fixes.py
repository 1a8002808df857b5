# SPDX-License-Identifier: Apache-2.0
"""Changes that take findings away."""

from __future__ import annotations

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.verifier.findings import Fault, Finding
from asclens_compiler.ascir.program import Branch, Const, Loop, Op, Reg
from asclens_compiler.diagnostics.model import Applicability, Edit, Fix

FREE_IDS = (0, 1, 2, 3, 4, 5)
Fixes = tuple[Fix, ...]


def value_of(item: Finding, name: str) -> object:
    """Return a value that a finding carries."""
    return dict(item.values).get(name)


def one(title: str, applicability: Applicability, *edits: Edit | None) -> Fixes:
    """Return a fix when all its edits could be made."""
    made = tuple(edit for edit in edits if edit is not None)
    if len(made) < len(edits) or not made:
        return ()
    return (Fix(title=title, applicability=applicability, edits=made),)


def _module(context: AnalysisContext) -> str:
    """Return how the kernel's file names pyasc, with the dot."""
    text = context.source.text if context.source is not None else ""
    for line in text.splitlines():
        if line.startswith("import asc as "):
            return f"{line.split()[3]}."
    return "asc."


def _ops(context: AnalysisContext) -> list[Op]:
    return [node for node in context.program.walk() if isinstance(node, Op)]


def _free_id(context: AnalysisContext, event: str) -> int:
    taken: set[int] = set()
    for op in _ops(context):
        if op.name == "set_flag" and op.attr("event") == event:
            ident = op.operands[0]
            if isinstance(ident, Const):
                taken.add(int(ident.value))
            else:
                taken.update((0, 1, 2, 3))
    return next((ident for ident in FREE_IDS if ident not in taken), FREE_IDS[-1])


def fix_missing_sync(item: Finding, context: AnalysisContext) -> Fixes:
    """Insert the flag pair, or the barrier, between two accesses."""
    event, module = str(value_of(item, "flag")), _module(context)
    if event and len(item.others) > 1:
        return _other_pipes(item, context, event)
    first, _ = item.others[0]
    safe = Applicability.SAFE
    if event:
        ident = _free_id(context, event)
        lines = [f"{module}{call}({module}HardEvent.{event}, {ident})" for call in ("set_flag", "wait_flag")]
        title = f"Insert set_flag and wait_flag {event}"
        if any(op.name == "pipe" for op in _ops(context)):
            safe = Applicability.UNSAFE
    else:
        lines = [f"{module}pipe_barrier({module}PipeID.{value_of(item, 'needed')})"]
        title = f"Insert a barrier on {value_of(item, 'needed')}"
    statements = context.statements
    if item.carried or not _reaches(first, item.op, context):
        edit = statements.insert_after(first.span, lines[0])
        if edit is not None and len(lines) > 1:
            indent = edit.new_text[: len(edit.new_text) - len(lines[0])]
            edit = Edit(span=edit.span, new_text=edit.new_text + indent + lines[1])
        return one(title, safe, edit)
    edit = statements.insert_before(item.op.span, lines[0])
    if edit is not None and len(lines) > 1:
        edit = statements.insert_before(item.op.span, lines[0] + edit.new_text[len(lines[0]) :] + lines[1])
    return one(title, safe, edit)


def _other_pipes(item: Finding, context: AnalysisContext, event: str) -> Fixes:
    """Give the pair that stands between two accesses, and guards nothing, the right pipes."""
    edits: list[Edit | None] = []
    for op, _ in item.others[1:]:
        text = context.statements.call(op.span)
        part = text.argument(0, "event") if text is not None else None
        if text is None or part is None:
            return ()
        written = text.source.excerpt(text.source.span(part))
        edits.append(text.replace(part, f"{written.rpartition('.')[0]}.{event}"))
    return one(f"Use {event} in the pair between", Applicability.UNSAFE, *edits)


def _reaches(first: Op, second: Op, context: AnalysisContext) -> bool:
    """Tell whether the line in front of `second` runs whenever both run: no branch or loop around it alone."""
    around = {node.index for node in context.definitions.ancestors(first)}
    extra = [node for node in context.definitions.ancestors(second) if node.index not in around]
    return not any(isinstance(node, Loop) for node in extra) or all(isinstance(node, Branch) for node in extra)


def fix_wait_without_set(item: Finding, context: AnalysisContext) -> Fixes:
    """Set the flag right before the wait, when nothing else sets it."""
    if _calls(item, context, "set_flag"):
        return ()
    return _flag_line(item, context, "set_flag", before=True)


def fix_set_without_wait(item: Finding, context: AnalysisContext) -> Fixes:
    """Wait right behind the set, when nothing else waits for it."""
    if _calls(item, context, "wait_flag"):
        return ()
    missing = context.findings.of(Fault.MISSING_SYNC)
    if all(value_of(other, "flag") != item.op.attr("event") for other in missing):
        return one("Remove this set", Applicability.SAFE, context.statements.remove(item.op.span))
    return _flag_line(item, context, "wait_flag", before=False)


def fix_flag_set_twice(item: Finding, context: AnalysisContext) -> Fixes:
    """Wait for the first set before the second, when a wait is missing; a plain repetition goes away."""
    if item.op.index - item.others[0][0].index == 1:
        return fix_remove(item, context)
    if value_of(item, "carried") or _calls(item, context, "set_flag") <= _calls(item, context, "wait_flag"):
        return ()
    return _flag_line(item, context, "wait_flag", before=True)


def _calls(item: Finding, context: AnalysisContext, name: str) -> int:
    """Count the calls for the flag of a finding."""
    same = [op for op in _ops(context) if op.name == name and op.attr("event") == item.op.attr("event")]
    return sum(op.operands[0] == item.op.operands[0] for op in same)


def _flag_line(item: Finding, context: AnalysisContext, call: str, *, before: bool) -> Fixes:
    text = context.statements.call(item.op.span)
    if text is None or not text.node.args:
        return ()
    at = text.source.excerpt(text.span)
    name = "wait_flag" if "wait_flag" in at.split("(")[0] else "set_flag"
    line = at.replace(name, call, 1)
    insert = context.statements.insert_before if before else context.statements.insert_after
    return one(f"Add {call}", Applicability.UNSAFE, insert(item.op.span, line))


def fix_wait_before_set(item: Finding, context: AnalysisContext) -> Fixes:
    """Move the set in front of the wait."""
    setter, _ = item.others[0]
    text = context.statements.call(setter.span)
    if text is None:
        return ()
    insert = context.statements.insert_before(item.op.span, text.source.excerpt(text.span))
    return one("Set the flag first", Applicability.SAFE, insert, context.statements.remove(setter.span))


def fix_event_id(item: Finding, context: AnalysisContext) -> Fixes:
    """Use another id in all calls of this event and id."""
    event, wrong = item.op.attr("event"), value_of(item, "id")
    fresh = _free_id(context, str(event))
    edits: list[Edit | None] = []
    for op in _ops(context):
        ident = op.operands[0] if op.name in ("set_flag", "wait_flag") else None
        if isinstance(ident, Const) and ident.value == wrong and op.attr("event") == event:
            text = context.statements.call(op.span)
            part = text.argument(1, "event_id") if text is not None else None
            edits.append(text.replace(part, str(fresh)) if text is not None and part is not None else None)
    return one(f"Use event id {fresh}", Applicability.SAFE, *_distinct(edits))


def _distinct(edits: list[Edit | None]) -> list[Edit | None]:
    found: list[Edit | None] = []
    for edit in edits:
        if edit not in found:
            found.append(edit)
    return found


def fix_scalar_barrier(item: Finding, context: AnalysisContext) -> Fixes:
    """Wait for all pipes instead."""
    text = context.statements.call(item.op.span)
    part = text.argument(0, "pipe") if text is not None else None
    if text is None or part is None:
        return ()
    written = text.source.excerpt(text.source.span(part))
    return one("Use PIPE_ALL", Applicability.SAFE, text.replace(part, written.replace("PIPE_S", "PIPE_ALL")))


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


def fix_remove(item: Finding, context: AnalysisContext) -> Fixes:
    """Take the call away, unless it is the first of the two itself, in another trip."""
    if item.others and item.others[0][0] is item.op:
        return ()
    return one("Remove this call", Applicability.SAFE, context.statements.remove(item.op.span))


def fix_not_freed(item: Finding, context: AnalysisContext) -> Fixes:
    """Free the tensor after its last use."""
    queue, register = item.op.operands[0], item.op.results[0] if item.op.results else None
    if not isinstance(queue, Reg) or register is None or value_of(item, "state") == "enqueued":
        return ()
    names = [context.program.names.get(reg.index, ()) for reg in (queue, register)]
    if not all(names):
        return ()
    uses = [op for op in _ops(context) if register in op.operands or op is item.op]
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
    queued = any(op.name.startswith("que_bind_enque") and held in op.operands for op in _ops(context))
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


def fix_useless_flag(item: Finding, context: AnalysisContext) -> Fixes:
    """Take all calls for the flag away."""
    calls = (item.op, *(op for op, _ in item.others))
    edits = _distinct([context.statements.remove(op.span) for op in calls])
    return one("Remove this flag", Applicability.SAFE, *edits)


def fix_strong_barrier(item: Finding, context: AnalysisContext) -> Fixes:
    """Put a flag pair in place of the barrier."""
    event, module = str(value_of(item, "event")), _module(context)
    ident = _free_id(context, event)
    first, second = (f"{module}{call}({module}HardEvent.{event}, {ident})" for call in ("set_flag", "wait_flag"))
    text = context.statements.call(item.op.span)
    if text is None:
        return ()
    indent = " " * (text.span.column - 1)
    return one(
        f"Use the flag {event}", Applicability.UNSAFE, Edit(span=text.span, new_text=f"{first}\n{indent}{second}")
    )
