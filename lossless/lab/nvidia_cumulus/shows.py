"""What `nv show` prints of quality of service: blocks and tables, from what runs and what is
applied.

Columns are as wide as what stands in them, and a rule of dashes is beneath their heads, as in the
manual's samples.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from lossless.lab.nvidia_cumulus import tree
from lossless.lab.nvidia_cumulus.grammar import Refused
from lossless.lab.nvidia_cumulus.running import GLOBAL, Running, mode, rounded, running, watched

if TYPE_CHECKING:
    from lossless.lab.nvidia_cumulus.box import Cumulus

Row = Sequence[str]
_TRUST: Final = {"l2": "pcp", "l3": "dscp", "both": "pcp,dscp", "port": "port"}
_MISSING: Final = "The requested item does not exist."


def show(box: Cumulus, words: Sequence[str]) -> str:
    """Answer `nv show <words>`.  Raises `Refused` for what is not there or not known."""
    if words[:2] == ["qos", "roce"] and len(words) == 2:
        return _roce(box)
    if words[:1] == ["qos"] and len(words) == 3:
        return _profile(box, words[1], words[2])
    if words[:1] == ["interface"] and len(words) > 1:
        if tree.at(box.applied, "interface", words[1]) is None:
            raise Refused(_MISSING)
        return _interface(box, words[1], words[2:])
    if words in (["system"], ["system", "version"]):
        return _system(box, words)
    if words == ["interface"]:
        return _interfaces(box)
    raise Refused(f"'{' '.join(words)}' is not known to the lab")


# --- on paper ------------------------------------------------------------------------------------


def block(rows: Sequence[Row], heads: Row = ("operational", "applied")) -> str:
    """Return a block of keys, with a column for what runs and one for what is applied."""
    return table(("", *heads), rows)


def table(heads: Row, rows: Sequence[Row], indent: int = 0) -> str:
    """Return a table as wide as what stands in it."""
    widths = [max(2 if not n else 1, *(len(row[n]) for row in (heads, *rows)))
              for n in range(len(heads))]  # fmt: skip
    lines = [heads, ["-" * width for width in widths], *rows]
    return "".join(
        " " * indent + "  ".join(cell.ljust(w) for cell, w in zip(line, widths, strict=True))
        .rstrip() + "\n"
        for line in lines
    )  # fmt: skip


def titled(title: str, heads: Row, rows: Sequence[Row]) -> str:
    """Return a table beneath its title."""
    return f"\n{title}\n{'=' * (len(title) + 3)}\n{table(heads, rows, 4)}"


def size(number: int) -> str:
    """Return a number of bytes as NVUE's operational views print it."""
    if number >= 1 << 20:
        return f"{number / (1 << 20):.2f} MB"
    return f"{number / 1024:.2f} KB" if number >= 1024 else f"{number} Bytes"


def _points(held: Sequence[int]) -> str:
    return ",".join(map(str, held)) or "-"


# --- RoCE ----------------------------------------------------------------------------------------


def _roce(box: Cumulus) -> str:
    held = box.applied
    macro, runs = mode(held), running(held)
    key = "enable" if box.release < 15 else "state"
    told = tree.at(held, "qos", "roce") or {}
    off = "off" if box.release < 15 else "disabled"
    rows: list[Row] = [(key, "" if macro else off, str(told.get(key, "")))]
    if macro is None:
        return block(rows)
    rows.append(("mode", macro, str(told.get("mode", macro))))
    rows += _paused(runs, "enabled", cable=True)
    rows += _marked(runs, "ECN", lambda n: n)
    rows += _tail(runs, macro)
    pieces = [block(rows), _maps(runs), _classes(runs), _pools(macro)]
    return "".join(pieces) + "\nException List\n=================\nNo Data\n"


def _paused(runs: Running, yes: str, *, cable: bool) -> list[Row]:
    no = "no" if yes == "yes" else "disabled"
    rows: list[Row] = [("pfc", "", ""), ("  pfc-priority", _points(sorted(runs.paused)), "")]
    if runs.paused:
        rows.append(("  rx-enabled", yes if runs.honours else no, ""))
        rows.append(("  tx-enabled", yes if runs.sends else no, ""))
        if cable:
            rows.append(("  cable-length", str(runs.cable), ""))
    return rows


def _marked(runs: Running, how: str, shown: Callable[[int], int]) -> list[Row]:
    marked = sorted(n for n, curve in runs.curves.items() if curve.ecn)
    rows: list[Row] = [("congestion-control", "", "")]
    if marked:
        curve = runs.curves[marked[0]]
        rows += [
            ("  congestion-mode", how, ""),
            ("  enabled-tc", _points(marked), ""),
            ("  min-threshold", size(shown(curve.low)), ""),
            ("  max-threshold", size(shown(curve.high)), ""),
            ("  probability", str(curve.probability), ""),
        ]
    return rows


def _tail(runs: Running, macro: str | None) -> list[Row]:
    rows: list[Row] = [("trust", "", ""), ("  trust-mode", _TRUST[runs.trust], "")]
    if macro and macro != "lossy-multi-tc":
        rows += [
            ("lldp-app-tlv", "", ""),
            ("  priority", "3", ""),
            ("  protocol-id", "4791", ""),
            ("  selector", "UDP", ""),
        ]
    return rows


def _maps(runs: Running) -> str:
    rows = [
        (
            str(priority),
            _points([n for n, to in runs.maps["pcp"].items() if to == priority]),
            _points([n for n, to in runs.maps["dscp"].items() if to == priority]),
            str(priority),
        )
        for priority in range(8)
    ]
    title = "RoCE PCP/DSCP->SP mapping configurations"
    return titled(title, ("", "pcp", "dscp", "switch-prio"), rows)


def _weight(runs: Running, queue: int, how: str) -> str:
    kind, share = runs.served.get(queue, ("dwrr", 0))
    return how if kind == "strict" else f"dwrr-{share}%"


def _classes(runs: Running) -> str:
    rows = []
    for priority in range(8):
        queue = runs.maps["switch-priority"][priority]
        weight = _weight(runs, queue, "strict-priority").replace("dwrr", "DWRR")
        rows.append((str(priority), str(priority), str(queue), weight))
    title = "RoCE SP->TC mapping and ETS configurations"
    return titled(title, ("", "switch-prio", "traffic-class", "scheduler-weight"), rows)


def _pools(macro: str) -> str:
    single = not macro.endswith("lossless")
    most = "0,1,2,3,4,5,6,7" if single else "0,1,2,4,5,6,7"
    share = "100%" if single else "50.0%"
    rows = [("0", "lossy-default-ingress", "Dynamic", share, most, "-")]
    if not single:
        rows.append(("1", "roce-reserved-ingress", "Dynamic", share, "3", "-"))
    rows.append(("2", "lossy-default-egress", "Dynamic", share, "-", "0,6"))
    if "lossless" in macro:
        rows.append(("3", "roce-reserved-egress", "Dynamic", "inf", "-", "3"))
    heads = ("", "name", "mode", "size", "switch-priorities", "traffic-class")
    return titled("RoCE pool config", heads, rows)


# --- interfaces ----------------------------------------------------------------------------------


def _interface(box: Cumulus, port: str, words: Sequence[str]) -> str:
    if not words or words[0] == "link":
        return _link(box, port)
    if words[0] != "qos":
        raise Refused(f"'{words[0]}' is not known to the lab")
    about = " ".join(words[1:])
    runs = running(box.applied, port)
    if about in ("roce", "roce status"):
        return _status(box, runs)
    found = _ABOUT.get(about)
    if found is None:
        raise Refused(f"'{about}' is not known to the lab")
    return found(box, port, runs)


def _status(box: Cumulus, runs: Running) -> str:
    macro = mode(box.applied)
    if macro is None:
        return block([])
    rows = _marked(runs, "ecn, absolute", lambda n: rounded(n, box.plate.model))
    rows += _paused(runs, "yes", cable=False)
    rows += _tail(runs, macro)
    rows.append(("mode", macro, ""))
    return block(rows)


def _link(box: Cumulus, port: str) -> str:
    told = tree.at(box.applied, "interface", port, "link") or {}
    speed = next((p.speed for p in box.plate.ports if p.name == port), None)
    runs = told.get("speed") or (f"{speed // 10**9}G" if speed else "")
    up = "down" if "down" in (told.get("state") or {}) else "up"
    rows = [
        ("link", "", ""),
        ("  auto-negotiate", str(told.get("auto-negotiate", "on")), told.get("auto-negotiate", "")),
        ("  fec", str(told.get("fec", "auto")), told.get("fec", "")),
        ("  mtu", str(told.get("mtu", 9216)), told.get("mtu", "")),
        ("  speed", runs, told.get("speed", "")),
        ("  state", up, up if "state" in told else ""),
    ]
    return block(rows)


def _flow(rx: bool, tx: bool, priorities: Sequence[int] = ()) -> str:
    words = {True: "enable", False: "disable"}
    rows: list[Row] = [("rx", words[rx], ""), ("tx", words[tx], "")]
    return block([*rows, *(("[switch-priority]", str(n), str(n)) for n in priorities)])


def _pfc(box: Cumulus, port: str, runs: Running) -> str:
    some = bool(runs.paused)
    return _flow(some and runs.honours, some and runs.sends, sorted(runs.paused))


def _ecn(box: Cumulus, port: str, runs: Running) -> str:
    words = {True: "enable", False: "disable"}
    rows = [
        (
            str(queue),
            words[curve.ecn],
            words[curve.red],
            *(_threshold(box, curve.relative, n) for n in (curve.low, curve.high)),
            str(curve.probability),
        )
        for queue, curve in sorted(runs.curves.items())
    ]
    heads = ("traffic-class", "ECN", "RED", "Min Th", "Max Th", "Probability")
    return titled("ECN configuration", heads, rows).lstrip("\n")


def _threshold(box: Cumulus, relative: bool, number: int) -> str:
    return f"{number}%" if relative else size(rounded(number, box.plate.model))


def _scheduler(box: Cumulus, port: str, runs: Running) -> str:
    rows = []
    for queue in range(8):
        kind, share = runs.served.get(queue, ("dwrr", 0))
        rows.append((str(queue), kind, "" if kind == "strict" else str(share)))
    heads = ("traffic-class", "mode", "bw-percent")
    return titled("TC->DWRR weight configuration", heads, rows).lstrip("\n")


def _queues(box: Cumulus, port: str, runs: Running) -> str:
    rows = [(str(p), str(q)) for p, q in sorted(runs.maps["switch-priority"].items())]
    heads = ("switch-priority", "traffic-class")
    return titled("SP->TC mapping configuration", heads, rows).lstrip("\n")


def _mapping(box: Cumulus, port: str, runs: Running) -> str:
    told = block([("port-default-sp", str(runs.default), ""), ("trust", runs.trust, "")])
    uses = {"pcp": ("l2", "both"), "dscp": ("l3", "both")}
    for name, head, title in (
        ("pcp", "802.1p", "PCP->SP mapping configuration"),
        ("dscp", "dscp", "DSCP->SP mapping configuration"),
    ):
        held = runs.maps[name] if runs.trust in uses[name] else {}
        rows = [(str(point), str(priority)) for point, priority in sorted(held.items())]
        told += titled(title, (head, "switch-priority"), rows)
    return told


def _dog(box: Cumulus, port: str, runs: Running) -> str:
    on = watched(box.applied, port)
    word = "enabled" if on else "disabled"
    rows = [(str(n), "OK", "0") for n in range(8)] if on else []
    heads = ("traffic-class", "status", "deadlock-count")
    return block([("state", word, word if on else "")]) + titled("PFC WD Status", heads, rows)


_ABOUT: Final[dict[str, Callable[[Any, str, Running], str]]] = {
    "pfc": _pfc,
    "link-pause": lambda box, port, runs: _flow(*runs.pause),
    "congestion-control": _ecn,
    "egress-scheduler": _scheduler,
    "egress-queue-mapping": _queues,
    "mapping": _mapping,
    "pfc-watchdog": _dog,
}


# --- profiles, and the rest ----------------------------------------------------------------------


def _profile(box: Cumulus, feature: str, name: str) -> str:
    """Print a profile as it is applied, key by key."""
    held = tree.at(box.applied, "qos", feature, name)
    if held is None and name == GLOBAL:
        return block([])
    if not isinstance(held, dict):
        raise Refused(_MISSING)
    rows: list[Row] = []
    for path, value in tree.leaves(held):
        if path[0] == "switch-priority" and value == {}:
            rows.append(("[switch-priority]", path[1], path[1]))
            continue
        unit = " B" if re.fullmatch(r"(port-buffer|.*-threshold)", path[-1]) else ""
        rows.append((".".join(path), f"{value}{unit}", f"{value}{unit}"))
    return block(rows)


def _system(box: Cumulus, words: Sequence[str]) -> str:
    if words == ["system", "version"]:
        build = f"Cumulus Linux {box.version}"
        return block([("image", build, "")], ("operational", "applied"))
    told = tree.at(box.applied, "system", "hostname") or ""
    rows = [
        ("hostname", box.hostname, str(told)),
        ("product-name", "Cumulus Linux", ""),
        ("product-release", box.version, ""),
        ("platform", box.plate.model or "", ""),
    ]
    return block(rows)


def _interfaces(box: Cumulus) -> str:
    rows = []
    for name in sorted(box.applied.get("interface") or {}, key=tree.natural):
        link = tree.at(box.applied, "interface", name, "link") or {}
        state = "down" if "down" in (link.get("state") or {}) else "up"
        kind = str(tree.at(box.applied, "interface", name, "type") or "")
        rows.append(
            (name, state, state, str(link.get("speed", "")), str(link.get("mtu", 9216)), kind)
        )
    heads = ("Interface", "Admin Status", "Oper Status", "Speed", "MTU", "Type")
    return table(heads, rows)
