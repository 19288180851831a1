"""How far a fleet has been asked: a line on a terminal, failures everywhere, on standard error."""

from __future__ import annotations

import os
import re
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import click

if TYPE_CHECKING:
    from lossless.collect import Job
    from lossless.devices.fleet import Event

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Progress:
    """Shows events of a fan-out.  Nothing but failures where standard error is no terminal."""

    def __init__(self, total: int, *, quiet: bool) -> None:
        self._total = total
        self._quiet = quiet
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Progress:
        if not self._quiet and self._total and _moving():
            self._start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def tell(self, event: Event[Job]) -> None:
        """Show that a device has been asked, and why it could not be."""
        if event.error is not None:
            from lossless.collect.gathering import reason

            self.say(f"{event.job.device}: no answer: {reason(event.error)}")
        if self._bar is not None:
            left = event.remaining
            self._bar.update(
                self._task,
                completed=event.done,
                rate=f"{event.rate:.1f}/s",
                eta="" if left is None or event.done == event.total else f"{left:.0f} s left",
                failed=f"{event.failed} failed" if event.failed else "",
            )

    def say(self, line: str) -> None:
        """Write a line above the progress."""
        if self._quiet:
            return
        shown = _CONTROL.sub(lambda m: f"\\x{ord(m[0]):02x}", line)
        if self._bar is not None:
            self._bar.console.print(shown, markup=False, highlight=False, soft_wrap=True)
        else:
            click.echo(shown, err=True)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
        from rich.progress import Progress as Bar

        self._bar = Bar(
            TextColumn("asking"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TextColumn("{task.fields[eta]}"),
            TextColumn("{task.fields[failed]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._bar.start()
        self._task = self._bar.add_task("", total=self._total, rate="", eta="", failed="")


def _moving() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
