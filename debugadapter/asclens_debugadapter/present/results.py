# SPDX-License-Identifier: Apache-2.0
"""Output events for what a launch printed, found and cost."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from asclens_debugadapter.protocol.wire import Message, entries, section


def source_of(file: str) -> Message:
    """Return the DAP source of a file path."""
    return {"name": os.path.basename(file), "path": file}


def print_output(body: Message) -> Message:
    """Return the output event of one device printf: text, source line and core."""
    text = str(body.get("text", ""))
    event: Message = {"category": "stdout", "output": text if text.endswith("\n") else text + "\n"}
    if body.get("file"):
        event |= {"source": source_of(body["file"]), "line": body.get("line", 1)}
    event["data"] = {"core": body.get("core")}
    return event


def violation_output(result: Message) -> Iterator[Message]:
    """Yield an output event per finding of a launch, with its source line."""
    for item in (*entries(result, "diagnostics"), *entries(result, "violations")):
        if item.get("severity") == "advice":
            continue
        start = item["range"]["start"]
        lines = [f"{item['severity']}[{item['code']}] {item['message']}"]
        lines += [f"  {_place(related)}: {related['message']}" for related in entries(item, "related")]
        if item.get("help"):
            lines.append(f"  help: {item['help']}")
        yield {
            "category": "stderr",
            "output": "\n".join(lines) + "\n",
            "source": source_of(item["file"]),
            "line": start["line"],
            "column": start["column"],
        }


def _place(related: Any) -> str:
    return f"{os.path.basename(related['file'])}:{related['range']['start']['line']}"


def launch_summary(result: Message) -> str:
    """Return one line about a finished launch: cores, cycles, busy cycles per pipe, findings."""
    if not result.get("ok", True):
        return f"{result.get('kernel', 'kernel')}: {result.get('error') or 'the launch failed'}"
    pipes = ", ".join(f"{pipe} {cycles:,}" for pipe, cycles in section(result, "pipes").items() if cycles)
    found = sum(item.get("severity") == "error" for item in entries(result, "violations"))
    end = f"; {found} error{'s' if found != 1 else ''} found" if found else ""
    cores = result.get("cores", 1)
    place = f"{cores} core{'s' if cores != 1 else ''} ({result.get('soc', '')} simulator)"
    return (
        f"{result.get('kernel', 'kernel')} on {place}:"
        f" {result.get('cycles', 0):,} cycles" + (f" ({pipes})" if pipes else "") + end
    )
