"""The command line: one file a command, imported only when that command runs.

Results go to standard output, everything else to standard error.  Exit codes: 0 clean; 1 findings
at or above `--fail-on`, or differences; 2 usage, unreadable or invalid input, an internal error,
or nothing to check; 3 a device (or its output) could not be read or understood; 130 interrupted.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Final

import click

from lossless import __version__

#: Command → module with a click command named `command`.  To add one, write it and list it here.
COMMANDS: Final[Mapping[str, str]] = {
    "init": "lossless.cli.init",
    "lint": "lossless.cli.lint",
    "trace": "lossless.cli.trace",
    "explain": "lossless.cli.explain",
    "rules": "lossless.cli.rules",
    "render": "lossless.cli.render",
    "parse": "lossless.cli.parse",
    "collect": "lossless.cli.collect",
    "diff": "lossless.cli.diff",
    "drift": "lossless.cli.drift",
    "headroom": "lossless.cli.headroom",
    "lab": "lossless.cli.lab",
    "schema": "lossless.cli.schema",
    "completion": "lossless.cli.completion",
}

#: What writing to a stream fails with where the machine, and not lossless, is at fault.
_NO_ROOM: Final = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG))

EXIT_FINDINGS, EXIT_USAGE, EXIT_DEVICE, EXIT_INTERRUPTED = 1, 2, 3, 130


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one command; `None` where there is none of that name."""
        module = COMMANDS.get(cmd_name)
        if module is None:
            return None
        command: click.Command = import_module(module).command
        if command.help:  # click's mark of lines to keep, as a raw docstring writes it
            command.help = command.help.replace("\\b\n", "\b\n")
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; a reader that goes away (`| head`) has what it wanted."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # Python flushes standard output once more at exit, and would complain.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise click.exceptions.Exit(0) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Resolve as click does, and suggest what a misspelt command may have meant."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            close = get_close_matches(name, COMMANDS, n=1)
            hint = f" Did you mean {close[0]!r}?" if close else ""
            ctx.fail(f"No such command {name!r}.{hint}")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="lossless", message="%(prog)s %(version)s")
def cli() -> None:
    """Check and generate lossless RoCE configuration, end to end."""


def main() -> None:
    """Run the command line and leave with its exit code; never with a traceback."""
    _open_streams()
    try:
        code = cli.main(prog_name="lossless", standalone_mode=False)
    except click.exceptions.Abort:
        sys.exit(EXIT_INTERRUPTED)
    except click.ClickException as error:
        error.show()
        sys.exit(EXIT_USAGE)
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    except Exception as error:
        _refuse(error)
    sys.exit(code if isinstance(code, int) else 0)


def _open_streams() -> None:
    """Give each standard stream that was closed before the start an empty one in its place."""
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - for the whole run
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115


def _refuse(error: Exception) -> None:
    from lossless.findings import InputError

    if isinstance(error, InputError):
        from lossless.cli.problems import show

        show(error.problems)
        sys.exit(EXIT_USAGE)
    if os.environ.get("LOSSLESS_DEBUG"):
        raise error
    if isinstance(error, OSError) and error.errno in _NO_ROOM and error.filename is None:
        click.echo(f"Error: cannot write the result: {error.strerror}", err=True)
        # What is left in the buffer would fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_USAGE)
    said = f"{type(error).__name__}: {error}"
    click.echo(f"lossless: internal error: {said}", err=True)
    click.echo("This is a fault of lossless; LOSSLESS_DEBUG=1 shows where it happened.", err=True)
    sys.exit(EXIT_USAGE)
