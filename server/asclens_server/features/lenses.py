# SPDX-License-Identifier: Apache-2.0
"""Code lenses over kernels: Run and Debug."""

from __future__ import annotations

from dataclasses import dataclass

from asclens_compiler.source.span import Span

from asclens_server.features.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Lens:
    """A clickable line above a kernel: editor command, title and the kernel it is for."""

    span: Span
    title: str
    command: str
    kernel: str


def lenses(snapshot: Snapshot) -> list[Lens]:
    """Offer Run and Debug for every kernel that a launch in the file or a directive can start."""
    found: list[Lens] = []
    for kernel in snapshot.kernels:
        if kernel.runnable:
            found.append(Lens(kernel.span, "▶ Run", "asclens.run", kernel.name))
            found.append(Lens(kernel.span, "Debug", "asclens.debug", kernel.name))
    return found
