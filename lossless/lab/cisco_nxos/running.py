"""`show running-config` and its parts, printed from what a box holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from lossless.lab.cisco_nxos.lines import CLASS_ORDER, ORDER
from lossless.lab.cisco_nxos.state import Config, Holder, Place, spell

_PRINTED_LAST: Final = {"network-qos": 0, "qos": 1, "queuing": 2}
_CHANGED: Final = "Mon Nov 30 09:12:44 2026"
_NOW: Final = "Mon Nov 30 10:00:00 2026"


def header(command: str, release: str) -> list[str]:
    """Return the lines above a configuration."""
    saved = "Startup config saved at"
    last = saved if "startup" in command else "Running configuration last done at"
    return [
        "",
        f"!Command: {command}",
        f"!{last}: {_CHANGED}",
        f"!Time: {_NOW}",
        "",
        f"version {release} Bios:version 01.11 ",
    ]


def whole(config: Config) -> list[str]:
    """Return the body of a whole configuration."""
    out = [f"hostname {config.hostname}", ""]
    out += [f"feature {name}" for name in config.features]
    out += config.raw
    out += [config.system.lines[slot] for slot in ("dog", "tlv") if slot in config.system.lines]
    out += policies(config)
    if config.vlans:
        out += [f"vlan {spell(config.vlans)}"]
    for name in config.ports:
        out += interface(config, name)
    return out


def policies(config: Config) -> list[str]:
    """Return class maps, policy maps and what is attached to the system."""
    out: list[str] = []
    for (kind, name), held in sorted(config.class_maps.items()):
        out.append(f"class-map type {kind} {held.match} {name}")
        for what, numbers in (("dscp", held.dscp), ("cos", held.cos)):
            out += [f"  match {what} {spell(numbers)}"] if numbers else []
    order = sorted(config.policies.items(), key=lambda p: (_PRINTED_LAST[p[0][0]], p[0][1]))
    for (kind, name), classes in order:
        out.append(f"policy-map type {kind} {name}")
        out += class_lines(kind, classes)
    if config.system.policies:
        out += ["system qos", *attached(config.system.policies)]
    return out


def class_lines(kind: str, classes: dict[str, dict[str, str]]) -> Iterator[str]:
    """Yield the classes of a policy, in the order in which they were made."""
    for cls, held in classes.items():
        yield f"  class {cls}" if kind == "qos" else f"  class type {kind} {cls}"
        yield from (f"    {held[slot]}" for slot in CLASS_ORDER if slot in held)


def attached(policies_: dict[Place, str]) -> Iterator[str]:
    """Yield `service-policy` lines."""
    for place, name in policies_.items():
        words = ("service-policy type", *place, name)
        yield "  " + " ".join(word for word in words if word)


def interface(config: Config, name: str) -> list[str]:
    """Return the section of an interface, with the empty line above it."""
    held = config.ports[name]
    return ["", f"interface {name}", *_port_lines(held)]


def _port_lines(held: Holder) -> Iterator[str]:
    yield from (f"  {held.lines[slot]}" for slot in ORDER if slot in held.lines)
    yield from attached(held.policies)
    if "shut" in held.lines:
        yield f"  {held.lines['shut']}"


def ipqos(config: Config) -> list[str]:
    """Return `show running-config ipqos`: policies, and interfaces that have one."""
    out = policies(config)
    for name, held in config.ports.items():
        if held.policies:
            out += ["", f"interface {name}", *attached(held.policies)]
    return out


def section(lines: Iterable[str], pattern: str) -> list[str]:
    """Return what `| section WORD` leaves: lines that match, with what stands below them."""
    out: list[str] = []
    depth: int | None = None
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if depth is not None and (not line.strip() or indent <= depth):
            depth = None
        if depth is None and pattern in line:
            depth = indent
        if depth is not None:
            out.append(line)
    return out
