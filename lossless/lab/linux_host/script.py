"""Reads the boot script of a host's NICs (`lossless-nic`) and carries out what it wants.

Of the script only the part is read that says what is declared: functions that name a NIC and then
call one helper a setting.  A helper that is not known here is refused, and so is what the simulated
kernel refuses.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lossless.lab.linux_host import nics
from lossless.lab.linux_host.qos import Refused, State, shown_ets

_OPENS: Final = re.compile(r"nic_\d+\(\) \{")
_MARK: Final = re.compile(r"^nic_\d+\(\) \{$", re.M)


@dataclass(frozen=True, slots=True)
class Want:
    """One call: its line, the NIC it is for, the helper and its words."""

    line: int
    nic: str
    helper: str
    words: tuple[str, ...]
    text: str


def is_script(text: str) -> bool:
    """Say whether a text is such a script."""
    return text.startswith("#!") and _MARK.search(text) is not None


def wants(text: str) -> Iterator[Want]:
    """Yield the calls of a script in their order; the NIC is "" where none was named."""
    inside, name = False, ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if _OPENS.fullmatch(line):
            inside, name = True, ""
        elif line == "}":
            inside = False
        elif inside and line:
            words = shlex.split(line)
            if words[0] == "nic" and len(words) == 3:
                name = words[1]
            else:
                yield Want(number, name, words[0], tuple(words[1:]), line)


def carry_out(state: State, want: Want) -> None:
    """Bring one setting to what is wanted.  Raises `Refused`."""
    it = state["nics"].get(want.nic)
    helper = _HELPERS.get(want.helper)
    if it is None or helper is None:
        what = f"there is no NIC {want.nic!r}" if it is None else f"no helper {want.helper!r}"
        raise Refused(2, what)
    try:
        calls = helper(want.nic, it, want.words)
    except (ValueError, IndexError):
        raise Refused(2, f"{want.helper}: not its words: {' '.join(want.words)}") from None
    for tool, args, given in calls:
        code, said = nics.run(state, tool, args, given)
        if code:
            raise Refused(code, said or f"{tool} failed")


Calls = Sequence[tuple[str, Sequence[str], str]]


def _fill(spelled: str, now: Sequence[object]) -> list[str]:
    told = spelled.split(",")
    if len(told) != 8:
        raise ValueError(spelled)
    return [str(old) if new == "x" else new for new, old in zip(told, now, strict=True)]


def _qos(*options: str) -> Callable[[str, State, Sequence[str]], Calls]:
    def calls(name: str, it: State, words: Sequence[str]) -> Calls:
        (value,) = words
        return [("mlnx_qos", ["-i", name, *options, value], "")]

    return calls


def _filled(
    option: str, field: str, scale: int = 1
) -> Callable[[str, State, Sequence[str]], Calls]:
    def calls(name: str, it: State, words: Sequence[str]) -> Calls:
        (value,) = words
        told = _fill(value, [n // scale for n in it[field]])
        return [("mlnx_qos", ["-i", name, option, ",".join(told)], "")]

    return calls


def _ets(name: str, it: State, words: Sequence[str]) -> Calls:
    classes, algorithms, shares = words
    shown, real = shown_ets(it)
    tsa = _fill(algorithms, shown)
    share = [s if t == "ets" else "0" for s, t in zip(_fill(shares, real), tsa, strict=True)]
    told = [",".join(row) for row in (_fill(classes, it["prio_tc"]), tsa, share)]
    options = ["--prio_tc", told[0], "--tsa", told[1], "--tcbw", told[2]]
    return [("mlnx_qos", ["-i", name, *options], "")]


def _dscp(name: str, it: State, words: Sequence[str]) -> Calls:
    pairs = [word.split(":") for word in words]
    options = [o for dscp, priority in pairs for o in ("--dscp2prio", f"set,{dscp},{priority}")]
    return [("mlnx_qos", ["-i", name, *options], "")]


def _no_dscp(name: str, it: State, words: Sequence[str]) -> Calls:
    gone = [f"del,{w},{it['apps'][w]}" for w in words if w in it["apps"]]
    options = [option for each in gone for option in ("--dscp2prio", each)]
    return [("mlnx_qos", ["-i", name, *options], "")] if options else []


def _room(name: str, it: State, words: Sequence[str]) -> Calls:
    """Give each buffer that becomes lossless what the largest has, until the rest is set."""
    sizes = [int(size) for size in _fill(words[0], it["sizes"])]
    target = [int(buffer) for buffer in _fill(words[1], it["p2b"])]
    largest = max(sizes)
    for priority in (p for p in range(8) if it["pfc"][p]):
        for buffer in (it["p2b"][priority], target[priority]):
            sizes[buffer] = max(sizes[buffer], it["sizes"][it["p2b"][priority]], largest)
    return [("mlnx_qos", ["-i", name, "--buffer_size", ",".join(map(str, sizes))], "")]


def _pause(name: str, it: State, words: Sequence[str]) -> Calls:
    told = {way: word for way, word in zip(("rx", "tx"), words, strict=True) if word != "x"}
    if not set(told.values()) <= {"on", "off"}:
        raise ValueError(words)
    if all(it[way] == word for way, word in told.items()):
        return []
    return [("ethtool", ["-A", name, *(w for pair in told.items() for w in pair)], "")]


def _mtu(name: str, it: State, words: Sequence[str]) -> Calls:
    (value,) = words
    return [("ip", ["link", "set", "dev", name, "mtu", str(int(value))], "")]


def _points(name: str, it: State, words: Sequence[str]) -> Calls:
    end, bits = words
    root = f"/class/net/{name}/ecn/roce_{end}/enable"
    wanted = _fill(bits, it[end])
    return [("tee", [f"{root}/{p}"], bit) for p, bit in enumerate(wanted) if bit != str(it[end][p])]


def _file(name: str, it: State, words: Sequence[str]) -> Calls:
    leaf, value = words
    return [("tee", [f"/class/net/{name}/ecn/{leaf}"], value)]


def _class(name: str, it: State, words: Sequence[str]) -> Calls:
    (value,) = words
    path = f"/class/infiniband/{it['rdma']}/tc/1/traffic_class"
    return [("tee", [path], "-1" if value == "none" else value)]


def _cm(tool: str, flag: str) -> Callable[[str, State, Sequence[str]], Calls]:
    def calls(name: str, it: State, words: Sequence[str]) -> Calls:
        (value,) = words
        return [(tool, ["-d", it["rdma"], "-p", "1", flag, value], "")]

    return calls


_HELPERS: Final[dict[str, Callable[[str, State, Sequence[str]], Calls]]] = {
    "want_dcb_owner": _qos("--dcbx"),
    "want_trust": _qos("--trust"),
    "want_pfc": _qos("--pfc"),
    "want_cable_length": _qos("--cable_len"),
    "want_ets": _ets,
    "want_dscp": _dscp,
    "drop_dscp": _no_dscp,
    "want_rate_limits": _filled("--ratelimit", "kbps", 1_000_000),
    "want_priority_to_buffer": _filled("--prio2buffer", "p2b"),
    "want_buffer_sizes": _filled("--buffer_size", "sizes"),
    "make_room": _room,
    "want_pause": _pause,
    "want_mtu": _mtu,
    "want_points": _points,
    "want_ecn_file": _file,
    "want_traffic_class": _class,
    "want_cm_mode": _cm("cma_roce_mode", "-m"),
    "want_cm_tos": _cm("cma_roce_tos", "-t"),
}
