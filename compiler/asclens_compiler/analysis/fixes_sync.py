# SPDX-License-Identifier: Apache-2.0
"""Changes to flags and barriers."""

from __future__ import annotations

from asclens_compiler.analysis.context import AnalysisContext
from asclens_compiler.analysis.fixes import Fixes, fix_remove, one, ops_of, value_of
from asclens_compiler.analysis.verifier.findings import Fault, Finding
from asclens_compiler.ascir.program import Branch, Const, Loop, Op
from asclens_compiler.diagnostics.model import Applicability, Edit

FREE_IDS = (0, 1, 2, 3, 4, 5)


def _module(context: AnalysisContext) -> str:
    """Return how the kernel's file names pyasc, with the dot."""
    text = context.source.text if context.source is not None else ""
    for line in text.splitlines():
        if line.startswith("import asc as "):
            return f"{line.split()[3]}."
    return "asc."


def _free_id(context: AnalysisContext, event: str) -> int:
    taken: set[int] = set()
    for op in ops_of(context):
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
    first = item.others[0][0]
    if event and len(item.others) > 1:
        return _other_pipes(item, context, event)
    safe = Applicability.SAFE
    if event:
        ident = _free_id(context, event)
        lines = [f"{module}{call}({module}HardEvent.{event}, {ident})" for call in ("set_flag", "wait_flag")]
        title = f"Insert set_flag and wait_flag {event}"
        if any(op.name == "pipe" for op in ops_of(context)):
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
    same = [op for op in ops_of(context) if op.name == name and op.attr("event") == item.op.attr("event")]
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
    for op in ops_of(context):
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
