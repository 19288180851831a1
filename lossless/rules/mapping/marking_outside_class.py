"""MAP009."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import TrafficClass
from lossless.model.values import is_value
from lossless.rules.classes import carries, class_named, classes, is_nic, sent_class
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.stamps import Stamp, fits, stamps
from lossless.rules.views import PortView


@rule(
    "MAP009",
    name="marking-outside-class",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("intent", "marking", "place", "system"),
    sources=(
        "RFC 2474 §3 (the DSCP is the upper six bits of the byte)",
        "NCCL user guide, environment variables: NCCL_IB_TC",
        "HCCL documentation: HCCL_RDMA_TC",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """What a host really stamps on its RDMA traffic is not a DSCP of the class it means."""
    name = sent_class(port, "rdma")
    if not (is_nic(port) and carries(port)) or name is None:
        yield NotApplicable("not a NIC that sends RDMA")
        return
    cls = class_named(port, name)
    if is_value(cls) and not cls.dscp:
        yield NotApplicable(f"class {name} is not marked by DSCP")
        return
    found = list(stamps(port))
    if not any(s.field.startswith(("marking.global", "collectives.")) for s in found):
        yield Missing(("marking.global_tclass", "collectives"))
    for stamp in found:
        yield from _stamp(port, stamp)


def _stamp(port: PortView, stamp: Stamp) -> Iterator[Answer]:
    cls = class_named(port, stamp.class_name) if stamp.class_name else None
    if not is_value(cls) or fits(port, stamp) is not False:
        return
    if stamp.dscp is None:
        what = f"{stamp.text!r}, which is no number from 0 to 255"
    else:
        what = f"{stamp.text}, which is DSCP {stamp.dscp}{_owner(port, stamp.dscp)}"
    right = _bytes(stamp, cls)
    yield Fault(
        message=f"{{here}} stamps {stamp.field.rpartition('.')[2]} {what}; class "
        f"{stamp.class_name} is DSCP {', '.join(map(str, sorted(cls.dscp)))}, so "
        f"{' or '.join(map(str, right))}{_mistaken(stamp, cls)}",
        field=stamp.field,
        or_fields=(stamp.field.rpartition(".")[0],),
        expected=right[-1],
        actual=stamp.byte if stamp.byte is not None else stamp.text,
        fix=right[-1],
    )


def _bytes(stamp: Stamp, cls: TrafficClass) -> list[int]:
    """Return the bytes that would be right, the usual one last.

    HCCL accepts multiples of four only; elsewhere the packet is marked ECN-capable as well.
    """
    plain = min(cls.dscp) << 2
    return [plain] if stamp.field.endswith(".HCCL_RDMA_TC") else [plain, plain + 2]


def _owner(port: PortView, dscp: int) -> str:
    owner = next((n for n, c in classes(port) if dscp in c.dscp | c.accepts), None)
    return f" (class {owner})" if owner else ""


def _mistaken(stamp: Stamp, cls: TrafficClass) -> str:
    if stamp.byte in cls.dscp:
        return "; the DSCP itself was written, and the byte is four times as large"
    if stamp.byte in cls.priorities:
        return "; the priority was written, and no untagged packet carries it"
    return ""
