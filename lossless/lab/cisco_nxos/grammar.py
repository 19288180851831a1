"""Configuration mode: which line goes where, and what the box does not do.

What no source tells is decided against the writer: an attached policy cannot be deleted, an
attached network-qos policy cannot change what it pauses, a class map in use cannot be edited,
shares must not add up to more than 100, and a class cannot be strict and have a share.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from lossless.lab.cisco_nxos.lines import RAW, class_slot, interface_line
from lossless.lab.cisco_nxos.state import (
    INPUTS,
    NETWORK,
    QUEUES,
    ClassMap,
    Config,
    Holder,
    Refused,
    points,
)

Mode = list[tuple[str, ...]]
_KINDS: Final = "qos|network-qos|queuing"
_SHORT_PORT: Final = re.compile(r"(?:e|et|eth|ethernet) ?(\d+(?:/\d+){1,2})", re.I)
#: Interfaces that come into being where they are first named.
_MADE: Final = re.compile(r"(?:port-channel|Vlan|loopback)\d{1,4}")
_FEATURES: Final = ("lldp", "interface-vlan", "lacp", "vpc", "bgp", "nv overlay", "dcbx")


def enter(config: Config, mode: Mode, words: str) -> None:
    """Type one line of configuration.  Raises `Refused`; then nothing has changed."""
    if words in ("exit", "end"):
        if not mode:
            raise Refused("exit from configuration mode", marker=True)
        del mode[-1 if words == "exit" else 0 :]
        return
    left = len(mode)
    while True:
        kind = mode[left - 1][0] if left else "config"
        inner = mode[:left]
        if _MODES[kind](config, inner, words):
            mode[:] = inner
            return
        if not left:
            raise Refused(words, marker=True)
        left = left - 1 if kind == "policy-class" else 0  # a line of a mode above leaves this one


def _config(config: Config, mode: Mode, words: str) -> bool:
    for form, act in _TOP:
        if found := re.fullmatch(form, words):
            act(config, mode, found)
            return True
    return _global(config, words)


def _open_class_map(config: Config, mode: Mode, found: re.Match[str]) -> None:
    held = config.class_maps.setdefault(("qos", found[2]), ClassMap(found[1]))
    if held.match != found[1]:
        raise Refused(f"class-map {found[2]} is {held.match}")
    mode[:] = [("class-map", found[2])]


def _delete_class_map(config: Config, mode: Mode, found: re.Match[str]) -> None:
    del mode
    held = config.class_maps.get(("qos", found[2]))
    used = any(kind == "qos" and found[2] in held_ for (kind, _), held_ in config.policies.items())
    if held is None or held.match != found[1] or used:
        raise Refused(f"class-map {found[2]} is in use, or not there")
    del config.class_maps[("qos", found[2])]


def _open_policy(config: Config, mode: Mode, found: re.Match[str]) -> None:
    config.policies.setdefault((found[1], found[2]), {})
    mode[:] = [("policy", found[1], found[2])]


def _delete_policy(config: Config, mode: Mode, found: re.Match[str]) -> None:
    del mode
    key = (found[1], found[2])
    if key not in config.policies or config.users(*key):
        raise Refused(f"policy-map {found[2]} is in use, or not there")
    del config.policies[key]


def _open_system(config: Config, mode: Mode, found: re.Match[str]) -> None:
    del config, found
    mode[:] = [("system",)]


def _open_interface(config: Config, mode: Mode, found: re.Match[str]) -> None:
    short = _SHORT_PORT.fullmatch(found[1])
    name = found[1] if short is None else f"Ethernet{short[1]}"
    if _MADE.fullmatch(name):
        config.ports.setdefault(name, Holder())
    if name not in config.ports:
        raise Refused(found[0], marker=True)
    mode[:] = [("interface", name)]


_TOP: Final[tuple[tuple[str, Callable[[Config, Mode, re.Match[str]], None]], ...]] = (
    (r"class-map type qos (match-(?:any|all)) (\S{1,40})", _open_class_map),
    (r"no class-map type qos (match-(?:any|all)) (\S+)", _delete_class_map),
    (rf"policy-map type ({_KINDS}) (\S{{1,40}})", _open_policy),
    (rf"no policy-map type ({_KINDS}) (\S+)", _delete_policy),
    (r"system qos", _open_system),
    (r"interface (\S+(?: \d\S*)?)", _open_interface),
)


def _global(config: Config, words: str) -> bool:
    body = words.removeprefix("no ")
    off = body != words
    if re.fullmatch(r"priority-flow-control watch-dog-interval (?:on|off)", body):
        config.system.lines.pop("dog", None)
        if words.endswith("on") and not off:
            config.system.lines["dog"] = words
    elif body == "lldp tlv-select dcbxp":
        config.system.lines.pop("tlv", None)
        if off:
            config.system.lines["tlv"] = words
    elif any(re.fullmatch(pattern, body) for pattern in RAW):
        if off and body not in config.raw:
            raise Refused(f"{body} is not there")
        config.raw = [line for line in config.raw if line != body] + ([] if off else [body])
    else:
        return _identity(config, body, off=off)
    return True


def _identity(config: Config, body: str, *, off: bool) -> bool:
    word, _, rest = body.partition(" ")
    if word == "feature" and rest in _FEATURES:
        held = [each for each in config.features if each != rest]
        config.features = held if off else [*held, rest]
        config.lldp = "lldp" in config.features
    elif word == "hostname" and re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,62}", rest) and not off:
        config.hostname = rest
    elif word == "vlan" and rest and max(points(rest)) <= 4094:
        config.vlans = config.vlans - points(rest) if off else config.vlans | points(rest)
    else:
        return False
    return True


def _class_map(config: Config, mode: Mode, words: str) -> bool:
    found = re.fullmatch(r"(no )?match (dscp|cos) ([\d,-]+)", words)
    if found is None:
        return False
    name = mode[-1][1]
    for (kind, policy), classes in config.policies.items():
        if kind == "qos" and name in classes and config.users(kind, policy):
            raise Refused(f"class-map {name} is in use")
    told = points(found[3])
    if max(told) >= (64 if found[2] == "dscp" else 8):
        raise Refused(words, marker=True)
    held = config.class_maps[("qos", name)]
    kept = held.dscp if found[2] == "dscp" else held.cos
    (kept.difference_update if found[1] else kept.update)(told)
    return True


def _policy(config: Config, mode: Mode, words: str) -> bool:
    _, kind, name = mode[-1]
    typed = "" if kind == "qos" else f"type {kind} "
    found = re.fullmatch(rf"class {typed}(\S+)", words)
    if found is None:
        return False
    if kind == "qos":
        known = found[1] == "class-default" or ("qos", found[1]) in config.class_maps
    else:
        known = found[1] in (QUEUES + INPUTS if kind == "queuing" else NETWORK)
    if not known:
        raise Refused(f"class {found[1]} does not exist")
    config.policies[(kind, name)].setdefault(found[1], {})
    mode.append(("policy-class", kind, name, found[1]))
    return True


def _policy_class(config: Config, mode: Mode, words: str) -> bool:
    _, kind, name, cls = mode[-1]
    held = config.policies[(kind, name)][cls]
    body = words.removeprefix("no ")
    slot = class_slot(kind, cls, body)
    if slot is None:
        return False
    if slot == "pause" and config.users(kind, name):
        raise Refused(f"policy-map {name} is in use")
    if body != words:
        if held.get(slot) != body:
            raise Refused(f"{body} is not there")
        del held[slot]
        return True
    before = dict(held)
    held[slot] = body
    try:
        _check(config.policies[(kind, name)], cls)
    except Refused:
        config.policies[(kind, name)][cls] = before
        raise
    return True


def _check(classes: dict[str, dict[str, str]], cls: str) -> None:
    held = classes[cls]
    kinds = [slot for slot in ("priority", "remaining", "percent") if slot in held]
    if len(kinds) > 1:
        raise Refused(f"{cls}: {' and '.join(kinds)} cannot stand together")
    shares = [
        int(line.split()[-1])
        for lines in classes.values()
        for slot, line in lines.items()
        if slot in ("remaining", "percent")
    ]
    if sum(shares) > 100:
        raise Refused(f"bandwidth adds up to {sum(shares)} percent")
    told = [p for c in classes.values() if "pause" in c for p in points(c["pause"].split()[-1])]
    if len(told) != len(set(told)):
        raise Refused("one CoS cannot pause two classes")
    if "buffer" in held:
        size, pause, resume = (int(word) for word in held["buffer"].split() if word.isdecimal())
        if not (5000 <= size <= 268435456 and resume <= pause <= size):
            raise Refused(f"{held['buffer']}: thresholds do not fit")


def _attach(config: Config, holder: Holder, words: str, kinds: str) -> bool:
    found = re.fullmatch(rf"(no )?service-policy type ({kinds})(?: (input|output))? (\S+)", words)
    if found is None:
        return False
    place = (found[2], found[3] or "")
    if (found[2] == "network-qos") != (place[1] == "") or place == ("qos", "output"):
        raise Refused(words, marker=True)
    if found[1]:
        if holder.policies.get(place) != found[4]:
            raise Refused(f"policy-map {found[4]} is not attached")
        del holder.policies[place]
        return True
    classes = config.policies.get((found[2], found[4]))
    if classes is None:
        raise Refused(f"policy-map {found[4]} does not exist")
    right = {"input": INPUTS, "output": QUEUES}.get(place[1], ())
    if found[2] == "queuing" and not set(classes) <= set(right):
        raise Refused(f"policy-map {found[4]} has classes of the other direction")
    holder.policies[place] = found[4]
    return True


def _system(config: Config, mode: Mode, words: str) -> bool:
    del mode
    return _attach(config, config.system, words, _KINDS)


def _interface(config: Config, mode: Mode, words: str) -> bool:
    held = config.ports[mode[-1][1]]
    return _attach(config, held, words, "qos|queuing") or interface_line(held, words)


_MODES: Final[dict[str, Callable[[Config, Mode, str], bool]]] = {
    "config": _config,
    "class-map": _class_map,
    "policy": _policy,
    "policy-class": _policy_class,
    "system": _system,
    "interface": _interface,
}
