# SPDX-License-Identifier: Apache-2.0
"""What a person at the editor waits for: server start, first findings, a keystroke, a hover."""

from __future__ import annotations

import statistics

from lsp_client import Editor
from measure import Table

SIZES = (100, 300, 1_000, 3_000)
KERNEL = """

@asc.jit
def kernel_{n}(x: asc.GlobalAddress, y: asc.GlobalAddress):
    x_gm = asc.GlobalTensor()
    y_gm = asc.GlobalTensor()
    x_gm.set_global_buffer(x)
    y_gm.set_global_buffer(y)
    x_local = asc.LocalTensor(asc.float32, asc.TPosition.VECIN, 0, 256)
    y_local = asc.LocalTensor(asc.float32, asc.TPosition.VECOUT, 1024, 256)
    for i in range(4):
        asc.data_copy(x_local, x_gm[i * 256:], 256)
        asc.set_flag(asc.HardEvent.MTE2_V, 0)
        asc.wait_flag(asc.HardEvent.MTE2_V, 0)
        asc.adds(y_local, x_local, 1.5, 256)
        asc.set_flag(asc.HardEvent.V_MTE3, 0)
        asc.wait_flag(asc.HardEvent.V_MTE3, 0)
        asc.data_copy(y_gm[i * 256:], y_local, 256)
        asc.set_flag(asc.HardEvent.MTE3_MTE2, 0)
        asc.wait_flag(asc.HardEvent.MTE3_MTE2, 0)
"""


def run(rounds: int) -> Table:
    """Time edits of one number in the middle of files of several sizes."""
    rows: list[tuple[str | float | None, ...]] = []
    ready: list[float] = []
    for size in SIZES:
        editor = Editor()
        ready.append(editor.ready_ms)
        rows.append(_size(editor, size, max(rounds, 15) * 2))
        editor.close()
    notes = (f"server answers initialize after {statistics.median(ready):.0f} ms",)
    columns = ("lines", "first findings ms", "keystroke p50 ms", "keystroke p95 ms", "hover p99 ms")
    return Table(title="Editor: one edited number, findings published", columns=columns, rows=tuple(rows), notes=notes)


def _size(editor: Editor, lines: int, edits: int) -> tuple[str | float | None, ...]:
    count = max(1, lines // KERNEL.count("\n"))
    text = "import asc\n" + "".join(KERNEL.format(n=number) for number in range(count))
    uri = f"file:///bench/kernels_{lines}.py"
    first_ms = editor.open(uri, text)
    split = text.split("\n")
    middle = count // 2
    line = [number for number, item in enumerate(split) if "asc.adds(" in item][middle]
    column = split[line].index("1.5")
    keystrokes = [editor.edit(uri, 2 + n, (line, column), f"{n % 9 + 1}.5", 3) for n in range(edits)]
    hovers = [editor.hover(uri, line, column - 20) for _ in range(edits)]
    return (f"{lines:,}", first_ms, statistics.median(keystrokes), _high(keystrokes, 0.95), _high(hovers, 0.99))


def _high(values: list[float], share: float) -> float:
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]
