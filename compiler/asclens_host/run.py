# SPDX-License-Identifier: Apache-2.0
"""Running the user's script as `__main__`, as Python itself would, with the facade in place."""

from __future__ import annotations

import builtins
import io
import os
import runpy
import sys
from importlib.machinery import SourceFileLoader
from types import ModuleType
from typing import Any

from asclens_host import finder, link

USAGE = "usage: python -m asclens_host SCRIPT [ARGS...]\n       python -m asclens_host -m MODULE [ARGS...]"
COULD_NOT_RUN = 2


def main(argv: list[str]) -> int:
    """Run a script or module with the facade; the exit status is the script's, or 2 when it cannot start."""
    if not argv or argv[0] in ("-h", "--help"):
        print(USAGE, file=sys.stderr)
        return COULD_NOT_RUN
    if sys.flags.isolated or sys.flags.ignore_environment:
        return _refuse(
            "this Python runs isolated (-I or -E): its child processes would not see the simulator; "
            "use an interpreter without that option"
        )
    try:
        finder.install()
    except finder.FacadeError as error:
        return _refuse(str(error))
    link.claim()
    if argv[0] == "-m":
        if len(argv) < 2:
            return _refuse("-m needs the name of a module")
        return _run_module(argv[1], argv[2:])
    if not os.path.exists(argv[0]):
        return _refuse(f"can't open file '{argv[0]}': there is no such file")
    return _run_script(argv[0], argv[1:])


def _refuse(message: str) -> int:
    print(f"asclens: {message}", file=sys.stderr)
    return COULD_NOT_RUN


def _run_module(name: str, args: list[str]) -> int:
    sys.argv = [name, *args]
    _set_path(os.getcwd())
    return _shown(lambda: runpy.run_module(name, run_name="__main__", alter_sys=True))


def _run_script(script: str, args: list[str]) -> int:
    sys.argv = [script, *args]
    if os.path.isdir(script) or (not script.endswith((".py", ".pyw")) and _is_archive(script)):
        _set_path(script)
        return _shown(lambda: runpy.run_path(script, run_name="__main__"))
    path = os.path.abspath(script)
    _set_path(os.path.dirname(os.path.realpath(path)))
    return _shown(lambda: _execute(path))


def _execute(path: str) -> None:
    module = ModuleType("__main__")
    names: Any = vars(module)
    names.update(__file__=path, __loader__=SourceFileLoader("__main__", path), __builtins__=builtins)
    with io.open_code(path) as stream:
        code = compile(stream.read(), path, "exec", dont_inherit=True)
    sys.modules["__main__"] = module
    exec(code, names)


def _shown(work: Any) -> int:
    """Run `work`; show an exception as Python does, without the frames of this package below it."""
    try:
        work()
    except Exception as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OWN):
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 1
    return 0


def _set_path(first: str) -> None:
    """Put the script's folder where `python SCRIPT` has it: first, in place of ours."""
    if sys.path and os.path.realpath(sys.path[0] or os.getcwd()) in (_HERE, os.getcwd()):
        del sys.path[0]
    if not getattr(sys.flags, "safe_path", False):
        sys.path.insert(0, first)


def _is_archive(path: str) -> bool:
    with open(path, "rb") as stream:
        return stream.read(2) == b"PK"


_HERE = os.path.dirname(os.path.realpath(__file__))
_OWN = (os.path.dirname(os.path.abspath(__file__)), runpy.__file__, "<frozen runpy>")
