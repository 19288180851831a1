"""What `lossless diff` shows, for a person and as JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from lossless import __version__
from lossless.cli.mending_lines import Mending
from lossless.findings import Location
from lossless.nodeset import fold
from lossless.report.context import relative, shown
from lossless.rules.engine.fold import plain
from lossless.rules.words import rate, share, time
from lossless.running import Difference, Kind, Seen

SCHEMA_NUMBER: Final = 1
#: How numbers are written, by the name of the leaf.
_UNITS: Final[Mapping[str, Callable[[int], str]]] = {
    "speed": rate,
    "poll": time,
    "detect": time,
    "restore": time,
    "cnp_interval": time,
    "probability": share,
}
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_CODES: Final = {"head": "1", "wanted": "32", "found": "31", "clean": "1;32"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison and the names of its two sides.

    `undeclared` are ports that were seen and not declared, by device; `lines` what would mend a
    device, by device and file.
    """

    sides: tuple[str, str]
    differences: tuple[Difference, ...]
    seen: Mapping[str, Seen]
    undeclared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[str, Mending] = field(default_factory=dict)

    @property
    def real(self) -> tuple[Difference, ...]:
        """Return the differences that are certain."""
        return tuple(d for d in self.differences if d.kind is not Kind.NOT_CHECKED)

    @property
    def differs(self) -> bool:
        """Say whether there is a difference."""
        return bool(self.real)

    @property
    def unread(self) -> bool:
        """Say whether some device was not read, or not wholly."""
        return any(there.faults for there in self.seen.values())


def text(compared: Comparison, colourful: bool, verbose: bool) -> str:
    """Return a comparison for a person."""
    lines: list[str] = []
    for difference in compared.real:
        lines += [*difference_lines(difference, compared.sides, colourful), ""]
    if verbose:
        lines += not_compared(compared)
    for device, mending in compared.lines.items():
        lines += [*mending_lines(device, mending, colourful), ""]
    lines.append(summary(compared, colourful))
    return "\n".join(lines) + "\n"


def difference_lines(
    difference: Difference, sides: tuple[str, str], colourful: bool
) -> Iterator[str]:
    """Write a difference for a person: what, and both sides with their places."""
    who = ", ".join(difference.objects)
    many = f" ({difference.count} ports)" if difference.count > 1 else ""
    word = "" if difference.kind is Kind.DIFFERENT else f" [{difference.kind.value}]"
    yield paint(f"{who}{many}: {difference.field}{word}", "head", colourful)
    first, second = sides
    if difference.kind is Kind.NOT_IN_FORCE:
        first, second = "configured", "operational"
    width = max(len(first), len(second))
    place = None if difference.kind is Kind.NOT_IN_FORCE else difference.place
    wanted, found = (
        f"  {sign} {name.ljust(width)}  {_word(value, difference.leaves)}"
        for sign, name, value in (("-", first, difference.wanted), ("+", second, difference.found))
    )
    yield _placed(paint(wanted, "wanted", colourful), place)
    yield _placed(paint(found, "found", colourful), difference.captured)


def _placed(said: str, place: Location | None) -> str:
    return said if place is None else f"{said}   {_place(place)}"


def mending_lines(device: str, mending: Mending, colourful: bool) -> Iterator[str]:
    """Write what would mend a device: the lines, or of a script what it would do."""
    yield paint(f"to mend {device}:", "head", colourful)
    if any(content.startswith("#!") for content in mending.files.values()):
        yield from (f"    {visible(said)}" for said in mending.operations)
        return
    for name, content in mending.files.items():
        yield paint(f"  {name}", "head", colourful)
        yield from _indented(content)


def not_compared(compared: Comparison) -> Iterator[str]:
    """List what could not be compared, ports nobody declared, and lines not understood."""
    for gap in compared.differences:
        if gap.kind is Kind.NOT_CHECKED:
            found = "not seen" if gap.found is None else _word(gap.found, gap.leaves)
            who = ", ".join(gap.objects)
            wanted = f"{compared.sides[0]} {_word(gap.wanted, gap.leaves)}"
            yield f"not checked: {who}: {gap.field}: {wanted}, {found}"
    for device, ports in compared.undeclared.items():
        yield f"not declared: {device}: {fold(ports)}"
    for device, there in compared.seen.items():
        for line in there.unread:
            where = f"{relative(line.file)}:{line.line}" if line.file else f"line {line.line}"
            yield f"not understood: {device}: {where}: {visible(line.text)}"


def summary(compared: Comparison, colourful: bool) -> str:
    """Say in one line how a comparison ended."""
    real = compared.real
    unread = [name for name, there in compared.seen.items() if there.faults]
    said = f"{len(real)} difference" if len(real) == 1 else f"{len(real)} differences"
    if real:
        said += f" on {fold(dict.fromkeys(name for d in real for name in d.devices))}"
    parts = [said if real else paint("no difference", "clean", colourful and not unread)]
    parts += _counts(compared)
    if unread:
        parts.append(f"not wholly read: {fold(unread)}")
    return f"{', '.join(parts)} in {len(compared.seen)} devices"


def _counts(compared: Comparison) -> Iterator[str]:
    gaps = sum(d.count for d in compared.differences if d.kind is Kind.NOT_CHECKED)
    lines = sum(len(there.unread) for there in compared.seen.values())
    ports = sum(len(names) for names in compared.undeclared.values())
    for number, what in (
        (gaps, "not checked"),
        (lines, "lines not understood"),
        (ports, "ports not declared"),
    ):
        if number:
            yield f"{number} {what}"


def document(compared: Comparison) -> dict[str, Any]:
    """Return a comparison as plain data."""
    first, second = compared.sides
    return {
        "schema": SCHEMA_NUMBER,
        "tool": {"name": "lossless", "version": __version__},
        "sides": [first, second],
        "summary": {
            "differences": len(compared.real),
            "not_checked": len(compared.differences) - len(compared.real),
            "devices": len(compared.seen),
            "not_read": [name for name, there in compared.seen.items() if there.faults],
        },
        "differences": [row(d) for d in compared.real],
        "not_checked": [row(d) for d in compared.differences if d.kind is Kind.NOT_CHECKED],
        "devices": {
            name: {
                "faults": [_fault(fault.text, fault.location) for fault in there.faults],
                "notes": [_fault(note.text, note.location) for note in there.notes],
                "undeclared_ports": list(compared.undeclared.get(name, ())),
                "unread": [{"file": u.file, "line": u.line, "text": u.text} for u in there.unread],
                "mending": _mended(compared.lines.get(name)),
            }
            for name, there in compared.seen.items()
        },
    }


def row(difference: Difference) -> dict[str, Any]:
    """Return a difference as plain data."""
    return {
        "kind": difference.kind.value,
        "field": difference.field,
        "leaves": difference.leaves,
        "objects": list(difference.objects),
        "count": difference.count,
        "wanted": plain(difference.wanted),
        "found": plain(difference.found),
        "wanted_location": _location(difference.place),
        "found_location": _location(difference.captured),
    }


def _mended(mending: Mending | None) -> dict[str, Any] | None:
    if mending is None:
        return None
    return {"operations": mending.operations, "files": mending.files}


def _fault(said: str, place: Location | None) -> dict[str, Any]:
    return {"message": said, "location": _location(place)}


def _location(place: Location | None) -> dict[str, Any] | None:
    if place is None:
        return None
    return {"file": relative(place.file), "line": place.line, "column": place.column}


def _word(value: Any, leaves: str) -> str:
    if value is None:
        return "not told"
    last = leaves.rpartition(".")[2]
    if type(value) is int and last in _UNITS:
        return _UNITS[last](value)
    return visible(shown(value))


def _place(place: Location) -> str:
    return f"{relative(place.file)}:{place.line}:{place.column}"


def _indented(content: str) -> Iterator[str]:
    yield from (f"    {visible(line)}" for line in content.rstrip("\n").split("\n"))


def visible(said: str) -> str:
    """Return a text whose control characters can be seen and do nothing."""
    return _CONTROL.sub(lambda m: " " if m[0] == "\t" else f"\\x{ord(m[0]):02x}", said)


def paint(said: str, what: str, colourful: bool) -> str:
    """Colour a text where colours are wanted."""
    return f"\x1b[{_CODES[what]}m{said}\x1b[0m" if colourful else said
