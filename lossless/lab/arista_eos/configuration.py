"""The configuration of a simulated EOS: lines change it, and it prints what it holds.

It knows nothing of what lines mean to whom: it keeps them in a tree.  A line replaces the line that
sets the same thing; `no` and `default` take it away; what is in use cannot be deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lossless.lab.arista_eos import grammar

Path = tuple[str, ...]


class Refused(Exception):  # noqa: N818 - what a box does, not what went wrong here
    """The box does not take a line; the argument says why."""


@dataclass(slots=True)
class Block:
    """A mode: lines by what they set, and modes below by the line that opens them."""

    lines: dict[str, str] = field(default_factory=dict)
    blocks: dict[str, Block] = field(default_factory=dict)

    def text(self, depth: int = 0) -> Iterator[str]:
        """Yield its lines, each mode after a line of its own; what is used before its users."""
        for line in self.lines.values():
            yield "   " * depth + line
        for name, block in sorted(self.blocks.items(), key=lambda b: b[0].startswith("interface")):
            yield "   " * depth + "!"
            yield "   " * depth + name
            yield from block.text(depth + 1)

    def copy(self) -> Block:
        """Return a copy that shares nothing that can change."""
        return Block(dict(self.lines), {name: b.copy() for name, b in self.blocks.items()})


class Configuration:
    """A running configuration, or a candidate.

    `ports` are the interfaces that the box has: there is no other Ethernet interface then.
    """

    def __init__(self, text: str = "", ports: Iterable[str] = ()) -> None:
        self.top = Block()
        self._ports = frozenset(ports)
        for name in ports:
            self.top.blocks[f"interface {name}"] = Block()
        self.load(text)

    def copy(self) -> Configuration:
        """Return a copy that shares nothing that can change."""
        other = Configuration()
        other.top, other._ports = self.top.copy(), self._ports
        return other

    def load(self, text: str) -> None:
        """Enter lines.  Raises `Refused` at the first that is refused."""
        for _, _, why in self.refused(text):
            raise why

    def refused(self, text: str) -> Iterator[tuple[int, str, Refused]]:
        """Enter lines, and yield those that are refused, with their numbers; others stand.

        Indentation tells in which mode each is meant; lines below a refused mode are refused.
        """
        modes: list[tuple[int, Path | None]] = [(-1, ())]
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.strip()
            if not line or re.match(r"!(?!!)", line) or line == "end":
                continue
            indent = len(raw) - len(raw.lstrip())
            while modes[-1][0] >= indent:
                modes.pop()
            below = modes[-1][1]
            try:
                inner = self.enter(line, below) if below is not None else None
            except Refused as why:
                yield number, line, why
                inner = None
            if grammar.OPENS.fullmatch(line):
                modes.append((indent, inner))

    def enter(self, line: str, mode: Path = ()) -> Path:
        """Take a line in a mode, and return the mode that it leads to.  Raises `Refused`."""
        line = grammar.spelt(line)
        where = self._at(mode)
        if grammar.OPENS.fullmatch(line):
            self._open(line, mode, where)
            return (*mode, line)
        prefix, _, rest = line.partition(" ")
        negated = prefix in ("no", "default")
        body = grammar.spelt(rest) if negated else line
        if found := grammar.INDEXED_MAP.fullmatch(body):
            self._map(mode, f"qos map {found[1]}", found[2], found[3], negated=negated)
        elif found := grammar.CLASS_MAP.fullmatch(body):
            target = f"{found[2]} {found[3]}" if found[3] else None
            name = f"qos map traffic-class to {found[2]}"
            self._map(mode, name, found[1], target, negated=negated)
        elif found := grammar.MMU_PROFILE.fullmatch(body):
            self._mmu(found[1], line, apply=bool(found[2]), negated=negated)
        elif negated and grammar.OPENS.fullmatch(body):
            self._close(body, where, line)
        else:
            self._line(line, prefix, body, mode)
        return mode

    def _at(self, mode: Path) -> Block:
        block = self.top
        for step in mode:
            block = block.blocks[step]
        return block

    def _open(self, line: str, mode: Path, where: Block) -> None:
        queue = "tx-queue" in line
        if queue != bool(mode) or (mode and not mode[-1].startswith(("interface", "qos profile"))):
            raise Refused(f"{line}: not here")
        found = grammar.MMU_PROFILE.fullmatch(line)
        if found and self.applied() == found[1]:
            raise Refused(f"{line}: in force")
        name = line.removeprefix("interface ")
        if self._ports and name.startswith("Ethernet") and name not in self._ports:
            raise Refused(f"{line}: there is none")
        where.blocks.setdefault(line, Block())

    def _close(self, body: str, where: Block, line: str) -> None:
        if body.startswith("qos profile") and self.attached(body.rsplit(maxsplit=1)[-1]):
            raise Refused(f"{line}: attached")
        if body.removeprefix("interface ") in self._ports:
            raise Refused(f"{line}: hardware")
        where.blocks.pop(body, None)

    def applied(self) -> str | None:
        """Return the MMU profile that is in force."""
        found = grammar.MMU_PROFILE.fullmatch(self.top.lines.get("mmu apply", ""))
        return found[1] if found else None

    def attached(self, name: str) -> list[str]:
        """Return the interfaces that use a profile."""
        wanted = f"service-profile {name}"
        return [
            opened.removeprefix("interface ")
            for opened, block in self.top.blocks.items()
            if block.lines.get("service-profile") == wanted
        ]

    def _mmu(self, name: str, line: str, *, apply: bool, negated: bool) -> None:
        header = f"platform trident mmu queue profile {name}"
        if header not in self.top.blocks:
            raise Refused(f"{line}: no such profile")
        if not apply:
            if self.applied() == name:
                raise Refused(f"{line}: in force")
            del self.top.blocks[header]
        elif negated:
            if self.applied() != name:
                raise Refused(f"{line}: not in force")
            del self.top.lines["mmu apply"]
        else:
            self.top.lines["mmu apply"] = line

    def _map(
        self, mode: Path, name: str, indexes: str, target: str | None, *, negated: bool
    ) -> None:
        if mode:
            raise Refused(f"{name}: not here")
        most = 64 if name == "qos map dscp" else 8
        for index in indexes.split():
            if int(index) >= most or (target is None and not negated):
                raise Refused(f"{name} {index}: out of range or incomplete")
        for index in indexes.split():
            key = f"{name} {int(index)}"
            self.top.lines.pop(key, None)
            if not negated and target is not None:
                head = name.removesuffix(" to " + target.split()[0])
                self.top.lines[key] = f"{head} {int(index)} to {target}"

    def _line(self, line: str, prefix: str, body: str, mode: Path) -> None:
        key = _sets(body, mode[-1] if mode else None, needed=prefix not in ("no", "default"))
        if key is None:
            raise Refused(line)
        profile = body.rsplit(maxsplit=1)[-1]
        attaches = key == "service-profile" and prefix not in ("no", "default")
        if attaches and f"qos profile {profile}" not in self.top.blocks:
            raise Refused(f"{line}: no such profile")
        where = self._at(mode)
        where.lines.pop(key, None)
        if prefix == "default" or (prefix == "no" and not grammar.SHOWN_NO.fullmatch(key)):
            return
        if not grammar.HIDDEN.fullmatch(line):
            where.lines[key] = f"no {key}" if prefix == "no" else line

    def text(self) -> str:
        """Print the running configuration, without the remarks above it."""
        return "\n".join([*self.top.text(), "end", ""])


def _sets(body: str, mode: str | None, *, needed: bool) -> str | None:
    """Return what a line sets in a mode; `None` where it is no line of that mode."""
    for sets, rest in grammar.of_mode(mode):
        found = sets.match(body)
        if found is None or body[found.end() : found.end() + 1] not in ("", " "):
            continue
        told = body[found.end() + 1 :]
        if rest.fullmatch(told) or (not needed and not told):
            return found[0]
    return None
