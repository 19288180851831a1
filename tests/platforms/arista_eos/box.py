"""An EOS box as far as its configuration goes, written from the manual and from dumps.

It knows nothing of the project's slots or macros: it takes lines, keeps them in a tree, and prints
them.  A line replaces the line that sets the same thing; `no` and `default` take it away; what is
in use cannot be deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator


class Refused(Exception):
    """The box does not take a line."""


#: What a line sets, by its first words; a group's content belongs to the name of the thing.
SETS: tuple[str, ...] = (
    r"shutdown",
    r"mtu",
    r"l2 mtu",
    r"speed",
    r"error-correction encoding",
    r"phy link training",
    r"switchport mode",
    r"switchport access vlan",
    r"switchport trunk native vlan",
    r"switchport trunk allowed vlan",
    r"switchport$",
    r"flowcontrol send",
    r"flowcontrol receive",
    r"dcbx mode",
    r"service-profile",
    r"service-policy type qos input",
    r"qos trust",
    r"qos cos",
    r"qos dscp",
    r"qos rewrite dscp",
    r"qos rewrite cos",
    r"qos random-detect ecn global-buffer",
    r"qos random-detect ecn allow non-ect",
    r"qos tx-queue \d scheduler profile responsive",
    r"qos tx-queue shape rate percent adaptive",
    r"hardware counter feature ecn out",
    r"platform sand qos map traffic-class \d",
    r"priority-flow-control priority \d",
    r"priority-flow-control pause watchdog default timeout",
    r"priority-flow-control pause watchdog default recovery-time",
    r"priority-flow-control pause watchdog default polling-interval",
    r"priority-flow-control pause watchdog action",
    r"priority-flow-control pause watchdog override action",
    r"priority-flow-control pause watchdog port action",
    r"priority-flow-control pause watchdog port timer",
    r"priority-flow-control pause watchdog$",
    r"priority-flow-control all off",
    r"priority-flow-control(?= on$|$)",
    r"platform trident mmu headroom-pool limit",
    r"ingress priority-group \d (?:reserved|threshold)",
    r"ingress (?:reserved|threshold|headroom|resume)",
    r"egress unicast queue \d (?:reserved|threshold)",
    r"egress multicast queue \d (?:reserved|threshold)",
    r"random-detect ecn delay threshold",
    r"random-detect ecn minimum-threshold",
    r"random-detect ecn count",
    r"random-detect drop drop-precedence \d",
    r"random-detect drop(?! drop-)",
    r"priority(?= strict$|$)",
    r"bandwidth percent",
    r"bandwidth guaranteed",
    r"shape rate",
    r"!!.*",
    r"description",
)
SET = re.compile("|".join(f"({pattern})" for pattern in SETS))
#: Lines whose "no" is shown, because it is not what the box does by itself.
SHOWN_NO = re.compile(
    r"switchport$|qos trust|priority$|priority-flow-control pause watchdog$|qos rewrite cos"
    r"|error-correction encoding"
)
#: Lines that say what the box does anyway and that it therefore does not show.
HIDDEN = re.compile(r"switchport|priority-flow-control pause watchdog|no shutdown")
MAP = re.compile(
    r"qos map (dscp|cos|exp) ([\d ]+?)(?: to (traffic-class \d(?: drop-precedence \d)?))?"
)
TC_MAP = re.compile(r"qos map traffic-class ([\d ]+?) to (tx-queue|dscp|cos)(?: (\d+))?")
MMU = re.compile(r"platform trident mmu queue profile (\S+)( apply)?")
BLOCK = re.compile(
    r"interface \S+|qos profile \S+|platform trident mmu queue profile \S+$"
    r"|(?:uc-|mc-)?tx-queue \d"
)


class Block:
    """A mode: lines by what they set, and modes below."""

    def __init__(self) -> None:
        self.lines: dict[str, str] = {}
        self.blocks: dict[str, Block] = {}

    def text(self, depth: int = 0) -> Iterator[str]:
        for line in self.lines.values():
            yield "   " * depth + line
        for name, block in self.blocks.items():
            yield "   " * depth + "!"
            yield "   " * depth + name
            yield from block.text(depth + 1)


class Box:
    """A running configuration."""

    def __init__(self, text: str = "") -> None:
        self.top = Block()
        self.load(text)

    def load(self, text: str) -> None:
        """Enter lines; indentation tells in which mode each is meant."""
        path: list[tuple[int, Block]] = [(-1, self.top)]
        for raw in text.splitlines():
            line = raw.strip()
            if (
                not line
                or re.match(r"!(?!!)", line)
                or line == "end"
                or line.startswith("hostname")
            ):
                continue
            indent = len(raw) - len(raw.lstrip())
            while path[-1][0] >= indent:
                path.pop()
            where = path[-1][1]
            if BLOCK.fullmatch(line):
                self._mode(line)
                path.append((indent, where.blocks.setdefault(line, Block())))
            else:
                self.enter(line, where)

    def _mode(self, line: str) -> None:
        found = MMU.fullmatch(line)
        if found and self.applied() == found[1]:
            raise Refused(f"{line}: in force")

    def applied(self) -> str | None:
        found = MMU.fullmatch(self.top.lines.get("mmu apply", ""))
        return found[1] if found else None

    def attached(self, name: str) -> bool:
        wanted = f"service-profile {name}"
        return any(b.lines.get("service-profile") == wanted for b in self.top.blocks.values())

    def enter(self, line: str, where: Block) -> None:
        prefix, _, rest = line.partition(" ")
        negated = prefix in ("no", "default")
        body = rest if negated else line
        if found := MAP.fullmatch(body):
            self._map(where, f"qos map {found[1]}", found[2], found[3], negated)
        elif found := TC_MAP.fullmatch(body):
            target = f"{found[2]} {found[3]}" if found[3] else None
            self._map(where, f"qos map traffic-class to {found[2]}", found[1], target, negated)
        elif negated and re.fullmatch(r"qos profile \S+", body):
            if self.attached(body.split()[-1]):
                raise Refused(f"{line}: attached")
            self.top.blocks.pop(body)
        elif found := MMU.fullmatch(body):
            self._mmu(found[1], bool(found[2]), negated, line)
        else:
            self._line(line, prefix, body, where)

    def _mmu(self, name: str, apply: bool, negated: bool, line: str) -> None:
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
        self, where: Block, name: str, indexes: str, target: str | None, negated: bool
    ) -> None:
        if where is not self.top:
            raise Refused(f"{name}: not here")
        for index in indexes.split():
            where.lines.pop(f"{name} {index}", None)
            if not negated:
                if target is None:
                    raise Refused(f"{name} {index}: incomplete")
                head = name.removesuffix(" to " + target.split()[0])
                where.lines[f"{name} {index}"] = f"{head} {index} to {target}"

    def _line(self, line: str, prefix: str, body: str, where: Block) -> None:
        found = SET.match(body)
        if found is None:
            raise Refused(line)
        key = found[0]
        attaches = key == "service-profile" and prefix not in ("no", "default")
        if attaches and f"qos profile {line.rsplit(maxsplit=1)[-1]}" not in self.top.blocks:
            raise Refused(f"{line}: no such profile")
        # a curve of drops without a precedence is a thing of its own
        where.lines.pop(key, None)
        if prefix == "default" or (prefix == "no" and not SHOWN_NO.fullmatch(key)):
            return
        if not HIDDEN.fullmatch(line):
            where.lines[key] = line

    def text(self) -> str:
        """Print the running configuration."""
        return "\n".join([*self.top.text(), "end", ""])
