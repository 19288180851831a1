"""Facts of cases that only a running device shows: what a rule sees, wrong and right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossless.model.pfc import DcbOwner, DcbOwnership
from lossless.model.scheduling import Ecn, QueueEcn
from lossless.model.units import in_bytes
from lossless.model.values import OFF
from tests.rules.views import nic, port


def _agents(*names: str) -> Any:
    return nic(dcb=DcbOwnership(owner=DcbOwner.OS, agents=frozenset(names)))


def _marked(enabled: Any) -> Any:
    curve = QueueEcn(enabled=enabled, minimum=in_bytes(1 << 20), maximum=in_bytes(1 << 21))
    return port(ecn=Ecn(queues=((3, curve),)))


#: Case and rule → what is asked about when it is wrong, and when it is right.
SHOWN: Mapping[tuple[str, str], tuple[Any, Any]] = {
    ("C30", "NIC005"): (_agents("firmware", "windows"), _agents("windows")),
    ("C43", "ECN003"): (_marked(OFF), _marked(True)),
}
