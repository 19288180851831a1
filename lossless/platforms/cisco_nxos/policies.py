"""Operations on objects: class maps and policy maps that are made, edited in place and deleted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from lossless.model.operation import Op, Phase, Verb
from lossless.platforms.cisco_nxos import objects
from lossless.platforms.cisco_nxos.box import Box, ClassMap, Policy, PolicyClass, Slot
from lossless.platforms.cisco_nxos.contents import BANDWIDTH, MTU, PRIORITY
from lossless.platforms.cisco_nxos.names import natural
from lossless.platforms.cisco_nxos.objects import NO_IMPACT, Thing
from lossless.platforms.cisco_nxos.unsafe import Swap

ADDS: Final = 0
TAKES: Final = 1
LAST: Final = 2
#: Where on the box: objects are made before they are attached, ports before the box, so that no
#: port follows the box's classification for a moment before it has its own.
_AREAS: Final = {"class-map": 0, "policy-map": 1, "raw": 2, "interface": 3, "system": 4}


@dataclass(frozen=True, slots=True)
class Ordered:
    """An operation and its place in the order."""

    order: tuple[Any, ...]
    op: Op


def ordered(
    thing: Thing,
    verb: Verb,
    *,
    stage: int,
    area: str,
    name: str,
    rank: tuple[int, ...] = (),
    phase: Phase | None = None,
    key: tuple[Any, ...] = (),
    old: Any = None,
    new: Any = None,
    context: tuple[str, ...] = (),
    live: bool = True,
) -> Ordered:
    """Return an operation with its place: adding by phase, taking by phase backwards."""
    when = thing.phase if phase is None else phase
    place = int(when) if stage == ADDS else -int(when)
    return Ordered(
        (stage, place, _AREAS[area], natural(name), rank),
        Op(
            verb=verb,
            object=thing.name,
            key=key,
            old=old,
            new=new,
            context=context,
            phase=when,
            impact=thing.impact if live else NO_IMPACT,
            source=thing.source,
        ),
    )


# --- objects -------------------------------------------------------------------------------------


def created(old: Box, new: Box) -> Iterator[Ordered]:
    """Yield what makes the objects that are new."""
    for key, held in new.class_maps.items():
        if key not in old.class_maps:
            yield from _class_map(held)
    for key, policy in new.policies.items():
        if key not in old.policies:
            yield from create_policy(policy)


def _class_map(held: ClassMap) -> Iterator[Ordered]:
    common: dict[str, Any] = {"stage": ADDS, "area": "class-map", "name": held.name}
    key = (held.kind, held.name, held.match)
    yield ordered(objects.CLASS_MAP, Verb.CREATE, key=key, new=held.name, rank=(0,), **common)
    context = (class_map_line(held),)
    for number, (word, points) in enumerate((("dscp", held.dscp), ("cos", held.cos)), 1):
        if points:
            yield ordered(
                objects.MATCH,
                Verb.SET,
                key=(word,),
                new=points,
                context=context,
                rank=(number,),
                **common,
            )


def class_map_line(held: ClassMap) -> str:
    """Return the line that enters a class map; its type of match belongs to it."""
    match = f" {held.match}" if held.match else ""
    return f"class-map type {held.kind}{match} {held.name}"


def policy_line(policy: Policy) -> str:
    """Return the line that enters a policy map."""
    return f"policy-map type {policy.kind} {policy.name}"


def class_line(policy: Policy, name: str) -> str:
    """Return the line that enters a class; a class of type qos is named without its type."""
    return f"class {name}" if policy.kind == "qos" else f"class type {policy.kind} {name}"


def create_policy(policy: Policy) -> Iterator[Ordered]:
    """Yield what makes a policy that nobody uses yet."""
    common: dict[str, Any] = {"stage": ADDS, "area": "policy-map", "name": policy.name}
    key = (policy.kind, policy.name)
    yield ordered(objects.POLICY, Verb.CREATE, key=key, new=policy.name, rank=(0,), **common)
    for number, one in enumerate(policy.classes.values(), 1):
        yield _class(policy, one, (number, 0), common)
        context = (policy_line(policy), class_line(policy, one.name))
        for slot, value in _by_rank(one.slots):
            yield ordered(
                _thing(slot),
                Verb.SET,
                phase=Phase.PREPARE,
                key=(one.name,),
                new=value,
                context=context,
                rank=(number, 1 + _rank(slot)),
                live=False,
                **common,
            )
        for line, kept in enumerate(one.kept):
            yield ordered(
                objects.KEPT,
                Verb.SET,
                new=kept.text,
                context=context,
                rank=(number, 100 + line),
                **common,
            )


def _class(
    policy: Policy, one: PolicyClass, rank: tuple[int, ...], common: Mapping[str, Any]
) -> Ordered:
    return ordered(
        objects.POLICY_CLASS,
        Verb.CREATE,
        key=(policy.kind, one.name),
        new=one.name,
        context=(policy_line(policy),),
        rank=rank,
        **common,
    )


def intermediate(swap: Swap) -> Iterator[Ordered]:
    """Yield what makes the policy that stands between two."""
    if swap.between is not None:
        yield from create_policy(swap.between)


def deleted(old: Box, new: Box, swap: Swap) -> Iterator[Ordered]:
    """Yield what deletes the objects that are gone: policies first, then their class maps."""
    gone = [policy for key, policy in old.policies.items() if key not in new.policies]
    if swap.between is not None:
        gone.append(swap.between)
    for policy in gone:
        yield ordered(
            objects.POLICY,
            Verb.DELETE,
            stage=LAST,
            phase=Phase.CLEANUP,
            area="policy-map",
            name=policy.name,
            key=(policy.kind, policy.name),
            old=policy.name,
        )
    for key, held in old.class_maps.items():
        if key not in new.class_maps:
            item = ordered(
                objects.CLASS_MAP,
                Verb.DELETE,
                stage=LAST,
                phase=Phase.CLEANUP,
                area="policy-map",
                name=held.name,
                key=(held.kind, held.name, held.match),
                old=held.name,
            )
            yield replace(item, order=(LAST + 1, *item.order[1:]))


# --- classes that are edited in place ------------------------------------------------------------


def _thing(slot: Slot) -> Thing:
    return objects.CLASS[str(slot[0])]


def _rank(slot: Slot) -> int:
    return list(objects.CLASS).index(str(slot[0]))


def _by_rank(slots: Mapping[Slot, Any]) -> list[tuple[Slot, Any]]:
    return sorted(slots.items(), key=lambda pair: _rank(pair[0]))


def edited(old: Box, new: Box) -> Iterator[Ordered]:
    """Yield what edits policies where they stand."""
    for key, policy in new.policies.items():
        before = old.policies.get(key)
        if before is None:
            continue
        for number, one in enumerate(policy.classes.values()):
            earlier = before.classes.get(one.name)
            if earlier is None:
                common = {"stage": ADDS, "area": "policy-map", "name": policy.name}
                phase = Phase.BUFFERS if policy.kind == "network-qos" else Phase.SCHEDULING
                item = _class(policy, one, (number, -1), common)
                yield replace(item, order=(ADDS, int(phase), *item.order[2:]))
            yield from _slots(policy, number, earlier or PolicyClass(one.name), one)


def _slots(
    policy: Policy, number: int, before: PolicyClass, after: PolicyClass
) -> Iterator[Ordered]:
    context = (policy_line(policy), class_line(policy, after.name))
    for slot in before.slots.keys() | after.slots.keys():
        old, new = before.slots.get(slot), after.slots.get(slot)
        if old == new:
            continue
        common: dict[str, Any] = {
            "area": "policy-map",
            "name": policy.name,
            "key": (after.name,),
            "context": context,
        }
        if old is not None and (new is None or _excludes(slot, old, new)):
            stage = ADDS if slot in (PRIORITY, BANDWIDTH) else TAKES
            yield ordered(
                _thing(slot),
                Verb.UNSET,
                stage=stage,
                old=old,
                rank=(0, number, _rank(slot)),
                **common,
            )
        if new is not None:
            stage = TAKES if _shrinks(slot, old, new) and slot == MTU else ADDS
            first = 1 if slot == BANDWIDTH and _shrinks(slot, old, new) else 2
            yield ordered(
                _thing(slot),
                Verb.SET,
                stage=stage,
                old=old,
                new=new,
                rank=(first, number, _rank(slot)),
                **common,
            )


def _excludes(slot: Slot, old: Any, new: Any) -> bool:
    """Say whether a line does not simply replace another: two kinds of share."""
    return slot == BANDWIDTH and old.kind is not new.kind


def _shrinks(slot: Slot, old: Any, new: Any) -> bool:
    if old is None:
        return False
    if slot == BANDWIDTH:
        return bool(new.amount < old.amount)
    return slot == MTU and bool(new < old)
