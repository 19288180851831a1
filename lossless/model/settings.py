"""The settings of one port: a tuple of facets."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

from lossless.model.buffers import BoxBuffers, Buffers
from lossless.model.classification import Classification
from lossless.model.facet import facet
from lossless.model.link import Adapter, LinkSettings, Mtu, VlanSettings
from lossless.model.pfc import DcbOwnership, Pfc, Watchdog
from lossless.model.rdma import CongestionControl, Environment, Marking
from lossless.model.scheduling import Ecn, Ets, Thresholds
from lossless.model.values import Field, Switch


@facet
class Settings:
    """Everything that a configuration states about one port, facet by facet.

    Equal facets are the same object once they went through an `Interner`, so that two ports can
    be compared by identity and a rule be asked once for thousands of ports.
    """

    link: LinkSettings = LinkSettings()
    mtu: Mtu = Mtu()
    vlans: VlanSettings = VlanSettings()
    classification: Classification = Classification()
    pfc: Pfc = Pfc()
    watchdog: Watchdog = Watchdog()
    dcb: DcbOwnership = DcbOwnership()
    ets: Ets = Ets()
    ecn: Ecn = Ecn()
    buffers: Buffers = Buffers()
    marking: Marking = Marking()
    congestion: CongestionControl = CongestionControl()
    adapter: Adapter = Adapter()


NOTHING: Final = Settings()

#: Names of the facets of `Settings`, in order.
FACETS: Final = tuple(f.name for f in dataclasses.fields(Settings))


@facet
class System:
    """What a device states once for the whole box.

    `settings` lies beneath every port's own; `pfc_stopped` is the switch that disables PFC box-wide
    whatever the ports say; `ecn_global` marks on the occupancy of the whole shared buffer, beside
    the queues' own thresholds; `macro` names the platform's profile in force; `raw` are lines that
    are compared and never interpreted; `environment` is a host's.
    """

    settings: Settings = NOTHING
    buffers: BoxBuffers = BoxBuffers()
    pfc_stopped: Switch = None
    ecn_global: Thresholds = Thresholds()
    macro: Field[str] = None
    environment: Environment = Environment()
    raw: tuple[str, ...] = ()


class Interner:
    """Make equal objects one object, so that identity decides equality.

    An interner keeps what it has seen alive; one lives as long as the fabric built with it.
    """

    def __init__(self) -> None:
        self._seen: dict[Any, Any] = {}

    def __call__(self, thing: Any) -> Any:
        """Return the first object seen that equals `thing`."""
        return self._seen.setdefault(thing, thing)

    def settings(self, settings: Settings) -> Settings:
        """Intern a port's settings and each of its facets."""
        found = self._seen.get(settings)
        if found is not None:
            return found  # type: ignore[no-any-return]
        parts = {name: self(getattr(settings, name)) for name in FACETS}
        whole = Settings(**parts)
        self._seen[whole] = whole
        return whole
