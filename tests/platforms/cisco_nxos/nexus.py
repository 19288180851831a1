"""A Nexus 9000 as its manuals and published sessions describe it, driven by typed lines.

It imports nothing of the platform, so that it can disagree.  What no source tells is decided
against the writer: an attached policy cannot be deleted, an attached network-qos policy cannot
change what it pauses, a class map in use cannot be edited, shares must not add up to more than 100,
and a class cannot be strict and have a share.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field


class Refused(Exception):
    """The box did not take a line."""


PRINTED_LAST = {"network-qos": 0, "qos": 1, "queuing": 2}
QUEUES = [*(f"c-out-8q-q{n}" for n in range(7, 0, -1)), "c-out-8q-q-default"]
INPUTS = [*(f"c-in-q{n}" for n in range(7, 0, -1)), "c-in-q-default"]
NETWORK = [*(f"c-8q-nq{n}" for n in range(7, 0, -1)), "c-8q-nq-default"]
DEFAULT_SHARES = {0: 100, **dict.fromkeys(range(1, 7), 0)}


def group_of(name: str) -> int:
    """The qos-group of a system-defined class."""
    tail = name.rsplit("q", 1)[1]
    return 0 if tail == "-default" else int(tail)


def points(spelled: str) -> set[int]:
    found: set[int] = set()
    for part in spelled.split(","):
        low, _, high = part.partition("-")
        found |= set(range(int(low), int(high or low) + 1))
    return found


def spell(numbers: set[int]) -> str:
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ",".join(f"{a}-{b}" if a != b else f"{a}" for a, b in runs)


@dataclass
class ClassMap:
    match: str
    dscp: set[int] = field(default_factory=set)
    cos: set[int] = field(default_factory=set)


@dataclass
class Port:
    lines: dict[str, str] = field(default_factory=dict)
    policies: dict[tuple[str, str], str] = field(default_factory=dict)


#: Interface lines: what identifies the setting, and the form that is not printed.
SETTINGS = (
    (r"mtu (1500|[2-8]\d{3}|1[5-9]\d\d|9[01]\d\d|92(?:0\d|1[0-6]))", "mtu", "mtu 1500"),
    (
        r"priority-flow-control mode (?:auto|on|off)(?: send-tlv)?",
        "pfc",
        "priority-flow-control mode auto",
    ),
    (
        r"priority-flow-control watch-dog-interval (?:on|off)",
        "dog",
        "priority-flow-control watch-dog-interval off",
    ),
    (r"flowcontrol send (?:on|off)", "fs", "flowcontrol send off"),
    (r"flowcontrol receive (?:on|off)", "fr", "flowcontrol receive off"),
    (r"lldp dcbx version (?:auto|cee|ieee)", "dcbx", "lldp dcbx version auto"),
    (r"switchport mode (?:access|trunk)", "mode", "switchport mode access"),
    (r"switchport access vlan \d+", "access", "switchport access vlan 1"),
    (r"switchport trunk native vlan \d+", "native", "switchport trunk native vlan 1"),
    (
        r"switchport trunk allowed vlan (?:none|[\d,-]+)",
        "allowed",
        "switchport trunk allowed vlan 1-4094",
    ),
    (r"switchport", "l2", None),
    (r"shutdown", "shut", None),
)
ORDER = ("l2", "mode", "access", "native", "allowed", "pfc", "dog", "dcbx", "mtu", "fs", "fr")
RAW = (
    r"hardware profile pfc mmu buffer-reservation \d+",
    r"platform qos ing-pg-share",
    r"priority-flow-control (?:auto|fixed)-restore multiplier \d+",
)


class Nexus:
    """The box.  `type` takes configuration lines, `running_config` prints what it holds."""

    def __init__(self, ports: list[str]) -> None:
        self.class_maps: dict[tuple[str, str], ClassMap] = {}
        self.policies: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
        self.system = Port()
        self.ports = {name: Port() for name in ports}
        self.lldp = False
        self.raw: list[str] = []
        self.mode: list[tuple[str, ...]] = []

    # --- typing ----------------------------------------------------------------------------------

    def type(self, text: str) -> None:
        """Type lines from configuration mode on."""
        self.mode = []
        for line in text.splitlines():
            self.line(line)

    def line(self, line: str) -> None:
        words = line.strip()
        if words and not words.startswith("!"):
            self._line(words)

    def _line(self, words: str) -> None:
        if words == "exit":
            if not self.mode:
                raise Refused("exit from configuration mode")
            self.mode.pop()
            return
        while True:
            kind = self.mode[-1][0] if self.mode else "config"
            if getattr(self, f"_{kind.replace('-', '_')}")(words):
                return
            if not self.mode or kind in ("policy", "policy-class"):
                raise Refused(f"{kind}: {words}")
            self.mode.pop()  # a line of the mode above leaves this one

    def _config(self, words: str) -> bool:
        if found := re.fullmatch(r"class-map type qos (match-(?:any|all)) (\S+)", words):
            held = self.class_maps.setdefault(("qos", found[2]), ClassMap(found[1]))
            if held.match != found[1]:
                raise Refused(words)
            self.mode = [("class-map", found[2])]
        elif found := re.fullmatch(r"no class-map type qos (match-(?:any|all)) (\S+)", words):
            self._delete_class_map(found[1], found[2])
        elif found := re.fullmatch(r"policy-map type (qos|network-qos|queuing) (\S+)", words):
            self.policies.setdefault((found[1], found[2]), {})
            self.mode = [("policy", found[1], found[2])]
        elif found := re.fullmatch(r"no policy-map type (qos|network-qos|queuing) (\S+)", words):
            if (found[1], found[2]) not in self.policies or self._users(found[1], found[2]):
                raise Refused(f"{words}: in use, or not there")
            del self.policies[(found[1], found[2])]
        elif words == "system qos":
            self.mode = [("system",)]
        elif found := re.fullmatch(r"interface (\S+)", words):
            if found[1] not in self.ports:
                raise Refused(words)
            self.mode = [("interface", found[1])]
        else:
            return self._global(words)
        return True

    def _global(self, words: str) -> bool:
        if re.fullmatch(r"priority-flow-control watch-dog-interval (on|off)", words):
            on = words.endswith("on")
            self.system.lines.pop("dog", None)
            if on:
                self.system.lines["dog"] = words
        elif words == "no priority-flow-control watch-dog-interval on":
            self.system.lines.pop("dog", None)
        elif words == "feature lldp":
            self.lldp = True
        elif words in ("lldp tlv-select dcbxp", "no lldp tlv-select dcbxp"):
            self.system.lines.pop("tlv", None)
            if words.startswith("no"):
                self.system.lines["tlv"] = words
        elif any(re.fullmatch(pattern, words) for pattern in RAW):
            if words not in self.raw:
                self.raw.append(words)
        elif words.startswith("no ") and words[3:] in self.raw:
            self.raw.remove(words[3:])
        else:
            return False
        return True

    def _delete_class_map(self, match: str, name: str) -> None:
        held = self.class_maps.get(("qos", name))
        used = any(
            kind == "qos" and name in classes for (kind, _), classes in self.policies.items()
        )
        if held is None or held.match != match or used:
            raise Refused(f"no class-map {name}")
        del self.class_maps[("qos", name)]

    def _class_map(self, words: str) -> bool:
        found = re.fullmatch(r"match (dscp|cos) ([\d,-]+)", words)
        if found is None:
            return False
        name = self.mode[-1][1]
        for (kind, policy), classes in self.policies.items():
            if kind == "qos" and name in classes and self._users(kind, policy):
                raise Refused(f"{words}: class map is in use")
        held = self.class_maps[("qos", name)]
        limit = 64 if found[1] == "dscp" else 8
        if max(points(found[2])) >= limit:
            raise Refused(words)
        getattr(held, found[1]).update(points(found[2]))
        return True

    def _policy(self, words: str) -> bool:
        _, kind, name = self.mode[-1]
        typed = "" if kind == "qos" else f"type {kind} "
        found = re.fullmatch(rf"class {typed}(\S+)", words)
        if found is None:
            return False
        if kind == "qos":
            known = found[1] == "class-default" or ("qos", found[1]) in self.class_maps
        else:
            known = found[1] in (QUEUES + INPUTS if kind == "queuing" else NETWORK)
        if not known:
            raise Refused(f"{words}: no such class")
        self.policies[(kind, name)].setdefault(found[1], {})
        self.mode.append(("policy-class", kind, name, found[1]))
        return True

    def _policy_class(self, words: str) -> bool:
        _, kind, name, cls = self.mode[-1]
        if words.startswith("class "):
            self.mode.pop()
            return self._policy(words)
        held = self.policies[(kind, name)][cls]
        body = words.removeprefix("no ")
        slot = self._slot(kind, cls, body)
        if slot is None:
            return False
        if slot == "pause" and self._users(kind, name):
            raise Refused(f"{words}: the policy is in use")
        if words.startswith("no "):
            if held.get(slot) != body:
                raise Refused(f"{words}: not there")
            del held[slot]
            return True
        before = dict(held)
        held[slot] = body
        try:
            self._check(kind, name, cls)
        except Refused:
            self.policies[(kind, name)][cls] = before
            raise
        return True

    def _slot(self, kind: str, cls: str, body: str) -> str | None:
        size = r"\d+ (?:bytes|kbytes|mbytes|packets)"
        curve = (
            rf"random-detect minimum-threshold {size} maximum-threshold {size} "
            r"drop-probability (?:100|[1-9]\d?) weight (?:1[0-5]|\d)(?: ecn)?"
        )
        forms = {
            "qos": ((r"set qos-group [0-7]", "group"),),
            "network-qos": (
                (r"mtu (?:57[6-9]|5[89]\d|[6-9]\d\d|[1-8]\d{3}|9[01]\d\d|92(?:0\d|1[0-6]))", "mtu"),
                (r"pause pfc-cos [0-7](?:[,-][0-7])*", "pause"),
            ),
            "queuing": (
                (r"priority level [1-8]", "priority"),
                (r"bandwidth remaining percent (?:100|\d{1,2})", "remaining"),
                (r"bandwidth percent (?:100|\d{1,2})", "percent"),
                (curve, "detect"),
                (rf"queue-limit (?:dynamic \d+|{size})", "limit"),
            )
            if cls in QUEUES
            else ((r"pause buffer-size \d+ pause-threshold \d+ resume-threshold \d+", "buffer"),),
        }
        return next((slot for form, slot in forms[kind] if re.fullmatch(form, body)), None)

    def _check(self, kind: str, name: str, cls: str) -> None:
        classes = self.policies[(kind, name)]
        held = classes[cls]
        kinds = [k for k in ("priority", "remaining", "percent") if k in held]
        if len(kinds) > 1:
            raise Refused(f"{cls}: {' and '.join(kinds)}")
        shares = [
            int(v.split()[-1])
            for c in classes.values()
            for k, v in c.items()
            if k in ("remaining", "percent")
        ]
        if sum(shares) > 100:
            raise Refused(f"{name}: shares add up to {sum(shares)}")
        if kind == "network-qos":
            told = [
                p for c in classes.values() if "pause" in c for p in points(c["pause"].split()[-1])
            ]
            if len(told) != len(set(told)):
                raise Refused(f"{name}: one CoS pauses two classes")
        if "buffer" in held:
            size, pause, resume = (int(n) for n in re.findall(r"\d+", held["buffer"]))
            if not (5000 <= size <= 268435456 and resume <= pause <= size):
                raise Refused(held["buffer"])

    def _attach(self, holder: Port, words: str, kinds: str) -> bool:
        found = re.fullmatch(
            rf"(no )?service-policy type ({kinds})(?: (input|output))? (\S+)", words
        )
        if found is None:
            return False
        place = (found[2], found[3] or "")
        if (found[2] == "network-qos") != (place[1] == "") or place == ("qos", "output"):
            raise Refused(words)
        if found[1]:
            if holder.policies.get(place) != found[4]:
                raise Refused(f"{words}: not attached")
            del holder.policies[place]
            return True
        classes = self.policies.get((found[2], found[4]))
        if classes is None:
            raise Refused(f"{words}: no such policy")
        right = {"input": INPUTS, "output": QUEUES}.get(place[1], [])
        if found[2] == "queuing" and not set(classes) <= set(right):
            raise Refused(f"{words}: classes of the other direction")
        holder.policies[place] = found[4]
        return True

    def _system(self, words: str) -> bool:
        return self._attach(self.system, words, "qos|queuing|network-qos")

    def _interface(self, words: str) -> bool:
        held = self.ports[self.mode[-1][1]]
        if self._attach(held, words, "qos|queuing"):
            return True
        prefix, _, rest = words.partition(" ")
        body = rest if prefix in ("no", "default") else words
        for form, slot, silent in SETTINGS:
            if prefix in ("no", "default"):
                if slot in ("l2", "shut"):
                    if body == form:
                        held.lines[slot] = words
                        if prefix == "default":
                            del held.lines[slot]
                        return True
                elif (
                    re.fullmatch(form, body)
                    or re.match(rf"{form.split(' (')[0].split(' [')[0]}$", body)
                    or (slot == "allowed" and body == "switchport trunk allowed vlan")
                    or (
                        slot in ("access", "native")
                        and re.fullmatch(form.replace(r" \d+", ""), body)
                    )
                ):
                    held.lines.pop(slot, None)
                    return True
            elif re.fullmatch(form, words):
                held.lines[slot] = words
                if words == silent:
                    del held.lines[slot]
                return True
        return False

    # --- what it does ----------------------------------------------------------------------------

    def _users(self, kind: str, name: str) -> list[str]:
        holders = {"system": self.system, **self.ports}
        return [
            who
            for who, holder in holders.items()
            for (k, _), n in holder.policies.items()
            if (k, n) == (kind, name)
        ]

    def paused(self) -> dict[int, set[int]]:
        """The CoS that pause each lossless group."""
        classes = self.policies.get(
            ("network-qos", self.system.policies.get(("network-qos", ""), "")), {}
        )
        return {
            group_of(cls): points(held["pause"].split()[-1])
            for cls, held in classes.items()
            if "pause" in held
        }

    def sorts(self, port: str) -> dict[tuple[str, int], int]:
        """The group that each matched code point of a port is put into."""
        held = self.ports[port]
        name = held.policies.get(("qos", "input")) or self.system.policies.get(("qos", "input"))
        found: dict[tuple[str, int], int] = {}
        for cls, lines in self.policies.get(("qos", name or ""), {}).items():
            group = int(lines.get("group", "set qos-group 0").split()[-1])
            if cls == "class-default":
                found[("rest", 0)] = group
                continue
            for what in ("dscp", "cos"):
                for point in getattr(self.class_maps[("qos", cls)], what):
                    found.setdefault((what, point), group)
        return found

    def pauses(self, port: str) -> bool:
        """Whether PFC is on at a port."""
        return self.ports[port].lines.get("pfc", "").startswith("priority-flow-control mode on")

    def queue(self, port: str) -> dict[int, dict[str, str]]:
        """The lines in force on each queue of a port."""
        name = self.ports[port].policies.get(("queuing", "output")) or self.system.policies.get(
            ("queuing", "output")
        )
        if name is None:
            default = {
                g: {"remaining": f"bandwidth remaining percent {s}"}
                for g, s in DEFAULT_SHARES.items()
            }
            return {**default, 7: {"priority": "priority level 1"}}
        classes = self.policies[("queuing", name)]
        return {group_of(cls): held for cls, held in classes.items()}

    # --- printing --------------------------------------------------------------------------------

    def running_config(self) -> str:
        """What `show running-config` prints."""
        out = ["", "!Command: show running-config", "!Time: Thu Jul 23 11:11:12 2026", ""]
        out += ["version 10.4(3) Bios:version 01.11 ", "hostname leaf1", ""]
        out += ["feature lldp"] if self.lldp else []
        out += self.raw
        out += [self.system.lines[k] for k in ("dog", "tlv") if k in self.system.lines]
        for (kind, name), held in sorted(self.class_maps.items()):
            out.append(f"class-map type {kind} {held.match} {name}")
            out += [
                f"  match {what} {spell(getattr(held, what))}"
                for what in ("dscp", "cos")
                if getattr(held, what)
            ]
        for (kind, name), classes in sorted(
            self.policies.items(), key=lambda item: (PRINTED_LAST[item[0][0]], item[0][1])
        ):
            out.append(f"policy-map type {kind} {name}")
            for cls, held in classes.items():
                out.append(f"  class {cls}" if kind == "qos" else f"  class type {kind} {cls}")
                order = (
                    "mtu",
                    "pause",
                    "group",
                    "priority",
                    "remaining",
                    "percent",
                    "limit",
                    "detect",
                    "buffer",
                )
                out += [f"    {held[slot]}" for slot in order if slot in held]
        if self.system.policies:
            out.append("system qos")
            out += [
                f"  {_policy_line(place, name)}" for place, name in self.system.policies.items()
            ]
        for name, port in self.ports.items():
            out += ["", f"interface {name}"]
            out += [f"  {port.lines[slot]}" for slot in ORDER if slot in port.lines]
            out += [f"  {_policy_line(place, policy)}" for place, policy in port.policies.items()]
            out += [f"  {port.lines['shut']}"] if "shut" in port.lines else []
        return "\n".join([*out, "", ""])


def _policy_line(place: tuple[str, str], name: str) -> str:
    return " ".join(part for part in ("service-policy type", *place, name) if part)
