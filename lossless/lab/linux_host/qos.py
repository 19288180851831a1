"""`mlnx_qos` on a simulated host: the tool's own checks, and the kernel's rules behind it.

Written from mlnx-tools `mlnx_qos`, linux mlx5 `en_dcbnl.c` and `port_buffer.c`.  State is plain
data (a `dict`), so that it can be kept in a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

State = dict[str, Any]

CELL: Final = 128
ETS, STRICT, VENDOR = "ets", "strict", "vendor"
WRITING = (
    "--dcbx",
    "--trust",
    "--dscp2prio",
    "--pfc",
    "--prio_tc",
    "--tsa",
    "--tcbw",
    "--ratelimit",
    "--cable_len",
    "--prio2buffer",
    "--buffer_size",
)


class Refused(Exception):  # noqa: N818 - what a tool does
    """The kernel or a tool said no: exit code and what was printed."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code, self.text = code, text


def log(state: State, name: str, what: str) -> None:
    """Note that something was written."""
    state["log"].append([name, what])


def deaf(state: State, what: str) -> bool:
    """Some tools print that something is not supported and exit with 0 all the same."""
    return bool(what in state["deaf"])


# ---- mlnx_qos ----------------------------------------------------------------------------------


def _options(args: Sequence[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    rest = list(args)
    shorts = {
        "-d": "--dcbx",
        "-f": "--pfc",
        "-p": "--prio_tc",
        "-s": "--tsa",
        "-t": "--tcbw",
        "-r": "--ratelimit",
        "-i": "--interface",
    }
    while rest:
        word = rest.pop(0)
        if word == "-a":
            found["-a"] = True
            continue
        word, joined, value = word.partition("=")
        word = shorts.get(word, word)
        if word not in [*WRITING, "--interface"] or (not joined and not rest):
            raise Refused(2, f"mlnx_qos: error: no such option: {word}")
        value = value if joined else rest.pop(0)
        found.setdefault(word, []).append(value)
    return found


def _eight(text: str, low: int, high: int, what: str) -> list[int]:
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise Refused(1, f"Bad value for {what}") from None
    if len(numbers) != 8 or not all(low <= n <= high for n in numbers):
        raise Refused(1, f"{what} list must have 8 items in range")
    return numbers


def mlnx_qos(state: State, args: Sequence[str], given: str) -> str:
    """Run the tool; gives what it prints.  Raises `Refused`."""
    del given
    options = _options(args)
    name = options.get("--interface", ["?"])[-1]
    if name not in state["nics"]:
        raise Refused(1, "ETS features are not supported on your system")
    it = state["nics"][name]
    if "--trust" in options and "--dscp2prio" in options:
        raise Refused(1, "trust and dscp2prio commands cannot be used at the same time.")
    for word, act in (
        ("--dcbx", _dcbx),
        ("--cable_len", _cable),
        ("--pfc", _pfc),
        ("--dscp2prio", _apps),
        ("--trust", _trust),
        ("--prio2buffer", _buffer),
        ("--buffer_size", _buffer),
        ("--ratelimit", _rates),
    ):
        if word in options:
            log(state, name, word)
            if not deaf(state, word):
                act(state, name, it, word, options[word])
    ets = [word for word in ("--prio_tc", "--tsa", "--tcbw") if word in options]
    if ets:
        log(state, name, "--tsa")
        _ets(it, *(options.get(w, [None])[-1] for w in ("--prio_tc", "--tsa", "--tcbw")))
    return show(state, it, "-a" in options)


def _dcbx(state: State, name: str, it: State, word: str, values: list[str]) -> None:
    if values[-1] not in ("os", "fw"):
        raise Refused(1, "Invalid dcbx mode command. Refer to the help.")
    it["owner"] = values[-1]


def _set_pfc(state: State, name: str, it: State, bits: list[int], delay: int) -> None:
    cable = it["cable"]
    change = bits != it["pfc"]
    if change:
        it["pfc"] = bits
        it["flaps"] += 1
        log(state, name, "flap")
    moved = 0 < delay < 1000 and delay != it["cable"]
    if moved:
        it["cable"] = delay
    if not it["manual"]:
        if change:
            _automatic(it)
        return
    try:
        lossless = _lossless(it, it["pfc"], it["p2b"])
        if change or moved:
            _enough(it, it["sizes"], lossless)
    except Refused:
        it["cable"] = cable
        raise


def _automatic(it: State) -> None:
    """What firmware does with buffers that nobody set."""
    whole = 262016
    if any(it["pfc"]):
        it["sizes"] = [whole // 2 // CELL * CELL] * 2 + [0] * 6
        it["p2b"] = [1 if bit else 0 for bit in it["pfc"]]
    else:
        it["sizes"], it["p2b"] = [whole] + [0] * 7, [0] * 8


def _pfc(state: State, name: str, it: State, word: str, values: list[str]) -> None:
    _set_pfc(state, name, it, _eight(values[-1], 0, 1, "pfc"), it["cable"])


def _cable(state: State, name: str, it: State, word: str, values: list[str]) -> None:
    _set_pfc(state, name, it, it["pfc"], int(values[-1]))


def _xoff(it: State) -> int:
    speed: int = max(it["speed"], 40000)
    cable, mtu = int(it["cable"]), int(it["mtu"])
    return (301 + 216 * cable // 100) * speed // 1000 + 272 * mtu // 100


def _lossless(it: State, pfc: Sequence[int], p2b: Sequence[int]) -> set[int]:
    every = it["rx"] == "on" or it["tx"] == "on"
    return {b for p, b in enumerate(p2b) if pfc[p] or every}


def _enough(it: State, sizes: Sequence[int], lossless: set[int]) -> None:
    for b in lossless:
        if sizes[b] < _xoff(it) + max(9978, 9216) + CELL:
            raise Refused(1, "Buffers commands error")


def _buffer(state: State, name: str, it: State, word: str, values: list[str]) -> None:
    if not it["buffers"]:
        raise Refused(1, "Buffers commands are not supported on your system")
    p2b, sizes = list(it["p2b"]), list(it["sizes"])
    numbers = [int(n) for n in values[-1].split(",")]
    if word == "--prio2buffer":
        p2b[: len(numbers)] = numbers
    else:
        sizes[: len(numbers)] = numbers
    if p2b == it["p2b"] and sizes == it["sizes"]:
        return
    it["manual"] = True
    lossless = _lossless(it, it["pfc"], p2b)
    if sum(sizes) > it["total"] or any(not sizes[b] for b in lossless):
        raise Refused(1, "Buffers commands error")
    _enough(it, sizes, lossless)
    it["p2b"], it["sizes"] = p2b, [size // CELL * CELL for size in sizes]


def _apps(state: State, name: str, it: State, word: str, values: list[str]) -> None:
    for value in values:
        action, code, level = [*value.split(","), "", ""][:3]
        if action not in ("set", "del") or not (code.isdigit() and level.isdigit()):
            raise Refused(1, "Invalid dscp2prio command. Refer to the help.")
        dscp, priority = int(code), int(level)
        if dscp > 63 or priority > 7:
            raise Refused(1, "")
        if action == "set":
            it["apps"][str(dscp)] = priority
        elif it["apps"].pop(str(dscp), None) != priority:
            raise Refused(1, "dscp2prio command failed")


def _trust(state: State, name: str, it: State, word: str, values: list[str]) -> None:
    if values[-1] not in ("dscp", "pcp"):
        raise Refused(1, "Invalid trust state command.")
    if values[-1] == "pcp":
        it["apps"] = {}
    elif not it["apps"]:
        it["apps"] = {str(dscp): dscp >> 3 for dscp in range(64)}


def _rates(state: State, name: str, it: State, word: str, values: list[str]) -> None:
    for tc, rate in enumerate(_eight(values[-1], 0, 1000000, "ratelimit")):
        kbps = rate * 1000000
        step = 100000 if kbps < 26000000 else 1000000
        it["kbps"][tc] = min(kbps // step, 255) * step


def shown_ets(it: State) -> tuple[list[str], list[int]]:
    """A class below 100 % is told as ets, one of group 7 as vendor, others as remembered."""
    share, group, tsa = list(it["share"]), it["group"], list(it["tsa"])
    if any(s < 100 and g == 1 for s, g in zip(share, group, strict=True)):
        share = [0 if g == 0 else s for s, g in zip(share, group, strict=True)]
    for tc in range(8):
        if share[tc] < 100:
            tsa[tc] = ETS
        elif group[tc] == 7 and 6 not in group:
            tsa[tc] = VENDOR
    return tsa, share


def _ets(it: State, prio_tc: str | None, tsa: str | None, tcbw: str | None) -> None:
    shown, share = shown_ets(it)
    if tsa:
        shown = tsa.split(",")
        if len(shown) != 8 or not set(shown) <= {ETS, STRICT, VENDOR}:
            raise Refused(1, "Bad TSA value")
    if tcbw:
        share = _eight(tcbw, 0, 100, "ETS BW")
        if any(s and t != ETS for s, t in zip(share, shown, strict=True)):
            raise Refused(1, "ETS BW for a strict/vendor TC must be 0")
    classes = _eight(prio_tc, 0, 7, "UP => TC mapping") if prio_tc else it["prio_tc"]
    among = [s for s, t in zip(share, shown, strict=True) if t == ETS]
    if among and sum(among) != 100:
        raise Refused(1, "Netlink error: Bad value. see dmesg.")
    zeros = [tc for tc in range(8) if shown[tc] == ETS and not share[tc]]
    strict = bool(among) + bool(zeros)
    group: list[int] = []
    real: list[int] = []
    for tc in range(8):
        if shown[tc] == ETS:
            group.append(1 if share[tc] and zeros else 0)
            real.append(share[tc] or 100 // len(zeros))
        else:
            group.append(7 if shown[tc] == VENDOR else strict)
            strict += shown[tc] == STRICT
            real.append(100)
    if zeros:
        real[zeros[-1]] += 100 % len(zeros)
    it["prio_tc"], it["tsa"], it["group"], it["share"] = list(classes), shown, group, real


def show(state: State, it: State, everything: bool, tail: str = "max_buffer_size=") -> str:
    """Print as the tool does, tabs and trailing blanks included."""
    lines = []
    if state["lldpad"]:
        lines += [
            "****** WARNING: lldpad service is running and may overwrite your settings ******",
            "",
        ]
    if not it["buffers"]:
        lines.append("Buffers commands are not supported on your system")
    if not it["rate"]:
        lines.append("Rate limit is not supported on your system!")
    lines.append("DCBX mode: " + ("OS" if it["owner"] == "os" else "Firmware") + " controlled")
    lines += _trusted(it)
    if it["buffers"]:
        sizes = "".join(f"{size}," for size in it["sizes"])
        lines.append(
            f"Receive buffer size (bytes): {sizes}" + (f"{tail}{it['total']}" if tail else "")
        )
    lines += [
        f"Cable len: {it['cable']}",
        "PFC configuration:",
        "\tpriority    0   1   2   3   4   5   6   7",
        "\tenabled     " + "".join(f"{bit}   " for bit in it["pfc"]),
    ]
    if it["buffers"]:
        lines.append("\tbuffer      " + "".join(f"{b}   " for b in it["p2b"]))
    tsa, share = shown_ets(it)
    for tc in range(8):
        members = [p for p in range(8) if it["prio_tc"][p] == tc]
        if not members and not everything:
            continue
        limit = f"{it['kbps'][tc] / 1000 / 1000:.1f} Gbps" if it["kbps"][tc] else "unlimited"
        head = f"tc: {tc} ratelimit: {limit}, tsa: " if it["rate"] else ""
        lines.append(head + (f"ets, bw: {share[tc]}%" if tsa[tc] == ETS else tsa[tc]))
        lines += [f"\t priority:  {p}" for p in members]
    return "\n".join(lines) + "\n"


def _trusted(it: State) -> list[str]:
    """Print the trust, and under DSCP its map, eight codes a line, the last set first."""
    if not it["apps"]:
        return ["Priority trust state: pcp"]
    lines = ["Priority trust state: dscp", "dscp2prio mapping:"]
    for priority in range(8):
        mine = [int(d) for d, p in reversed(list(it["apps"].items())) if p == priority]
        for start in range(0, len(mine), 8):
            codes = "".join(f"{d:02d}," for d in mine[start : start + 8])
            lines.append(f"\tprio:{priority} dscp:{codes}")
    return lines


def reload_driver(it: State) -> None:
    """The driver forgets; firmware keeps PFC and trust (linux mlx5 mlx5e_ets_init)."""
    it.update(
        cable=7,
        manual=False,
        prio_tc=[1, 0, 2, 3, 4, 5, 6, 7],
        tsa=[VENDOR] * 8,
        group=[7] * 8,
        share=[100] * 8,
    )
