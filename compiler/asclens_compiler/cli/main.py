# SPDX-License-Identifier: Apache-2.0
"""The `asclens` program: finds the command, runs it, turns failures into exit statuses."""

from __future__ import annotations

import importlib
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib.metadata import EntryPoint, entry_points, version
from typing import Any

import click

from asclens_compiler.cli.console import show_failure
from asclens_compiler.cli.exit_codes import Exit
from asclens_compiler.errors import AscLensError

# Each module of this package named here has a click command `command`; loaded when it is called.
_COMMANDS = {
    "check": "asclens_compiler.cli.check",
    "run": "asclens_compiler.cli.run",
    "test": "asclens_compiler.cli.test",
    "build": "asclens_compiler.cli.build",
    "explain": "asclens_compiler.cli.explain",
    "doctor": "asclens_compiler.cli.doctor",
}
# Other packages add commands through this entry point group: functions of no arguments that read sys.argv.
_GROUP = "asclens.commands"
_DEBUG_VARIABLE = "ASCLENS_TRACEBACK"


class _Commands(click.Group):
    """Load commands by name, so that starting one does not import the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return [*_COMMANDS, *sorted(_plugins())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if module := _COMMANDS.get(cmd_name):
            command: click.Command = importlib.import_module(module).command
            return command
        plugin = _plugins().get(cmd_name)
        return _plugin_command(cmd_name, plugin) if plugin is not None else None


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(version("asclens"), prog_name="asclens")
def asclens() -> None:
    """Check, run and debug pyasc kernels for Ascend NPUs, on any machine.

    \b
    First steps:
      asclens check my_kernels.py        find mistakes without running anything
      asclens run my_script.py --size 8  run the script; kernels run on a simulated NPU
      asclens explain ASC201             what a code means and what to write instead

    \b
    Exit status of every command:
      0  nothing of severity error          2  could not run (usage, file, environment)
      1  errors found                       3  `run` only: kernel violations recorded
    """


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; the outermost boundary of the program."""
    try:
        result = asclens.main(args=None if argv is None else list(argv), prog_name="asclens", standalone_mode=False)
        return int(result or 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return Exit.COULD_NOT_RUN
    except click.ClickException as error:
        error.show()
        return Exit.COULD_NOT_RUN
    except (click.Abort, KeyboardInterrupt):
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader (`| head`) is gone: keep the interpreter from complaining when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except AscLensError as error:
        show_failure(error.message, error.help)
        return Exit.COULD_NOT_RUN
    except Exception as error:
        if os.environ.get(_DEBUG_VARIABLE):
            traceback.print_exc()
        show_failure(
            f"internal error: {type(error).__name__}: {error}",
            f"this is a defect of AscLens; set {_DEBUG_VARIABLE}=1 for the details and report it",
        )
        return Exit.COULD_NOT_RUN


def _plugins() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=_GROUP)}


def _plugin_command(name: str, point: EntryPoint) -> click.Command | None:
    try:
        run: Callable[[], int | None] = point.load()
    except ModuleNotFoundError as error:
        if error.name is not None and point.module.startswith(error.name):
            return None
        raise

    @click.pass_context
    def call(ctx: click.Context) -> int:
        sys.argv = [f"asclens {name}", *ctx.args]
        return run() or 0

    summary = (sys.modules[point.module].__doc__ or "").strip().split("\n")[0]
    settings: dict[str, Any] = {"ignore_unknown_options": True, "allow_extra_args": True, "help_option_names": []}
    return click.Command(name, callback=call, help=summary, context_settings=settings, add_help_option=False)
