"""What is gathered while a host's outputs are read one after another."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Final

from lossless.platforms.contract import Diagnostic, Output, Unread

Leaf = tuple[str | int, ...]
UNKNOWN: Final = "?"  # the port of an output of which nobody said whose it is


@dataclass(slots=True)
class Reader:
    """What was read so far.  `told` holds facet fields by port; `switches` single enable files."""

    told: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    switches: dict[tuple[str, str], dict[int, bool]] = field(default_factory=dict)
    netdevs: dict[str, str] = field(default_factory=dict)
    rows: list[tuple[dict[str, Any], str | None]] = field(default_factory=list)
    lldpad: bool | None = None
    unread: list[Unread] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    lines: dict[Leaf, tuple[str | None, int]] = field(default_factory=dict)
    coverage: set[str] = field(default_factory=set)

    def tell(self, port: str, facet: str, **fields: Any) -> None:
        """Note fields of one facet of a port."""
        self.told.setdefault(port, {}).setdefault(facet, {}).update(fields)

    def seen(self, output: Output, line: int, *path: str | int) -> None:
        """Note on which line a leaf was read."""
        self.lines[("ports", *path)] = (output.file or output.command or None, line)

    def damaged(self, output: Output, line: int, text: str) -> None:
        """Note damage to the text itself."""
        self.diagnostics.append(Diagnostic("damaged", text, line, output.file))

    def fact(self, subject: str, name: str, value: str) -> None:
        """Note what a NIC is."""
        self.facts[f"{subject}.{name}"] = value


def port_of(output: Output, subject: str | None) -> str:
    """Name the port that an output speaks of, by what was asked or by its file."""
    return subject or (PurePath(output.file).name if output.file else "") or UNKNOWN


def of_rdma(reader: Reader, output: Output, subject: str | None) -> str:
    """Name the port of an RDMA device: its interface, or itself where none is known."""
    if subject is None:
        return port_of(output, None)
    return reader.netdevs.get(subject, subject)
