"""Typed operations from one state of a host's NICs to another.

Order inside a NIC: owner and pause; room in the buffers, cable and MTU; PFC; scheduling and
congestion control; classification; what is stamped; buffers that may shrink.  A plan that only
takes PFC away runs the same phases backwards, marking first.  The bitmap of PFC is one operation,
because each change of it flaps the link.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.model.classification import Trust
from lossless.model.device import DeviceState
from lossless.model.operation import Impact, ImpactKind, Op, Phase, Verb
from lossless.model.pfc import DcbOwner
from lossless.model.profile import Profile
from lossless.model.scheduling import Algorithm, QueueScheduling
from lossless.model.settings import NOTHING, Settings
from lossless.model.units import Bandwidth, Cap
from lossless.model.values import DEFAULT, OFF, entry, is_value
from lossless.platforms.nvidia_mlnx_qos import words
from lossless.platforms.nvidia_mlnx_qos.canonical import canonical
from lossless.platforms.nvidia_mlnx_qos.expressible import inexpressible
from lossless.platforms.nvidia_mlnx_qos.prune import prune

_QUIET: Final = Impact(ImpactKind.NONE)
_FLAP: Final = Impact(ImpactKind.PORT_FLAP, "port", None, words.SETPFC)
_LOSS: Final = {
    "ets": Impact(ImpactKind.PACKET_LOSS, "port", None, words.SETETS),
    "buffers": Impact(ImpactKind.PACKET_LOSS, "port", None, words.SETBUFFER),
    "classification": Impact(ImpactKind.PACKET_LOSS, "queue", None, words.SETAPP),
    "mtu": Impact(ImpactKind.PACKET_LOSS, "port", None, words.SETMTU),
    "marking": Impact(ImpactKind.PACKET_LOSS, "queue", None, words.SETTCLASS),
}
_TOOL: Final = "mlnx-tools mlnx_qos"
_ECN: Final = "MLNX_OFED en_ecn.c"
_CMA: Final = "mlnx-tools cma_roce_tos, cma_roce_mode"
_BACKWARDS: Final = (
    Phase.PREPARE,
    Phase.MARKING,
    Phase.CLASSIFICATION,
    Phase.SCHEDULING,
    Phase.PFC,
    Phase.BUFFERS,
    Phase.CLEANUP,
)


@dataclass(frozen=True, slots=True)
class _Single:
    """A leaf that one operation of its own sets."""

    facet: str
    leaf: str
    object: str
    phase: Phase
    impact: Impact
    source: str


_SINGLES: Final = (
    _Single("dcb", "owner", "dcb_owner", Phase.PREPARE, _QUIET, f"{_TOOL} --dcbx"),
    _Single("pfc", "send", "pfc", Phase.PFC, _FLAP, f"{_TOOL} --pfc"),
    _Single(
        "congestion",
        "notification_point",
        "notification_point",
        Phase.SCHEDULING,
        _QUIET,
        f"{_ECN} roce_np/enable",
    ),
    _Single(
        "congestion",
        "reaction_point",
        "reaction_point",
        Phase.SCHEDULING,
        _QUIET,
        f"{_ECN} roce_rp/enable",
    ),
    _Single(
        "congestion", "cnp_dscp", "cnp_dscp", Phase.SCHEDULING, _QUIET, f"{_ECN} roce_np/cnp_dscp"
    ),
    _Single(
        "congestion",
        "cnp_priority",
        "cnp_priority",
        Phase.SCHEDULING,
        _QUIET,
        f"{_ECN} roce_np/cnp_802p_prio",
    ),
    _Single(
        "congestion",
        "cnp_interval",
        "cnp_interval",
        Phase.SCHEDULING,
        _QUIET,
        f"{_ECN} roce_np/min_time_between_cnps",
    ),
    _Single(
        "classification",
        "trust",
        "trust",
        Phase.CLASSIFICATION,
        _LOSS["classification"],
        f"{_TOOL} --trust",
    ),
    _Single("marking", "cm_mode", "cm_mode", Phase.MARKING, _QUIET, _CMA),
    _Single("marking", "cm_tos", "cm_tos", Phase.MARKING, _QUIET, _CMA),
    _Single(
        "marking",
        "global_tclass",
        "global_tclass",
        Phase.MARKING,
        _LOSS["marking"],
        "MLNX_OFED mlx5 main_ext.c, traffic_class_store",
    ),
)
#: Both decide how much headroom a lossless buffer needs (linux mlx5 port_buffer.c, calculate_xoff).
_NEEDS: Final = (
    _Single(
        "buffers", "cable", "cable_length", Phase.BUFFERS, _LOSS["buffers"], f"{_TOOL} --cable_len"
    ),
    _Single("mtu", "native", "mtu", Phase.BUFFERS, _LOSS["mtu"], "iproute2 ip-link(8) set dev mtu"),
)
_LEARNED: Final = frozenset({"pfc"})  # objects that firmware writes where it owns DCBX


@dataclass(slots=True)
class _Port:
    """One NIC under planning; `blind` says that nothing is known of how it stands."""

    name: str
    after: Settings
    before: Settings
    blind: bool
    ops: list[Op] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)

    def differs(self, path: str, wanted: Any, found: Any) -> bool:
        """Say whether a leaf must be written; note one that nobody looked at."""
        if wanted is None or wanted is DEFAULT:
            return False
        if found is None and not self.blind:
            self.unseen.append(f"{self.name}: {path}")
        return bool(wanted != found)

    def add(
        self, object: str, old: Any, new: Any, phase: Phase, impact: Impact, src: str, *key: Any
    ) -> None:
        """Note one operation; what is to be `OFF` is unset."""
        self.ops.append(
            Op(
                verb=Verb.UNSET if new is OFF else Verb.SET,
                object=object,
                key=(self.name, *key),
                old=old,
                new=new,
                phase=phase,
                impact=impact,
                source=src,
            )
        )


def plan(after: DeviceState, before: DeviceState | None, profile: Profile | None) -> tuple[Op, ...]:
    """Return the operations, NIC by NIC.  What is inexpressible is left out, never said in part.

    Raises `ValueError` where `before` does not tell a leaf that `after` wants: what was not seen
    could not be put back.
    """
    wanted = prune(canonical(after, profile), inexpressible(after, profile))
    found = canonical(before, profile) if before is not None else None
    done: list[Op] = []
    unseen: list[str] = []
    for name, told in wanted.ports.items():
        stands = found.port(name) if found is not None else NOTHING
        port = _Port(name, told, stands, blind=found is None)
        for step in (_singles, _pause, _headroom, _sizes, _ets, _limits, _parameters, _dscp):
            step(port)
        unseen += port.unseen
        done += _ordered(port)
    if unseen:
        raise ValueError("not seen, so it could not be put back: " + "; ".join(unseen))
    return tuple(done)


def _ordered(port: _Port) -> Iterator[Op]:
    before, after = port.before.pfc.send, port.after.pfc.send
    losing = isinstance(before, frozenset) and isinstance(after, frozenset) and after < before
    phases = _BACKWARDS if losing else sorted({op.phase for op in port.ops})
    for phase in phases:
        yield from (op for op in port.ops if op.phase == phase)


def _learned(port: _Port) -> bool:
    owner = port.after.dcb.owner
    return (port.before.dcb.owner if owner is None else owner) is DcbOwner.FIRMWARE


def _singles(port: _Port) -> None:
    for single in _SINGLES:
        if single.object not in _LEARNED or not _learned(port):
            _single(port, single)


def _single(port: _Port, single: _Single) -> None:
    wanted = getattr(getattr(port.after, single.facet), single.leaf)
    found = getattr(getattr(port.before, single.facet), single.leaf)
    if port.differs(f"{single.facet}.{single.leaf}", wanted, found):
        port.add(single.object, found, wanted, single.phase, single.impact, single.source)


def _headroom(port: _Port) -> None:
    """What comes to need less goes before the sizes, what comes to need more after them."""
    needs = [(single, _shrinks(port, single)) for single in _NEEDS]
    for single, shrinks in needs:
        if shrinks:
            _single(port, single)
    _room(port)
    for single, shrinks in needs:
        if not shrinks:
            _single(port, single)


def _shrinks(port: _Port, single: _Single) -> bool:
    wanted = getattr(getattr(port.after, single.facet), single.leaf)
    found = getattr(getattr(port.before, single.facet), single.leaf)
    return is_value(wanted) and is_value(found) and bool(wanted < found)


def _pause(port: _Port) -> None:
    wanted = port.after.link.pause_honour, port.after.link.pause_send
    found = port.before.link.pause_honour, port.before.link.pause_send
    changed = [
        port.differs(f"link.{leaf}", w, f)
        for leaf, w, f in zip(("pause_honour", "pause_send"), wanted, found, strict=True)
    ]
    if any(changed):
        source = "ethtool(8) -A rx, tx"
        new = tuple(None if w is DEFAULT else w for w in wanted)
        port.add("pause", found, new, Phase.PREPARE, _LOSS["buffers"], source)
        # Pause comes first: on this NIC it makes every buffer lossless and excludes PFC.
        port.ops.insert(0, port.ops.pop())


def _table(rows: Any) -> tuple[Any, ...]:
    told = dict(rows)
    return tuple(told.get(n) for n in range(words.PRIORITIES))


def _changed(port: _Port, path: str, wanted: tuple[Any, ...], found: tuple[Any, ...]) -> bool:
    changed = False
    for number, want in enumerate(wanted):  # all of them, so that each one unseen is named
        changed |= port.differs(f"{path}.{number}", want, entry(found, number))
    return changed


def _room(port: _Port) -> None:
    """Make room before anything needs it, and map priorities to buffers before PFC acts on them."""
    told, stands = port.after.buffers, port.before.buffers
    if told.sizes and (port.blind or _shapes(port)):
        mapped = told.priority_to_buffer or (None,) * words.PRIORITIES
        new = _table(told.sizes), mapped, port.after.pfc.send, told.cable, port.after.mtu.native
        source = f"{_TOOL} --buffer_size; linux mlx5 port_buffer.c, update_xoff_threshold"
        impact = _LOSS["buffers"]
        port.add("buffer_room", _table(stands.sizes), new, Phase.BUFFERS, impact, source)
    wanted, found = told.priority_to_buffer, stands.priority_to_buffer
    if wanted and _changed(port, "buffers.priority_to_buffer", wanted, found):
        source = f"{_TOOL} --prio2buffer"
        impact = _LOSS["buffers"]
        port.add("priority_to_buffer", found or None, wanted, Phase.BUFFERS, impact, source)


def _shapes(port: _Port) -> bool:
    """Say whether anything else changes what the buffers must hold."""
    after, before = port.after, port.before
    told = (
        (after.pfc.send, before.pfc.send),
        (after.mtu.native, before.mtu.native),
        (after.buffers.cable, before.buffers.cable),
        (after.buffers.priority_to_buffer or None, before.buffers.priority_to_buffer),
    )
    return any(want is not None and want != found for want, found in told)


def _sizes(port: _Port) -> None:
    wanted, found = _table(port.after.buffers.sizes), _table(port.before.buffers.sizes)
    changed = _changed(port, "buffers.sizes", wanted, found)
    if changed or any(op.object == "buffer_room" for op in port.ops):  # which may have grown them
        source = f"{_TOOL} --buffer_size"
        impact = _LOSS["buffers"]
        port.add("buffer_sizes", found, wanted, Phase.CLEANUP, impact, source)


def _ets(port: _Port) -> None:
    if _learned(port):
        return
    wanted, found = _schedule(port.after), _schedule(port.before)
    paths = ("classification.priority_to_tc", "ets.algorithm", "ets.bandwidth")
    changed = [
        _changed(port, path, want, have)
        for path, want, have in zip(paths, wanted, found, strict=True)
    ]
    if any(changed):
        source = (
            f"{_TOOL} --prio_tc, --tsa, --tcbw; linux mlx5 en_dcbnl.c, mlx5e_dbcnl_validate_ets"
        )
        port.add("ets", found, wanted, Phase.SCHEDULING, _LOSS["ets"], source)


def _schedule(settings: Settings) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]:
    """Give class by priority, and algorithm and share in per cent by class; `None`: not told."""
    rows = [dict(settings.ets.queues).get(tc, QueueScheduling()) for tc in range(8)]
    classes = settings.classification.priority_to_tc or (None,) * words.PRIORITIES
    words_of = [
        row.algorithm.value if isinstance(row.algorithm, Algorithm) else None for row in rows
    ]
    shares = [
        row.bandwidth.amount // 10_000
        if isinstance(row.bandwidth, Bandwidth)
        else (0 if row.bandwidth is OFF else None)
        for row in rows
    ]
    return tuple(classes), tuple(words_of), tuple(shares)


def _limits(port: _Port) -> None:
    wanted, found = _rates(port.after), _rates(port.before)
    if _changed(port, "ets.cap", wanted, found):
        source = f"{_TOOL} --ratelimit; linux mlx5 en_dcbnl.c, mlx5e_dcbnl_ieee_setmaxrate"
        port.add("rate_limits", found, wanted, Phase.SCHEDULING, _LOSS["ets"], source)


def _rates(settings: Settings) -> tuple[Any, ...]:
    """Give limits in bit/s by class; 0: none, `None`: not told."""
    rows = [dict(settings.ets.queues).get(tc, QueueScheduling()) for tc in range(8)]
    return tuple(
        row.cap.rate if isinstance(row.cap, Cap) else (0 if row.cap is OFF else None)
        for row in rows
    )


def _parameters(port: _Port) -> None:
    stands = dict(port.before.congestion.parameters)
    for name, value in port.after.congestion.parameters:
        if port.differs(f"congestion.parameters.{name}", value, stands.get(name)):
            old, source = stands.get(name), f"{_ECN} roce_rp/{name}"
            port.add("cc_parameter", old, value, Phase.SCHEDULING, _QUIET, source, name)


def _dscp(port: _Port) -> None:
    wanted = port.after.classification.dscp_to_priority
    if not wanted:
        return
    stands = port.before.classification.dscp_to_priority
    if not port.blind and port.before.classification.trust is not Trust.DSCP:
        if port.after.classification.trust is not Trust.DSCP:
            port.unseen.append(f"{port.name}: trust, which the first DSCP entry would switch")
            return
        stands = words.DEFAULT_DSCP_MAP  # what `--trust dscp` writes
    new = {
        dscp: priority
        for dscp, priority in enumerate(wanted)
        if port.differs(f"classification.dscp_to_priority.{dscp}", priority, entry(stands, dscp))
    }
    for gone in (False, True):
        rows = tuple((d, p) for d, p in new.items() if (p is OFF) is gone)
        old = tuple((d, entry(stands, d)) for d, _ in rows)
        if rows:
            _map_op(port, gone, old, rows)


def _map_op(port: _Port, gone: bool, old: Any, rows: Any) -> None:
    op = Op(
        verb=Verb.UNSET if gone else Verb.SET,
        object="dscp",
        key=(port.name,),
        old=old,
        new=rows,
        phase=Phase.CLASSIFICATION,
        impact=_LOSS["classification"],
        source=f"{_TOOL} --dscp2prio; linux mlx5 en_dcbnl.c, mlx5e_dcbnl_ieee_setapp",
    )
    port.ops.append(op)
