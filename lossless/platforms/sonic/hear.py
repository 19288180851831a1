"""From the rows of CONFIG_DB to a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from lossless.model.buffers import (
    BoxBuffers,
    HeadroomPool,
)
from lossless.model.classification import (
    DSCPS,
    PRIORITIES,
    TRAFFIC_CLASSES,
    Classification,
    Trust,
)
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import LinkSettings, Mtu
from lossless.model.pfc import Pfc, PfcMode, Watchdog
from lossless.model.scheduling import (
    Algorithm,
    Ecn,
    Ets,
    QueueEcn,
    QueueScheduling,
    Thresholds,
)
from lossless.model.settings import Settings, System
from lossless.model.units import Bandwidth, BandwidthKind, Cap
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.sonic import words
from lossless.platforms.sonic.db import (
    BINDINGS,
    GLOBAL_WATCHDOG,
    LOCALHOST,
    PER_PORT,
    Native,
    Row,
    by_number,
    is_port,
)
from lossless.platforms.sonic.hear_buffers import pool_name, read_buffers, read_pool, read_ratio

#: Numbers that a row is given for where all rows were seen (sonic-tc-queue-map.yang, types).
_QUEUES: Final = range(10)
MAPS: Final[Mapping[str, tuple[str, int, int]]] = {
    # field of PORT_QOS_MAP: leaf of Classification, code points, highest value
    "dscp_to_tc_map": ("dscp_to_priority", DSCPS, 15),
    "dot1p_to_tc_map": ("pcp_to_priority", PRIORITIES, 15),
    "tc_to_queue_map": ("tc_to_queue", TRAFFIC_CLASSES, 9),
    "tc_to_pg_map": ("tc_to_group", TRAFFIC_CLASSES, 7),
    "pfc_to_queue_map": ("pfc_priority_to_queue", PRIORITIES, 7),
    "pfc_to_pg_map": ("pfc_priority_to_group", PRIORITIES, 7),
    "tc_to_dscp_map": ("rewrite_dscp", PRIORITIES, 63),
}


def hear(native: Native) -> DeviceState:
    """Return the configured state.  What was not seen stays `None`."""
    index = _index(native)
    ports = {name: _port(native, name, index) for name in port_names(native)}
    return DeviceState(_system(native), ports)


def port_names(native: Native) -> list[str]:
    """Return every port that a table names, in the device's order."""
    names: dict[str, None] = dict.fromkeys(native.tables.get("PORT", {}))
    for held in sorted(PER_PORT):
        for key in native.tables.get(held, {}):
            names.setdefault(key.split("|")[0], None)
    for cables in native.tables.get("CABLE_LENGTH", {}).values():
        names.update(dict.fromkeys(cables))
    return [name for name in names if is_port(name)]


def _index(native: Native) -> dict[tuple[str, str], dict[str, Row]]:
    """Group rows keyed `port|numbers` by table and port."""
    out: dict[tuple[str, str], dict[str, Row]] = {}
    for held in ("QUEUE", "BUFFER_PG", "BUFFER_QUEUE"):
        for key, row in native.tables.get(held, {}).items():
            out.setdefault((held, key.rpartition("|")[0]), {})[key] = row
    return out


class _Fields:
    """The fields of one row, and what an absent one means."""

    def __init__(self, native: Native, table: str, key: str) -> None:
        row = native.tables.get(table, {}).get(key)
        self.row: Row = row if row is not None else {}
        told = (table, key) not in native.partial if row is not None else native.saw(table)
        self.absent: Any = DEFAULT if told else None

    def text(self, name: str) -> str | None:
        return self.row.get(name)

    def read(self, name: str, how: Any) -> Any:
        """Read a field; absent, it stands at its default where the row was wholly seen."""
        text = self.row.get(name)
        return self.absent if text is None else how(text)


def _port(native: Native, name: str, index: Mapping[tuple[str, str], dict[str, Row]]) -> Settings:
    port = _Fields(native, "PORT", name)
    qos = _Fields(native, "PORT_QOS_MAP", name)
    link = _link(port)
    queues = index.get(("QUEUE", name), {})
    return Settings(
        link=link,
        mtu=_mtu(port),
        classification=_classification(native, qos),
        pfc=_pfc(port, qos),
        watchdog=_watchdog(_Fields(native, "PFC_WD", name), qos),
        ets=Ets(queues=table(_schedulers(native, name, queues))),
        ecn=Ecn(queues=table(_curves(native, name, queues))),
        buffers=read_buffers(native, name, index),
    )


def _link(port: _Fields) -> LinkSettings:
    speed = port.read("speed", words.number)
    speed = speed * words.MEGABIT if is_value(speed) else speed
    lanes = port.text("lanes")
    count = len(lanes.split(",")) if lanes else None
    return LinkSettings(
        speed=speed,
        lanes=count,
        fec=port.read("fec", lambda text: words.fec(text, speed, count)),
        autoneg=port.read("autoneg", words.switch),
        link_training=port.read("link_training", words.switch),
        admin_up=port.read("admin_status", lambda text: words.switch(text, "up", "down")),
    )


def _mtu(port: _Fields) -> Mtu:
    size = port.read("mtu", words.number)
    return Mtu(l3=size, native=size)


def _classification(native: Native, qos: _Fields) -> Classification:
    told: dict[str, Any] = {}
    for binding, (leaf, size, highest) in MAPS.items():
        told[leaf] = _map(native, qos, binding, size, highest)
    rewrite = qos.read("tc_to_dscp_map", lambda _: True)
    fixed = () if qos.absent is None else (DEFAULT,) * PRIORITIES
    return Classification(
        trust=_trust(qos), priority_to_tc=fixed, rewrite_dscp_enabled=rewrite, **told
    )


def _map(native: Native, qos: _Fields, binding: str, size: int, highest: int) -> Any:
    name = qos.text(binding)
    if name is None:
        return () if qos.absent is None else (DEFAULT,) * size
    row = native.tables.get(BINDINGS[binding], {}).get(name)
    if row is None:
        return ()  # a reference to nothing says nothing
    whole = (BINDINGS[binding], name) not in native.partial
    return read_map(row, size, highest, DEFAULT if whole else None)


def read_map(row: Row, size: int, highest: int, absent: Any = DEFAULT) -> tuple[Any, ...]:
    """Read a map of numbers; a code point that it leaves out stands at `absent`."""
    out: list[Any] = [absent] * size
    for point, value in row.items():
        at, to = words.number(point), words.number(value)
        if at is not None and to is not None and at < size and to <= highest:
            out[at] = to
    return tuple(out)


def _trust(qos: _Fields) -> Any:
    dscp, pcp = qos.text("dscp_to_tc_map"), qos.text("dot1p_to_tc_map")
    if dscp is not None and pcp is not None:
        return Trust.BOTH
    if dscp is not None:
        return Trust.DSCP
    return Trust.PCP if pcp is not None else qos.absent


def _pfc(port: _Fields, qos: _Fields) -> Pfc:
    send = qos.read("pfc_enable", words.priorities)
    if send == frozenset():
        send = DEFAULT  # an empty list and none are one
    if port.text("pfc_asym") == "on":  # portsorch: every priority is honoured, these are sent
        return Pfc(mode=PfcMode.ON, send=send, honour=words.PRIORITIES)
    mode = PfcMode.ON if is_value(send) else send
    return Pfc(mode=mode, send=send, honour=send)


def _watchdog(row: _Fields, qos: _Fields) -> Watchdog:
    there = any(row.text(field) is not None for field in ("detection_time", "action"))

    def time(text: str) -> Any:
        found = words.number(text)
        return None if found is None else found * words.MILLISECOND

    return Watchdog(
        enabled=True if there else row.absent,
        priorities=qos.read("pfcwd_sw_enable", words.priorities),
        detect=row.read("detection_time", time),
        restore=row.read("restoration_time", time),
        action=row.read("action", words.ACTIONS.get),
    )


def _schedulers(native: Native, port: str, rows: Mapping[str, Row]) -> dict[int, QueueScheduling]:
    out = dict.fromkeys(_QUEUES, NO_SCHEDULER) if native.saw("QUEUE") else {}
    for queue, key, row in by_number(rows, port):
        name = row.get("scheduler")
        held = native.tables.get("SCHEDULER", {}).get(name or "")
        if name is None and ("QUEUE", key) not in native.partial:
            out[queue] = NO_SCHEDULER
        elif held is not None:
            out[queue] = read_scheduler(held)
        else:
            out.pop(queue, None)
    return out


def read_scheduler(row: Row) -> QueueScheduling:
    """Read a row of SCHEDULER.  Rates are bytes per second unless it counts packets."""
    algorithm = words.SCHEDULERS.get(row.get("type", "WRR"))
    weight = words.number(row.get("weight", "1"))
    share: Any = None if weight is None else Bandwidth(BandwidthKind.WEIGHT, weight)
    if algorithm is Algorithm.STRICT:
        share = DEFAULT  # a strict queue has no share, whatever stands there
    peak = words.number(row.get("pir"))
    cap: Any = DEFAULT
    if "pir" in row:
        packets = row.get("meter_type", "bytes") != "bytes"
        cap = None if peak is None or packets else Cap(rate=peak * 8) if peak else DEFAULT
    return QueueScheduling(algorithm=algorithm, bandwidth=share, cap=cap)


def _curves(native: Native, port: str, rows: Mapping[str, Row]) -> dict[int, QueueEcn]:
    out = dict.fromkeys(_QUEUES, NO_CURVE) if native.saw("QUEUE") else {}
    for queue, key, row in by_number(rows, port):
        name = row.get("wred_profile")
        held = native.tables.get("WRED_PROFILE", {}).get(name or "")
        if name is None and ("QUEUE", key) not in native.partial:
            out[queue] = NO_CURVE
        elif held is not None:
            out[queue] = read_curve(held)
        else:
            out.pop(queue, None)
    return out


NO_SCHEDULER: Final = QueueScheduling(algorithm=DEFAULT, bandwidth=DEFAULT, cap=DEFAULT)
_NO_COLOUR: Final = Thresholds(minimum=DEFAULT, maximum=DEFAULT, probability=DEFAULT)
NO_CURVE: Final = QueueEcn(
    enabled=DEFAULT,
    wred=DEFAULT,
    minimum=DEFAULT,
    maximum=DEFAULT,
    probability=DEFAULT,
    colours=table({"red": _NO_COLOUR, "yellow": _NO_COLOUR}),
)


def read_curve(row: Row) -> QueueEcn:
    """Read a row of WRED_PROFILE.  Packets are green unless a policer colours them (swss)."""
    marked = words.ECN.get(row.get("ecn", "ecn_none"))
    colours = {colour: _thresholds(row, colour) for colour in ("yellow", "red")}
    green = _thresholds(row, "green")
    return QueueEcn(
        enabled=None if marked is None else True if "green" in marked else OFF,
        wred=words.switch(row.get("wred_green_enable", "false"), "true", "false"),
        minimum=green.minimum,
        maximum=green.maximum,
        probability=green.probability,
        colours=table(colours),
    )


def _thresholds(row: Row, colour: str) -> Thresholds:
    return Thresholds(
        minimum=words.size(row.get(f"{colour}_min_threshold")),
        maximum=words.size(row.get(f"{colour}_max_threshold")),
        probability=words.per_cent(row.get(f"{colour}_drop_probability")),
    )


def _system(native: Native) -> System:
    metadata = _Fields(native, "DEVICE_METADATA", LOCALHOST)
    rows = native.tables.get("BUFFER_POOL", {})
    pools = {pool_name(key): read_pool(row) for key, row in rows.items()}
    poll = _Fields(native, "PFC_WD", GLOBAL_WATCHDOG).read("POLL_INTERVAL", words.number)
    poll = poll * words.MILLISECOND if is_value(poll) else poll
    return System(
        settings=Settings(watchdog=Watchdog(poll=poll)),
        buffers=BoxBuffers(
            model=metadata.read("buffer_model", str),
            pools=table(pools),
            headroom_pool=HeadroomPool(oversubscription=read_ratio(native)),
        ),
    )
