# SPDX-License-Identifier: Apache-2.0
"""What a kernel's result depends on, as one text: same fingerprint, same findings at the same places."""

from __future__ import annotations

import ast
import hashlib
import re
from typing import TYPE_CHECKING

from asclens_compiler.frontend.compile import describe_configuration
from asclens_compiler.frontend.module import StaticModule

if TYPE_CHECKING:
    from asclens_compiler.frontend.surfaces import KernelSource, Launch

_WORD = re.compile(r"[^\W\d]\w*")


def fingerprint(kernel: KernelSource, launch: Launch, label: str, *, soc: str, facts: bool) -> str:
    """Return the fingerprint of one kernel for one launch; it needs no compilation.

    It covers the text and place of the kernel and of all module-level definitions whose names occur
    in it, directly or through others, and what is known about the launch.
    """
    digest = hashlib.blake2b(digest_size=16)
    node = kernel.owner if kernel.owner is not None else kernel.node
    options = [(name, value.describe()) for name, value in launch.options]
    configuration = describe_configuration(launch.instance)
    known = (label, configuration, launch.core_num, launch.origin, options)
    for part in (kernel.surface.name, kernel.qualname, *known, soc, facts):
        digest.update(f"{part}\0".encode())
    module = kernel.module
    bindings = module.bindings if isinstance(module, StaticModule) else {}
    lines = module.source.lines
    seen: set[ast.stmt] = set()
    pending: list[ast.stmt] = [node]
    while pending:
        statement = pending.pop()
        if statement in seen:
            continue
        seen.add(statement)
        first = min([statement.lineno, *(item.lineno for item in getattr(statement, "decorator_list", ()))])
        text = "\n".join(lines[first - 1 : statement.end_lineno])
        digest.update(f"{first}\0{text}\0".encode(errors="replace"))
        for word in sorted(set(_WORD.findall(text))):
            pending.extend(bindings.get(word, ()))
    return digest.hexdigest()
