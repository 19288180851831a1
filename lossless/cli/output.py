"""Where results go: standard output, or a file that is replaced whole or not at all."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

import click


def write(text: str, target: str | None) -> None:
    """Write a result to standard output (`None` or "-") or to a file, atomically."""
    if target in (None, "-"):
        # Whoever wrote the text knew whether colours are wanted; click would take them out.
        click.echo(text, nl=False, color=True)
        return
    assert target is not None  # noqa: S101 - for the type checker
    replace(Path(target), text)


def replace(path: Path, text: str, mode: int = 0o644) -> None:
    """Replace a file's content atomically, in the directory it lies in.

    A link stays one, and what it leads to is replaced; a device or a pipe (`/dev/null`,
    `/dev/stdout`) is written to, since a file in its place would break the machine.
    Raises `click.ClickException` naming the file where that is impossible.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            with path.open("w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            return
        path = path.resolve() if path.is_symlink() else path
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, mode)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise click.ClickException(f"cannot write {path}: {error.strerror}") from error


def colour_wanted(choice: str) -> bool:
    """Say whether to colour: "always", "never", or by NO_COLOR and the terminal ("auto")."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
