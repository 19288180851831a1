"""`show` commands other than configurations, printed from what a box does.

Layouts: session of a Nexus 9332D-GX2B with NX-OS 10.4(3) (highopes/pd-disaggregation-demo);
`show queuing pfc-queue detail` as in the tests of OpenTelemetry's Cisco receiver;
`show policy-map interface` of NX-OS 9.2(2).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from lossless.lab.cisco_nxos.lines import CLASS_ORDER
from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.running import class_lines
from lossless.lab.cisco_nxos.state import QUEUES, group_of

_RULE = "-" * 80
_DOUBLE = "=" * 60


def version(box: Nexus) -> list[str]:
    """Return `show version`."""
    return [
        "Cisco Nexus Operating System (NX-OS) Software",
        "",
        "Software",
        "  BIOS: version 01.11",
        f"  NXOS: version {box.release} [Feature Release]",
        f"  Host NXOS: version {box.release}",
        "  NXOS boot mode: LXC",
        "",
        "Hardware",
        f"  cisco Nexus9000 {box.model} Chassis ",
        "  Intel(R) Xeon(R) CPU D-1633N @ 2.50GHz with 32801484 kB of memory.",
        f"  Device name: {box.hostname}",
        "  bootflash:  115805708 kB",
        "",
        "Kernel uptime is 42 day(s), 3 hour(s), 21 minute(s), 35 second(s)",
        "",
    ]


def physical(box: Nexus) -> list[str]:
    """Return the ports that have queues and links of their own."""
    return [name for name in box.ports if name.startswith("Ethernet")]


def is_up(box: Nexus, port: str) -> bool:
    """Say whether a port is up: whatever is cabled in the lab is, unless it was shut down."""
    return box.ports[port].lines.get("shut") != "shutdown"


def status(box: Nexus, ports: Iterable[str]) -> list[str]:
    """Return `show interface status`."""
    head = "Port          Name               Status    Vlan      Duplex  Speed   Type"
    management = "mgmt0         --                 connected routed    full    1000    --         "
    lines = [_RULE, head, _RULE, management, "", _RULE, head, _RULE]
    return lines + [_status_row(box, name) for name in ports]


def _status_row(box: Nexus, name: str) -> str:
    held, up = box.ports[name].lines, is_up(box, name)
    short = name.replace("Ethernet", "Eth").replace("port-channel", "Po")
    title = held.get("description", "description --").partition(" ")[2][:18]
    vlan = held.get("access", "switchport access vlan 1").split()[-1]
    if held.get("l2") == "no switchport":
        vlan = "routed"
    elif held.get("mode", "").endswith("trunk"):
        vlan = "trunk"
    rate = box.speeds.get(name, 0)
    speed = "auto" if not up or not rate else f"{rate // 10**9}G" if rate >= 10**10 else "1000"
    return (
        f"{short:<13} {title:<18} {'connected' if up else 'disabled':<9} {vlan:<9} "
        f"{'full' if up else 'auto':<7} {speed:<7} QSFP-DD"
    )


def bitmap(box: Nexus) -> int:
    """Return the priorities that pause, as bits."""
    return sum(1 << cos for cos in set[int]().union(*box.paused().values()))


def flow_control(box: Nexus, ports: Iterable[str]) -> list[str]:
    """Return `show interface priority-flow-control`.

    A port with mode auto negotiates, and nobody in the lab answers: it stays off.
    """
    out = [_DOUBLE, "Port               Mode Oper(VL bmap)  RxPPP      TxPPP", _DOUBLE, ""]
    for name in ports:
        words = box.ports[name].lines.get("pfc", "priority-flow-control mode auto").split()
        mode = words[2].capitalize()
        oper = f"On  ({bitmap(box):x})" if mode == "On" else "Off"
        out.append(f"{name:<18} {mode:<4} {oper:<14} {0:<10} 0")
    return out


def watchdog(box: Nexus, ports: Iterable[str]) -> list[str]:
    """Return `show queuing pfc-queue detail`: on only where box and port say so."""
    out: list[str] = []
    rule = "+" + "-" * 52 + "+"
    for name in ports:
        on = "dog" in box.system.lines and "dog" in box.ports[name].lines
        out += [
            f"{name} Interface PFC watchdog: [{'Enabled' if on else 'Disabled'}]",
            "Disable-action                     : No",
            "PFC watch-dog interface-multiplier : 0",
        ]
        watched = sorted(box.paused().items()) if on and box.pauses(name) else []
        for group, cos in watched:
            for one in sorted(cos):
                out += [rule, f"| QOS GROUP {group} [Active] PFC [YES] PFC-COS [{one}]", rule]
                out += ["|                               |  Stats             |", rule]
                titles = ("Shutdown", "Restored", "Total pkts drained", "Total pkts dropped")
                out += [f"|{title:>31}|{0:>20}|" for title in titles]
                out.append(rule)
    return out


def network(box: Nexus) -> list[str]:
    """Return `show policy-map system type network-qos`, with its implicit matches."""
    name = box.system.policies.get(("network-qos", ""), "default-8q-nq-policy")
    default = {"c-8q-nq-default": {"mtu": "mtu 1500"}}
    classes = box.policies.get(("network-qos", name), default)
    out = ["", "", "  Type network-qos policy-maps", "  " + "=" * 28]
    out.append(f"  policy-map type network-qos {name}")
    for line in class_lines("network-qos", classes):
        out.append("  " + line)
        if line.startswith("  class "):
            out.append(f"      match qos-group {group_of(line.split()[-1])}")
    return [*out, ""]


def definitions(box: Nexus, kind: str) -> Iterator[str]:
    """Yield `show policy-map type …`."""
    yield from ("", "", f"  Type {kind} policy-maps", "  " + "=" * (19 + len(kind) - 2), "")
    for (held, name), classes in sorted(box.policies.items()):
        if held == kind:
            yield f"  policy-map type {kind} {name}"
            yield from (f"  {line}" for line in class_lines(kind, classes))


def system(box: Nexus, kind: str | None) -> list[str]:
    """Return `show policy-map system`: what is attached to the box, of one type or of all."""
    out: list[str] = []
    for (held, direction), name in box.system.policies.items():
        if held == "network-qos" or kind not in (None, held):
            continue
        out += ["", f"  Service-policy ({held}) {direction}:   {name}"]
        out += [f"  {line}" for line in class_lines(held, box.policies[(held, name)])]
    return [*(network(box) if kind in (None, "network-qos") else []), *out, ""]


def interface_policies(box: Nexus, ports: Iterable[str]) -> list[str]:
    """Return `show policy-map interface`: queues, and what serves them."""
    out = ["", "", "Global statistics status :   enabled", ""]
    for name in ports:
        policy, _ = box.out_policy(name)
        out += [
            name,
            "",
            f"  Service-policy (queuing) output:   {policy or 'default-8q-out-policy'}",
        ]
        out += ["    SNMP Policy Index:  301990739", ""]
        held = box.queue(name)
        for cls in QUEUES:
            lines = held.get(group_of(cls))
            if lines is not None:
                out.append(f"    Class-map (queuing):   {cls} (match-any)")
                out += [f"      {lines[slot]}" for slot in CLASS_ORDER if slot in lines]
                out += ["      queue dropped pkts : 0", "      queue depth in bytes : 0", ""]
    return out


def ports_named(names: Iterable[str], word: str) -> list[str]:
    """Return the ports that a typed name means: `Eth1/1`, `e1/1`, or `Ethernet1/1`."""
    found = re.fullmatch(r"(?:e|et|eth|ethernet) ?(\d\S*)", word, re.I)
    wanted = f"Ethernet{found[1]}" if found else word
    return [name for name in names if name == wanted]
