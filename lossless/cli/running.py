"""What runs, from `--running DIR` or `--live`, beside an inventory; and saying what is amiss."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lossless.cli.connecting import Connection, connection_options

if TYPE_CHECKING:
    from lossless.findings import Problem, Provenance, Report
    from lossless.intent import Built
    from lossless.model.device import Device
    from lossless.model.fabric import Fabric
    from lossless.running import Seen
    from lossless.snapshot import Snapshot

F = TypeVar("F", bound=Callable[..., Any])

_running = click.option(
    "--running",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="What runs, from a snapshot or a directory DIR/<device>/<file>.",
)
_live = click.option("--live", is_flag=True, help="What runs, asked of the devices over SSH now.")


@dataclass(frozen=True, slots=True)
class Source:
    """Where what runs is told: a directory, or the devices themselves."""

    directory: Path | None
    connection: Connection

    def read(self, devices: Mapping[str, Device], about: Callable[[str], bool]) -> Snapshot:
        """Return what some devices show; raises `InputError`, and `click.Abort` on Ctrl-C."""
        if self.directory is not None:
            return read(self.directory, about)
        from lossless import snapshot
        from lossless.cli import connecting

        found = connecting.ask(devices, self.connection, quiet=False)
        if found.interrupted:
            raise click.Abort
        return snapshot.held(found.taken, connecting.now())


def what_runs(function: F) -> F:
    """Give a command the options that name what runs, as one argument `runs_from` (or `None`)."""

    @functools.wraps(function)
    def called(
        *arguments: Any, running: Path | None, live: bool, connection: Connection, **others: Any
    ) -> Any:
        if running is not None and live:
            raise click.UsageError("--running and --live exclude each other")
        source = Source(running, connection) if live or running is not None else None
        return function(*arguments, runs_from=source, **others)

    wrapped: Any = _running(_live(connection_options(called)))
    done: F = wrapped
    return done


def read(directory: Path, about: Callable[[str], bool] = lambda device: True) -> Snapshot:
    """Read a snapshot and show what is odd about some devices of it; raises `InputError`."""
    from lossless import snapshot

    found = snapshot.read(directory)
    warn(p for p in found.warnings if p.location is None or about(_device_of(p.location.file)))
    return found


def _device_of(file: str) -> str:
    return Path(file).parent.name


def gather(
    source: Source, devices: Mapping[str, Device], declared: Iterable[str]
) -> tuple[dict[str, Seen], Snapshot]:
    """Read the devices asked for from what runs; raises `InputError`.

    What is wrong with them goes to standard error, and so do devices that nobody declared.
    """
    from lossless import running

    known = dict.fromkeys(declared)
    found = source.read(devices, lambda name: name in devices or name not in known)
    seen = running.gather(devices, found)
    _strangers(running.strangers(known, found), known)
    tell(seen)
    return seen, found


@dataclass(frozen=True, slots=True)
class Beside:
    """What runs, beside its declaration.  `texts` are lines of answers that no file holds."""

    fabric: Fabric
    provenance: Provenance
    seen: Mapping[str, Seen]
    concerned: frozenset[str]
    texts: Mapping[str, list[str]] = field(default_factory=dict)

    def report(self, report: Report) -> Report:
        """Return a report that points into the captures, and says what was not read."""
        from lossless import running

        about = {name: there for name, there in self.seen.items() if name in self.concerned}
        placed = running.located(report, self.fabric, self.seen, self.provenance)
        return replace(placed, findings=(*running.amiss(self.fabric, about), *placed.findings))

    @property
    def unread(self) -> bool:
        """Say whether a device that is concerned was not read, or not wholly."""
        return any(self.seen[name].faults for name in self.concerned)


def beside(source: Source, built: Built, concerned: Iterable[str]) -> Beside:
    """Read what runs; all devices are looked for, and those concerned must be there.

    Live devices are asked where they are concerned, or cabled to one that is.  Raises
    `InputError`.
    """
    from lossless import running

    declared = built.fabric.devices
    ours = frozenset(concerned)
    asked = {name: declared[name] for name in _near(built.fabric, ours)}
    found = source.read(asked, lambda name: name in ours or name not in declared)
    seen = running.gather(declared, found)
    _strangers(running.strangers(declared, found), declared)
    tell({name: there for name, there in seen.items() if name in ours})
    fabric = running.running_fabric(built.fabric, seen)
    texts = {} if source.directory is not None else _texts(found)
    return Beside(fabric, built.provenance, seen, ours, texts)


def _near(fabric: Fabric, concerned: frozenset[str]) -> list[str]:
    """Return the devices concerned and those at the other end of their links."""
    near = set(concerned)
    for link in fabric.links:
        ends = {link.a_device.name, link.b_device.name}
        near |= ends if ends & concerned else set()
    return [name for name in fabric.devices if name in near]


def _texts(found: Snapshot) -> dict[str, list[str]]:
    captures = (capture for shown in found.devices.values() for capture in shown.captures)
    return {capture.file: capture.text.split("\n") for capture in captures}


def warn(problems: Iterable[Problem]) -> None:
    """Show warnings about files on standard error."""
    from lossless.report.context import relative

    for problem in problems:
        where = f"{relative(problem.location.file)}: " if problem.location else ""
        click.echo(f"{where}warning: {problem.message}", err=True)


def tell(seen: Mapping[str, Seen]) -> None:
    """Say on standard error which devices were not read, or not wholly, and what is odd."""
    from lossless.nodeset import fold

    folded: dict[tuple[str, str], list[str]] = {}
    for name, there in seen.items():
        for word, faults in (("not read", there.faults), ("note", there.notes)):
            for fault in faults:
                text = fault.text
                if fault.location is not None and there.parts:
                    text = f"{text} ({fault.location})"
                folded.setdefault((word, text), []).append(name)
    for (word, text), names in folded.items():
        said = "not wholly read" if word == "not read" and _parts(seen, names) else word
        click.echo(f"{fold(names)}: {said}: {text}", err=True)


def _parts(seen: Mapping[str, Seen], names: Iterable[str]) -> bool:
    return all(seen[name].parts for name in names)


def _strangers(names: Sequence[str], known: Mapping[str, object]) -> None:
    from difflib import get_close_matches

    for name in names[:20]:
        close = get_close_matches(name, known, n=1)
        hint = f"; did it mean {close[0]}?" if close else ""
        click.echo(f"{name}: note: in the snapshot and not declared{hint}", err=True)
    if len(names) > 20:
        click.echo(f"... and {len(names) - 20} more that are not declared", err=True)
