"""What people (and a driver that was loaded again) change on a host.

Each change is a command that somebody types as root, or a line of a file that somebody edits.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from lossless.lab.contract import Change
from lossless.lab.linux_host.qos import shown_ets

if TYPE_CHECKING:
    from lossless.lab.linux_host.box import LinuxHost

_NCCL: Final = "/etc/nccl.conf"


def make(host: LinuxHost, chance: random.Random) -> Change | None:
    """Choose one of the kinds that are possible now, one place for it, and do it."""
    possible = [changes for kind in _KINDS if (changes := list(kind(host)))]
    if not possible:
        return None
    change = chance.choice(chance.choice(possible))
    for line in change.lines:
        host.execute(line, "root")
    return change


def _change(
    host: LinuxHost,
    kind: str,
    field: str,
    nic: str,
    line: str,
    before: object,
    after: object,
    key: int | None = None,
) -> Change:
    return Change(
        kind, host.plate.name, field, (line,), nic, key, before=str(before), after=str(after)
    )


def _mtu(host: LinuxHost) -> Iterator[Change]:
    for name, it in host.state["nics"].items():
        if it["mtu"] != 1500:
            line = f"ip link set dev {name} mtu 1500"
            yield _change(host, "small-frames", "mtu.native", name, line, it["mtu"], 1500)


def _pfc(host: LinuxHost) -> Iterator[Change]:
    """A priority less, or one more; where buffers are set by hand the kernel may refuse that."""
    for name, it in host.state["nics"].items():
        if it["manual"]:
            continue
        for kind, key, wanted in (
            *(("priority-off", p, 0) for p in range(8) if it["pfc"][p]),
            *(("priority-added", p, 1) for p in (4,) if any(it["pfc"]) and not it["pfc"][p]),
        ):
            bits = [wanted if p == key else bit for p, bit in enumerate(it["pfc"])]
            told = ",".join(map(str, bits))
            before = ",".join(map(str, it["pfc"]))
            line = f"mlnx_qos -i {name} --pfc {told}"
            yield _change(host, kind, "pfc.send", name, line, before, told, key)


def _trust(host: LinuxHost) -> Iterator[Change]:
    for name, it in host.state["nics"].items():
        if it["apps"]:
            line = f"mlnx_qos -i {name} --trust pcp"
            yield _change(host, "other-trust", "classification.trust", name, line, "dscp", "pcp")


def _dscp(host: LinuxHost) -> Iterator[Change]:
    for name, it in host.state["nics"].items():
        for dscp, priority in it["apps"].items():
            if priority:
                line = f"mlnx_qos -i {name} --dscp2prio set,{dscp},0"
                field = "classification.dscp_to_priority"
                yield _change(host, "dscp-moved", field, name, line, priority, 0, int(dscp))


def _ets(host: LinuxHost) -> Iterator[Change]:
    for name, it in host.state["nics"].items():
        shown, share = shown_ets(it)
        among = [tc for tc in range(8) if shown[tc] == "ets" and share[tc] > 10]
        if len(among) >= 2:
            first, last = among[0], among[-1]
            moved = [
                (share[tc] + 10 * ((tc == first) - (tc == last))) if shown[tc] == "ets" else 0
                for tc in range(8)
            ]
            line = f"mlnx_qos -i {name} --tsa {','.join(shown)} --tcbw {','.join(map(str, moved))}"
            before, after = share[last], moved[last]
            yield _change(host, "other-share", "ets.queues", name, line, before, after, last)


def _pause(host: LinuxHost) -> Iterator[Change]:
    for name, it in host.state["nics"].items():
        if it["rx"] == "off" and it["pause"] and not it["manual"]:
            line = f"ethtool -A {name} rx on"
            yield _change(host, "pause-of-links", "link.pause_honour", name, line, "off", "on")


def _points(host: LinuxHost) -> Iterator[Change]:
    for name, it in host.state["nics"].items():
        for p in range(8):
            if it["ofed"] and it["np"][p] and it["pfc"][p]:
                path = f"/sys/class/net/{name}/ecn/roce_np/enable/{p}"
                line = f"echo 0 | tee {path}"
                field = "congestion.notification_point"
                yield _change(host, "no-notifications", field, name, line, 1, 0, p)


def _tos(host: LinuxHost) -> Iterator[Change]:
    for name, it in host.state["nics"].items():
        if it["tos"]:
            line = f"cma_roce_tos -d {it['rdma']} -p 1 -t 0"
            yield _change(host, "no-mark", "marking.cm_tos", name, line, it["tos"], 0)


def _nccl(host: LinuxHost) -> Iterator[Change]:
    text = host.files.get(_NCCL, "")
    found = re.search(r"^NCCL_IB_TC=(\d+)$", text, re.M)
    if found is not None and found[1] != "0":
        rest = text.replace(found[0], "NCCL_IB_TC=0").splitlines()
        lines = (f"rm {_NCCL}", *(f"echo '{line}' >> {_NCCL}" for line in rest))
        yield Change(
            "other-traffic-class",
            host.plate.name,
            "environment.variables",
            lines,
            before=found[1],
            after="0",
        )


_KINDS: Final[tuple[Callable[[LinuxHost], Iterator[Change]], ...]] = (
    _mtu,
    _pfc,
    _trust,
    _dscp,
    _ets,
    _pause,
    _points,
    _tos,
    _nccl,
)
