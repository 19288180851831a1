"""Which classes are in force on a port, and which of them must not lose packets."""

from __future__ import annotations

from lossless.model.classes import PortRole, TrafficClass
from lossless.model.values import OFF, Field, is_value
from lossless.rules.views import PortView

#: Roles of ports on which nothing is asked about RoCE.
_ASIDE = frozenset({PortRole.MANAGEMENT, PortRole.UNUSED})


def is_nic(port: PortView) -> bool:
    """Say whether a port is a host's.  Needs `place`."""
    return port.place.owner_role == "host"


def in_use(port: PortView) -> bool:
    """Say whether a port is meant to forward users' traffic at all.  Needs `place`."""
    return port.place.role not in _ASIDE


def carries(port: PortView) -> bool:
    """Say whether RoCE is meant to cross a port, or nobody said that it is not.  Needs `place`."""
    return in_use(port) and port.place.lossless is not OFF


def classes(port: PortView) -> tuple[tuple[str, TrafficClass], ...]:
    """Return the classes declared on a port, by name; those declared absent are left out.

    Needs `intent`.
    """
    return tuple((name, cls) for name, cls in port.intent.classes if is_value(cls))


def class_named(port: PortView, name: str) -> Field[TrafficClass]:
    """Return one class: `OFF` where it is declared absent, `None` where nobody declares it."""
    return next((cls for known, cls in port.intent.classes if known == name), None)


def lossless_classes(port: PortView) -> tuple[tuple[str, TrafficClass, int], ...]:
    """Return the lossless classes of a port with the priority that pauses each.

    A lossless class without exactly one priority is left out: nothing can be asked of it.
    """
    return tuple(
        (name, cls, next(iter(cls.priorities)))
        for name, cls in classes(port)
        if cls.lossless is True and len(cls.priorities) == 1
    )


def lossless_priorities(port: PortView) -> frozenset[int]:
    """Return the priorities of a port's lossless classes."""
    return frozenset(priority for _, _, priority in lossless_classes(port))


def lossy_classes(port: PortView) -> tuple[tuple[str, TrafficClass], ...]:
    """Return the classes of a port that may lose packets."""
    return tuple((name, cls) for name, cls in classes(port) if cls.lossless is OFF)


def names_on(port: PortView, priority: int) -> str:
    """Return the classes that use a priority, for a message."""
    return " and ".join(name for name, cls in classes(port) if priority in cls.priorities)


def sent_class(port: PortView, kind: str) -> str | None:
    """Return the class that a host's NIC uses for one kind of its traffic.

    Connections set up by RDMA-CM, and applications of their own, are RDMA unless told otherwise.
    """
    told = dict(port.intent.sends)
    return told.get(kind) or (None if kind == "cnp" else told.get("rdma"))
