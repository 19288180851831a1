"""What a configuration names and does not define, and what it defines and nobody uses."""

from __future__ import annotations

from lossless.platforms.cisco_nxos.box import Box, Policy, is_default
from lossless.platforms.cisco_nxos.names import system_class
from lossless.platforms.cisco_nxos.reader import Reading


def references(out: Reading) -> None:
    """Note dangling and unattached objects.

    Only where everything that could define or use them was shown: a part of a configuration proves
    nothing of the kind.
    """
    box = out.box
    if not box.quality_seen:
        return
    for policy in box.policies.values():
        _classes(box, policy, out)
        if not _attached(box, policy):
            text = f"policy-map type {policy.kind} {policy.name} is attached nowhere"
            out.say("unattached_object", text, policy.where)
    used = {(p.kind, name) for p in box.policies.values() for name in p.classes}
    for (kind, name), held in box.class_maps.items():
        if (kind, name) not in used and system_class(name) is None:
            text = f"class-map type {kind} {name} is used nowhere"
            out.say("unattached_object", text, held.where)
    for who, holder in box.holders():
        for (kind, way), name in holder.attached.items():
            if (kind, name) not in box.policies and not is_default(name):
                where = holder.lines.get(("attach", kind, way), (None, 0))
                text = f"{who or 'system qos'} attaches policy-map {name}, which is not defined"
                out.say("dangling_reference", text, where)


def _classes(box: Box, policy: Policy, out: Reading) -> None:
    for name, one in policy.classes.items():
        if name == "class-default" or system_class(name) is not None:
            continue
        if (policy.kind, name) not in box.class_maps:
            text = f"policy-map {policy.name} uses class {name}, which is not defined"
            out.say("dangling_reference", text, one.where)


def _attached(box: Box, policy: Policy) -> bool:
    ways = ("",) if policy.kind == "network-qos" else ("input", "output")
    return any(box.users((policy.kind, way), policy.name) for way in ways)
