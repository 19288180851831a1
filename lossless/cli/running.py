"""The `--running DIR` option: reading a snapshot beside an inventory, and saying what is amiss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from lossless.findings import Problem, Provenance, Report
    from lossless.intent import Built
    from lossless.model.device import Device
    from lossless.model.fabric import Fabric
    from lossless.running import Seen
    from lossless.snapshot import Snapshot

F = TypeVar("F", bound=Callable[..., Any])

running_option: Callable[[F], F] = click.option(
    "--running",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="What runs, from a snapshot or a directory DIR/<device>/<file>.",
)


def read(directory: Path, about: Callable[[str], bool] = lambda device: True) -> Snapshot:
    """Read a snapshot and show what is odd about some devices of it; raises `InputError`."""
    from lossless import snapshot

    found = snapshot.read(directory)
    warn(p for p in found.warnings if p.location is None or about(_device_of(p.location.file)))
    return found


def _device_of(file: str) -> str:
    return Path(file).parent.name


def gather(
    directory: Path, devices: Mapping[str, Device], declared: Iterable[str]
) -> dict[str, Seen]:
    """Read the devices asked for out of a snapshot; raises `InputError`.

    What is wrong with them goes to standard error, and so do devices that nobody declared.
    """
    from lossless import running

    known = dict.fromkeys(declared)
    found = read(directory, lambda name: name in devices or name not in known)
    seen = running.gather(devices, found)
    _strangers(running.strangers(known, found), known)
    tell(seen)
    return seen


@dataclass(frozen=True, slots=True)
class Beside:
    """What runs, beside its declaration."""

    fabric: Fabric
    provenance: Provenance
    seen: Mapping[str, Seen]
    concerned: frozenset[str]

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


def beside(directory: Path, built: Built, concerned: Iterable[str]) -> Beside:
    """Read what runs; all devices are looked for, and those concerned must be there.

    Raises `InputError`.
    """
    from lossless import running

    declared = built.fabric.devices
    ours = frozenset(concerned)
    found = read(directory, lambda name: name in ours or name not in declared)
    seen = running.gather(declared, found)
    _strangers(running.strangers(declared, found), declared)
    tell({name: there for name, there in seen.items() if name in ours})
    fabric = running.running_fabric(built.fabric, seen)
    return Beside(fabric, built.provenance, seen, ours)


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
