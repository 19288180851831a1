"""From what a host printed to the state of its NICs."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.rdma import RoceVersion
from lossless.model.settings import FACETS, Settings
from lossless.model.values import OFF, number_map
from lossless.platforms.contract import Diagnostic, Output, Parsed, Unread
from lossless.platforms.nvidia_mlnx_qos import host_text, parse_qos, reads, words
from lossless.platforms.nvidia_mlnx_qos.reader import Reader, of_rdma, port_of

_ECN: Final = re.compile(r"/sys/class/net/([^/]+)/ecn/roce_(np|rp)/(enable/)?(\w+)$")
_TC: Final = re.compile(r"/sys/class/infiniband/([^/]+)/tc/1/traffic_class$")
_MTU: Final = re.compile(r"/sys/class/net/([^/]+)/mtu$")


def parse(outputs: Sequence[Output]) -> Parsed:
    """Read a host.  Never raises for what was printed."""
    reader = Reader()
    asked = [(output, reads.question(output)) for output in outputs]
    for output, question in asked:
        if question is not None and question.kind in ("mapping", "netdevs"):
            reader.netdevs.update(host_text.rdma_netdevs(output.text))
    understood = False
    for output, question in asked:
        if question is not None:
            understood |= _READERS[question.kind](reader, output, question.subject)
    _settle(reader)
    return Parsed(
        state=DeviceState(ports={name: _settings(told) for name, told in reader.told.items()}),
        coverage=frozenset(reader.coverage),
        unread=tuple(reader.unread),
        diagnostics=tuple(reader.diagnostics),
        facts=reader.facts,
        lines=reader.lines,
        understood=understood,
    )


def _settings(told: dict[str, dict[str, Any]]) -> Settings:
    kinds = {name: type(getattr(Settings(), name)) for name in FACETS}
    return Settings(**{name: kinds[name](**fields) for name, fields in told.items()})


def _files(reader: Reader, output: Output, subject: str | None) -> bool:
    blocks = list(host_text.blocks(output.text))
    if subject is not None and not blocks:
        blocks = [(subject, output.text.splitlines(), 1)]
    told = [_file(reader, output, *block) for block in blocks]
    return any(told)


def _file(reader: Reader, output: Output, path: str, lines: list[str], first: int) -> bool:
    if match := _TC.match(path):
        return _forced(reader, output, lines, first, of_rdma(reader, output, match[1]))
    value = host_text.number(lines)
    if match := _MTU.match(path):
        if value is not None:
            reader.tell(match[1], "mtu", l3=value, native=value)
        return value is not None
    match = _ECN.match(path)
    if match is None:
        return False
    port, end, enable, name = match.groups()
    if value is None:
        reader.damaged(output, first, f"{path} does not hold a number")
        return False
    return _ecn(reader, output, first, (port, end, bool(enable), name), value)


def _ecn(
    reader: Reader, output: Output, line: int, at: tuple[str, str, bool, str], value: int
) -> bool:
    port, end, enable, name = at
    if enable:
        if name in set("01234567") and value in (0, 1):
            reader.switches.setdefault((port, end), {})[int(name)] = bool(value)
            leaf = "notification_point" if end == "np" else "reaction_point"
            reader.seen(output, line, port, "congestion", leaf)
            return True
        reader.damaged(output, line, f"{port}: roce_{end}/enable/{name} holds {value}")
        return False
    leaves = {
        "cnp_dscp": ("cnp_dscp", 63, 1),
        "cnp_802p_prio": ("cnp_priority", 7, 1),
        "min_time_between_cnps": ("cnp_interval", words.PARAMETER_MAXIMUM, 1000),
    }
    if end == "np" and name in leaves:
        leaf, highest, unit = leaves[name]
        if value > highest:
            reader.damaged(output, line, f"{port}: {name} holds {value}")
            return False
        reader.tell(port, "congestion", **{leaf: value * unit})
        reader.seen(output, line, port, "congestion", leaf)
        return True
    if end == "rp" and name in words.PARAMETERS:
        rows = reader.told.setdefault(port, {}).setdefault("congestion", {})
        known = dict(rows.get("parameters", ()))
        rows["parameters"] = tuple(sorted({**known, name: value}.items()))
        reader.seen(output, line, port, "congestion", "parameters", name)
        return True
    reader.unread.append(Unread(f"{name}: {value}", line, output.file, (f"roce_{end}",)))
    return False


def _forced(reader: Reader, output: Output, lines: list[str], first: int, port: str) -> bool:
    """Read `traffic_class`: empty says that nothing is forced; other lines are address rules."""
    value: Any = OFF
    for number, line in enumerate(lines, first):
        told = host_text.tclass(line)
        if told is not None:
            value = told
            reader.seen(output, number, port, "marking", "global_tclass")
        elif line.startswith(("head: ", "cat: ")):
            return False
        elif line.strip():
            reader.unread.append(Unread(line.strip(), number, output.file, ("traffic_class",)))
    reader.tell(port, "marking", global_tclass=value)
    return True


def _tclass(reader: Reader, output: Output, subject: str | None) -> bool:
    return _forced(reader, output, output.text.splitlines(), 1, port_of(output, subject))


def _links(reader: Reader, output: Output, _: str | None) -> bool:
    rows = host_text.links(output.text)
    reader.rows += [(row, output.file or output.command or None) for row in rows]
    return bool(rows)


def _pause(reader: Reader, output: Output, subject: str | None) -> bool:
    named = re.match(r"Pause parameters for (\S+):", output.text)
    port = subject or (named[1] if named else port_of(output, None))
    found = host_text.pause(output.text)
    for word, leaf in (("RX", "pause_honour"), ("TX", "pause_send")):
        if word in found:
            on, line = found[word]
            reader.tell(port, "link", **{leaf: True if on else OFF})
            reader.seen(output, line, port, "link", leaf)
    return bool(found)


def _speed(reader: Reader, output: Output, subject: str | None) -> bool:
    named = re.match(r"Settings for (\S+):", output.text)
    found = host_text.speed(output.text)
    if found is not None:
        reader.tell(subject or (named[1] if named else port_of(output, None)), "link", speed=found)
    return bool(named)


def _driver(reader: Reader, output: Output, subject: str | None) -> bool:
    found = host_text.driver(output.text)
    for name, value in found.items():
        reader.fact(port_of(output, subject), name, value)
    return bool(found)


def _tos(reader: Reader, output: Output, subject: str | None) -> bool:
    """Without `-d` the tool speaks of mlx5_0, whoever asked."""
    value = host_text.number(output.text.splitlines())
    if value is None or value > 255:
        reader.damaged(output, 1, f"cma_roce_tos printed {output.text.strip()[:80]!r}")
        return False
    port = of_rdma(reader, output, subject or "mlx5_0")
    reader.tell(port, "marking", cm_tos=value)
    reader.seen(output, 1, port, "marking", "cm_tos")
    return True


def _mode(reader: Reader, output: Output, subject: str | None) -> bool:
    modes = {"IB/RoCE v1": RoceVersion.V1, "RoCE v2": RoceVersion.V2}
    found = modes.get(output.text.strip())
    if found is None:
        reader.damaged(output, 1, f"cma_roce_mode printed {output.text.strip()[:80]!r}")
        return False
    port = of_rdma(reader, output, subject or "mlx5_0")
    reader.tell(port, "marking", cm_mode=found)
    reader.seen(output, 1, port, "marking", "cm_mode")
    return True


def _verbs(reader: Reader, output: Output, _: str | None) -> bool:
    found = host_text.verbs(output.text)
    for rdma, facts in found.items():
        for name, value in facts.items():
            reader.fact(reader.netdevs.get(rdma, rdma), name, value)
    return bool(found)


def _netdevs(reader: Reader, output: Output, _: str | None) -> bool:
    for rdma, netdev in host_text.rdma_netdevs(output.text).items():
        reader.fact(netdev, "rdma", rdma)
    for netdev, state in host_text.ports(output.text).items():
        reader.fact(netdev, "port", state)
    return bool(host_text.rdma_netdevs(output.text))


def _gids(reader: Reader, output: Output, _: str | None) -> bool:
    found = host_text.gids(output.text)
    for (rdma, port, index), told in found.items():
        reader.fact(rdma, f"gid.{port}.{index}", told)
    return bool(found)


def _nv(reader: Reader, output: Output, subject: str | None) -> bool:
    found = host_text.nv(output.text)
    for name, value in found.items():
        reader.fact(subject or port_of(output, None), f"nv.{name}", value)
    return bool(found)


def _processes(reader: Reader, output: Output, _: str | None) -> bool:
    names = {line.split()[-1] for line in output.text.splitlines() if line.split()}
    reader.lldpad = "lldpad" in names
    return bool(names)


_READERS: Final[dict[str, Callable[[Reader, Output, str | None], bool]]] = {
    "qos": parse_qos.read,
    "files": _files,
    "file": _files,
    "tclass": _tclass,
    "links": _links,
    "pause": _pause,
    "speed": _speed,
    "driver": _driver,
    "tos": _tos,
    "mode": _mode,
    "verbs": _verbs,
    "netdevs": _netdevs,
    "mapping": _netdevs,
    "gids": _gids,
    "nv": _nv,
    "processes": _processes,
}


def _settle(reader: Reader) -> None:
    """Combine what only makes sense once every output was read."""
    for (port, end), told in reader.switches.items():
        if len(told) < words.PRIORITIES:
            text = f"{port}: roce_{end}/enable was read for {len(told)} of 8 priorities"
            reader.diagnostics.append(Diagnostic("damaged", text))
            continue
        leaf = "notification_point" if end == "np" else "reaction_point"
        reader.tell(port, "congestion", **{leaf: frozenset(p for p, on in told.items() if on)})
    known = set(reader.told) or {row["ifname"] for row, _ in reader.rows if len(reader.rows) == 1}
    for row, source in reader.rows:
        _row(reader, row, source, known)
    if reader.lldpad is not None:
        agents = frozenset({"lldpad"}) if reader.lldpad else frozenset[str]()
        for port in reader.told:
            reader.told[port].setdefault("dcb", {}).setdefault("agents", agents)


def _row(reader: Reader, row: dict[str, Any], source: str | None, known: set[str]) -> None:
    name = row["ifname"]
    if name in known:
        mtu, flags = row.get("mtu"), row.get("flags")
        if type(mtu) is int and 0 < mtu < 2**31:
            reader.tell(name, "mtu", l3=mtu, native=mtu)
            reader.lines[("ports", name, "mtu", "native")] = (source, 1)
        if isinstance(flags, list):
            reader.tell(name, "link", admin_up=True if "UP" in flags else OFF)
    child = host_text.egress_map(row)
    if child is not None and child[0] in known:
        parent, vlan, pairs = child
        rows = reader.told.setdefault(parent, {}).setdefault("vlans", {})
        maps = {**dict(rows.get("pcp_maps", ())), vlan: number_map(words.PRIORITIES, pairs)}
        rows["pcp_maps"] = tuple(sorted(maps.items()))
