"""From two boxes to ordered operations.

What adds goes first in the order of phases, then what takes away in the reverse order, then what
nobody uses any more is deleted.  So packets are never put into a lossless group on a port that does
not yet, or no longer, pause for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from lossless.model.operation import Op, Verb
from lossless.model.values import OFF
from lossless.platforms.cisco_nxos import objects
from lossless.platforms.cisco_nxos.box import (
    NETWORK,
    QOS_IN,
    Box,
    Holder,
    PfcLine,
    Place,
    Slot,
    is_default,
)
from lossless.platforms.cisco_nxos.objects import Thing
from lossless.platforms.cisco_nxos.policies import (
    ADDS,
    TAKES,
    Ordered,
    created,
    deleted,
    edited,
    intermediate,
    ordered,
)
from lossless.platforms.cisco_nxos.unsafe import Swap, network_swap


def differ(old: Box, new: Box, *, fresh: bool = False) -> tuple[Op, ...]:
    """Return the operations that make one box the other.

    `fresh`: the box is at its defaults and carries nothing, so that each interface is written in
    one place.
    """
    swap = network_swap(old, new)
    found = [
        *created(old, new),
        *intermediate(swap),
        *edited(old, new),
        *_holders(old, new, swap, fresh),
        *_raw(old, new),
        *deleted(old, new, swap),
    ]
    return tuple(item.op for item in sorted(found, key=lambda item: item.order))


# --- interfaces and the box ----------------------------------------------------------------------


def _holders(old: Box, new: Box, swap: Swap, fresh: bool) -> Iterator[Ordered]:
    for who, held in new.holders():
        before = old.system if who is None else old.interfaces.get(who, Holder())
        found = [*_settings(who, before, held), *_attachments(who, before, held, swap)]
        for item in found:
            if fresh and who is not None:
                yield _in_one_place(item)
            else:
                yield item


def _in_one_place(item: Ordered) -> Ordered:
    """Write an interface after everything else: nothing runs yet."""
    return replace(item, order=(ADDS, 1000, item.order[2], item.order[3], item.order[4]))


def _context(who: str | None) -> tuple[str, ...]:
    return ("system qos",) if who is None else (f"interface {who}",)


def _settings(who: str | None, before: Holder, held: Holder) -> Iterator[Ordered]:
    things = objects.BOX if who is None else objects.PORT
    for rank, (name, thing) in enumerate(things.items()):
        slot: Slot = (name,)
        old, new = before.slots.get(slot), held.slots.get(slot)
        if old == new:
            continue
        impact_free = name == "shutdown" and new is OFF
        yield ordered(
            thing,
            Verb.UNSET if new is None else Verb.SET,
            stage=TAKES if _takes(name, old, new) else ADDS,
            area="system" if who is None else "interface",
            name=who or "",
            rank=(rank,),
            old=old,
            new=new,
            context=() if who is None else _context(who),
            live=not impact_free,
        )


def _takes(name: str, old: Any, new: Any) -> bool:
    if name == "pfc":
        return _strength(new) < _strength(old)
    if name == "mtu":
        return (1500 if new is None else new) < (1500 if old is None else old)
    if name in ("shutdown", "dcbxp"):
        return new in (True, OFF) and not (name == "shutdown" and new is OFF)
    return name in ("watchdog", "dcbx") and new is None


def _strength(line: Any) -> int:
    """PFC on counts more than PFC that is negotiated, and that more than none."""
    if not isinstance(line, PfcLine):
        return 1
    return 2 if line.mode == "on" else 0


def _attachments(who: str | None, before: Holder, held: Holder, swap: Swap) -> Iterator[Ordered]:
    for rank, (place, thing) in enumerate(objects.ATTACH.items()):
        old, new = before.attached.get(place), held.attached.get(place)
        if old == new:
            continue
        if place == NETWORK:
            yield from _network(thing, swap, old, new)
            continue
        stage = ADDS if new is not None else TAKES
        yield _attach(thing, who, place, old, new, stage, 50 + rank)


def _attach(
    thing: Thing,
    who: str | None,
    place: Place,
    old: str | None,
    new: str | None,
    stage: int,
    rank: int,
) -> Ordered:
    # Which class packets are in is decided last on a port, whatever else is attached there.
    return ordered(
        thing,
        Verb.DETACH if new is None else Verb.ATTACH,
        stage=stage,
        area="system" if who is None else "interface",
        name=who or "",
        rank=(rank + (10 if place == QOS_IN else 0),),
        key=place,
        old=None if is_default(old) else old,
        new=new,
        context=_context(who),
    )


def _network(thing: Thing, swap: Swap, old: str | None, new: str | None) -> Iterator[Ordered]:
    if swap.between is None:
        yield _attach(thing, None, NETWORK, old, new, TAKES if swap.late else ADDS, 50)
        return
    yield _attach(thing, None, NETWORK, old, swap.between.name, ADDS, 50)
    yield _attach(thing, None, NETWORK, swap.between.name, new, TAKES, 50)


def _raw(old: Box, new: Box) -> Iterator[Ordered]:
    for line in sorted(old.raw.keys() ^ new.raw.keys()):
        adds = line in new.raw
        yield ordered(
            objects.RAW,
            Verb.SET if adds else Verb.UNSET,
            stage=ADDS if adds else TAKES,
            area="raw",
            name=line,
            old=None if adds else line,
            new=line if adds else None,
        )
