"""Bonds, LAGs, multi-chassis pairs and breakouts of one device."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from lossless.intent.entries import read_names
from lossless.intent.expressions import ExpressionError, parse_template
from lossless.intent.layers import Path, is_off
from lossless.intent.loops import LoopError, read_loop
from lossless.intent.problems import Problems
from lossless.inventory.kinds import Breakout
from lossless.model.device import Aggregate, Mlag
from lossless.model.values import OFF
from lossless.nodeset import NodeSetError, expand

#: Finds where a key of a device is written ("bonds", "bond0", …).
Where = Callable[..., Path]


@dataclass(slots=True, eq=False)
class Aggregates:
    """The aggregates of a device, which of them each member belongs to, and by which key of
    `lags` a member was named.
    """

    found: list[Aggregate] = field(default_factory=list)
    of: dict[str, str] = field(default_factory=dict)
    lag_of: dict[str, str] = field(default_factory=dict)


def read_aggregates(
    data: Mapping[str, Any], ports: Collection[str], where: Where, problems: Problems
) -> Aggregates:
    """Return bonds and LAGs; members that are no ports, or have two aggregates, are problems."""
    out = Aggregates()
    for key in ("bonds", "lags"):
        for name, held in (data.get(key) or {}).items():
            path = where(key, name)
            for aggregate in _expand(name, held or {}, path, problems):
                _join(out, aggregate, ports, path, problems)
                if key == "lags":
                    out.lag_of.update(dict.fromkeys(aggregate.members, name))
    return out


def _join(
    out: Aggregates,
    aggregate: Aggregate,
    ports: Collection[str],
    path: Path,
    problems: Problems,
) -> None:
    out.found.append(aggregate)
    for member in aggregate.members:
        if member not in ports:
            problems.add(
                f"{aggregate.name} has the member {member}, which is not a declared port",
                (*path, "members"),
            )
        elif out.of.setdefault(member, aggregate.name) != aggregate.name:
            problems.add(
                f"{member} is a member of {out.of[member]} and of {aggregate.name}",
                (*path, "members"),
            )


def _expand(
    key: str, held: Mapping[str, Any], path: Path, problems: Problems
) -> Iterator[Aggregate]:
    names = read_names(key, path, problems)
    try:
        loop = read_loop(held.get("for"))
    except LoopError as error:
        problems.add(str(error), (*path, "for"))
        return
    rounds = list(loop.rounds())
    if len(names) != len(rounds):
        hint = "a set of aggregates needs a for with as many rounds"
        problems.add(f"{key!r} names {len(names)} and its for has {len(rounds)} rounds", path, hint)
        return
    for name, values in zip(names, rounds, strict=True):
        environment = dict(zip(loop.names, values, strict=True))
        try:
            members = tuple(_members(held.get("members"), environment))
            rdma = held.get("rdma")
            yield Aggregate(
                name=name,
                members=members,
                mode=held.get("bond_mode"),
                role=getattr(held.get("role"), "value", held.get("role")),
                rdma=_text(rdma, environment) if isinstance(rdma, str) else None,
            )
        except (ExpressionError, NodeSetError) as error:
            problems.add(str(error), path)
            return


def _members(written: Any, environment: Mapping[str, int]) -> Iterator[str]:
    texts = [written] if isinstance(written, str) else list(written or ())
    for text in texts:
        yield from expand(_text(text, environment))


def _text(text: str, environment: Mapping[str, int]) -> str:
    return parse_template(text, tuple(environment))(environment)


def read_mlag(
    data: Mapping[str, Any], known: Collection[str], where: Where, problems: Problems
) -> Mlag | None:
    """Return a device's multi-chassis pair; its peer link is a port or an aggregate, or none."""
    held = data.get("mlag")
    if not isinstance(held, Mapping):
        return None
    peer = held.get("peer_link")
    peer = None if peer is OFF or is_off(peer) else peer
    if isinstance(peer, str) and peer not in known:
        problems.add(
            f"the peer link {peer} is neither a port nor a LAG of this switch",
            where("mlag", "peer_link"),
        )
    return Mlag(domain=str(held.get("domain")), peer_link=peer if isinstance(peer, str) else None)


@dataclass(frozen=True, slots=True)
class Child:
    """The port that another was broken out of, and how."""

    parent: str
    split: Breakout


_NUMBERED = re.compile(r"(.*?)([0-9]+)\Z", re.DOTALL)
_SPEED_PREFIX = re.compile(r"[0-9]+(?=[A-Za-z])")
_SEPARATED = re.compile(r"[^0-9A-Za-z]?[A-Za-z]?[0-9]+\Z")


def read_breakouts(
    data: Mapping[str, Any], ports: Collection[str], where: Where, problems: Problems
) -> dict[str, Child]:
    """Return which ports are parts of a split one.

    A part is named after the whole and a number ("swp1s0", "et-0/0/0:1", "Ethernet1/1/2"), with
    another speed in front ("200GE1/0/1:1" of "400GE1/0/1"), or by the number of its first lane
    ("Ethernet4", between "Ethernet0" and the next whole "Ethernet8").
    """
    parents: dict[str, Breakout] = {}
    for key, split in (data.get("breakout") or {}).items():
        for name in read_names(key, where("breakout", key), problems):
            if isinstance(split, Breakout):
                parents[name] = split
    if not parents:
        return {}
    bare = {_bare(name): name for name in parents}
    lanes = _lanes(parents)
    out: dict[str, Child] = {}
    for port in ports:
        parent = _named_parent(port, bare) or _lane_parent(port, lanes, parents)
        if parent is not None:
            out[port] = Child(parent, parents[parent])
    return out


def _bare(name: str) -> str:
    return _SPEED_PREFIX.sub("", name, count=1) if name[:1].isdigit() else name


def _named_parent(port: str, bare: Mapping[str, str]) -> str | None:
    name = _bare(port)
    for end in range(len(name) - 1, max(0, len(name) - 5), -1):
        if name[:end] in bare and _SEPARATED.match(name[end:]) and not name[end].isdigit():
            return bare[name[:end]]
    return None


def _lanes(parents: Collection[str]) -> dict[str, list[int]]:
    """Return the numbers of split ports that are counted in lanes, by what stands before them."""
    out: dict[str, list[int]] = {}
    for name in parents:
        match = _NUMBERED.match(name)
        if match:
            out.setdefault(match.group(1), []).append(int(match.group(2)))
    return {text: sorted(numbers) for text, numbers in out.items()}


def _lane_parent(
    port: str, lanes: Mapping[str, list[int]], parents: Mapping[str, Breakout]
) -> str | None:
    match = _NUMBERED.match(port)
    if match is None or match.group(1) not in lanes:
        return None
    number, starts = int(match.group(2)), lanes[match.group(1)]
    below = [start for start in starts if start <= number]
    if not below:
        return None
    width = min((b - a for a, b in pairwise(starts)), default=0)
    parent = f"{match.group(1)}{below[-1]}"
    inside = number == below[-1] or number - below[-1] < width
    return parent if inside and (width == 0 or width >= parents[parent][0]) else None
