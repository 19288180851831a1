"""Operations made of what has to change, each with its place in the order.

What adds goes first in the order of phases, then what takes away in the reverse order, then what
nobody uses any more is deleted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from lossless.model.operation import Op, Phase, Verb
from lossless.platforms.arista_eos.grammar import RAW
from lossless.platforms.arista_eos.mmu import plan_mmu
from lossless.platforms.arista_eos.objects import (
    ATTACH,
    MMU_APPLY,
    MMU_PROFILE,
    NO_IMPACT,
    PROFILE,
    RANK,
    THINGS,
    Thing,
    numbers,
    thing,
)
from lossless.platforms.arista_eos.placement import Edit, Placed
from lossless.platforms.arista_eos.slots import LOCAL, Native, Slot

_ADDS: Final = 0
_TAKES: Final = 1
_LAST: Final = 2
_AREAS: Final = {"mmu": 0, "profile": 1, "interface": 2, "system": 3}
_HEADERS: Final = {
    "mmu": "platform trident mmu queue profile",
    "profile": "qos profile",
    "interface": "interface",
}
#: Slots whose statement takes something away, so that its removal adds.
_TAKERS: Final = frozenset({"pfc_stopped", "shutdown"})


@dataclass(frozen=True, slots=True)
class Ordered:
    """An operation and its place in the order."""

    order: tuple[Any, ...]
    op: Op


def edit_ops(edits: Iterable[Edit], fresh: bool) -> Iterator[Ordered]:
    """Yield the operations that edit slots; `fresh`: the box is at its defaults."""
    for edit in edits:
        word, object_ = thing(edit.slot)
        phase = object_.phase
        if edit.section == "interface" and edit.slot[0] in LOCAL and fresh:
            phase = Phase.PFC  # nothing runs yet: the interface is written in one place
        if not edit.live:
            phase = Phase.PREPARE
        takes = (edit.new is None) != (edit.slot[0] in _TAKERS)
        yield Ordered(
            _order(
                _TAKES if takes else _ADDS,
                phase,
                edit.section,
                edit.name,
                edit.slot,
                RANK[word],
            ),
            Op(
                verb=Verb.UNSET if edit.new is None else Verb.SET,
                object=object_.name,
                key=numbers(edit.slot),
                old=edit.old,
                new=edit.new,
                context=_context(edit),
                phase=phase,
                impact=object_.impact if edit.live else NO_IMPACT,
                source=object_.source,
            ),
        )


def _context(edit: Edit) -> tuple[str, ...]:
    if edit.section == "system":
        return ()
    context: tuple[str, ...] = (f"{_HEADERS[edit.section]} {edit.name}",)
    if edit.slot[0] == "queue":
        context += (f"{edit.kind or 'queue'} {edit.slot[1]}",)
    return context


def _order(
    stage: int, phase: Phase, section: str, name: str, slot: Slot, rank: int
) -> tuple[Any, ...]:
    """Return an operation's place: adding by phase, taking by phase backwards."""
    queue = int(slot[1]) if slot and slot[0] == "queue" else -1
    place = int(phase) if stage == _ADDS else -int(phase)
    return (stage, place, _AREAS[section], natural(name), queue, rank, _sortable(slot))


def _sortable(slot: Slot) -> tuple[str, ...]:
    return tuple(f"{part:04d}" if isinstance(part, int) else part for part in slot)


def natural(name: str) -> tuple[Any, ...]:
    """Return a sort key by which Ethernet2 stands before Ethernet10."""
    return tuple(
        (0, int(part), "") if part.isdigit() else (1, 0, part)
        for part in re.split(r"(\d+)", name)
        if part
    )


def _object_op(
    object_: Thing,
    verb: Verb,
    name: str,
    *,
    stage: int,
    phase: Phase,
    section: str,
    rank: int,
    key: tuple[str, ...] = (),
    old: Any = None,
    new: Any = None,
    context: tuple[str, ...] = (),
) -> Ordered:
    return Ordered(
        _order(stage, phase, section, name, (), rank),
        Op(
            verb=verb,
            object=object_.name,
            key=key or (name,),
            old=old,
            new=new,
            context=context,
            phase=phase,
            impact=object_.impact,
            source=object_.source,
        ),
    )


def profile_ops(placed: Placed) -> Iterator[Ordered]:
    """Yield the operations that create, fill, attach and delete qos profiles."""
    for name in placed.created:
        yield _object_op(
            PROFILE,
            Verb.CREATE,
            name,
            stage=_ADDS,
            phase=Phase.PREPARE,
            section="profile",
            rank=-1,
            new=name,
        )
    for name, line in placed.kept:
        yield _kept_op("profile", name, line.context, line.text)
    for swap in placed.swaps:
        yield _object_op(
            ATTACH,
            Verb.DETACH if swap.new is None else Verb.ATTACH,
            swap.port,
            stage=_TAKES if swap.late else _ADDS,
            phase=Phase.PFC,
            section="interface",
            rank=len(RANK),
            old=swap.old,
            new=swap.new,
            context=(f"interface {swap.port}",),
        )
    for name in placed.deleted:
        yield _object_op(
            PROFILE,
            Verb.DELETE,
            name,
            stage=_LAST,
            phase=Phase.CLEANUP,
            section="profile",
            rank=0,
            old=name,
        )


def _kept_op(section: str, name: str, inner: tuple[str, ...], text: str) -> Ordered:
    queue = re.fullmatch(r"\S+ (\d+)", inner[0]) if inner else None
    slot: Slot = ("queue", int(queue[1]), "kept") if queue else ("kept",)
    kept = THINGS["kept"]
    return Ordered(
        _order(_ADDS, Phase.PREPARE, section, name, slot, RANK["kept"]),
        Op(
            verb=Verb.SET,
            object=kept.name,
            key=(text,),
            new=text,
            context=(f"{_HEADERS[section]} {name}", *inner),
            phase=Phase.PREPARE,
            source=kept.source,
        ),
    )


_MAPS: Final = {THINGS[word].name for word in ("dscp", "cos", "tx_queue")} | {
    THINGS[word].name for word in ("rewrite_dscp_to", "rewrite_cos_to")
}


def merged(ops: Iterable[Ordered]) -> Iterator[Ordered]:
    """Make one operation of the entries of a map that go to the same place: they are one line."""
    groups: dict[tuple[Any, ...], list[Ordered]] = {}
    for item in ops:
        if item.op.object not in _MAPS:
            yield item
            continue
        op = item.op
        # An entry is removed without naming its target, a rewrite map's by naming it.
        groups.setdefault((op.verb, op.object, op.new, item.order[0]), []).append(item)
    for (verb, object_, new, _), items in groups.items():
        items.sort(key=lambda item: item.op.key)
        first = items[0].op
        yield Ordered(
            items[0].order,
            Op(
                verb=verb,
                object=object_,
                key=tuple(item.op.key[0] for item in items),
                old=tuple(item.op.old for item in items),
                new=new,
                phase=first.phase,
                impact=first.impact,
                source=first.source,
            ),
        )


def raw_ops(old: tuple[str, ...], new: tuple[str, ...]) -> Iterator[Ordered]:
    """Raw lines, where any are told, are the whole list."""
    if not new:
        return
    raw = THINGS["raw"]
    for line in sorted(set(old) ^ set(new)):
        if not RAW.fullmatch(line):
            continue
        adds = line in new
        yield _object_op(
            raw,
            Verb.SET if adds else Verb.UNSET,
            line,
            stage=_ADDS if adds else _TAKES,
            phase=raw.phase,
            section="system",
            rank=RANK["raw"],
            old=None if adds else line,
            new=line if adds else None,
        )


def mmu_ops(
    old: Mapping[Slot, Any], new: Mapping[Slot, Any], box: Native, fresh: bool
) -> Iterator[Ordered]:
    """Yield the operations that replace the MMU queue profile in force."""
    if old == new:
        return
    change = plan_mmu(old, new, box)
    stage = _TAKES if change.shrinks else _ADDS
    if change.name:
        yield _object_op(
            MMU_PROFILE,
            Verb.CREATE,
            change.name,
            stage=_ADDS,
            phase=Phase.PREPARE,
            section="mmu",
            rank=-1,
            new=change.name,
        )
        edits = [
            Edit("mmu", change.name, slot, None, held, live=False)
            for slot, held in change.content.items()
        ]
        yield from edit_ops(edits, fresh)
        for line in change.kept:
            yield _kept_op("mmu", change.name, line.context, line.text)
    yield _object_op(
        MMU_APPLY,
        Verb.ATTACH if change.name else Verb.DETACH,
        change.name or change.old or "",
        stage=stage,
        phase=Phase.BUFFERS,
        section="mmu",
        rank=len(RANK),
        old=change.old,
        new=change.name or None,
    )
    if change.old is not None and change.old in box.mmu:
        yield _object_op(
            MMU_PROFILE,
            Verb.DELETE,
            change.old,
            stage=_LAST,
            phase=Phase.CLEANUP,
            section="mmu",
            rank=0,
            old=change.old,
        )
