"""Priority-based flow control, its watchdog, and who owns DCB on a port."""

from __future__ import annotations

import enum

from lossless.model.facet import Table, facet, table_field
from lossless.model.values import Field, Switch


class PfcMode(enum.Enum):
    """How PFC comes into force: by order, or as negotiated by DCBX.  Absent is `OFF`."""

    ON = "on"
    AUTO = "auto"


@facet
class Pfc:
    """PFC of one port (IEEE 802.1Q-2022 clause 36).

    `send` are the priorities for which this port asks its peer to pause, `honour` those on which
    it pauses when asked.  They are two sets because platforms can split them.
    """

    mode: Field[PfcMode] = None
    send: Field[frozenset[int]] = None
    honour: Field[frozenset[int]] = None


class WatchdogAction(enum.Enum):
    """What a watchdog does with a queue that stays paused."""

    DROP = "drop"
    FORWARD = "forward"
    ALERT = "alert"
    ERRDISABLE = "errdisable"


@facet
class Watchdog:
    """PFC watchdog.  Times in nanoseconds; `priorities` are those watched."""

    enabled: Switch = None
    priorities: Field[frozenset[int]] = None
    poll: Field[int] = None
    detect: Field[int] = None
    restore: Field[int] = None
    action: Field[WatchdogAction] = None


class DcbOwner(enum.Enum):
    """Who decides a port's DCB settings.  Two owners on one port overwrite each other."""

    STATIC = "static"
    OS = "os"  # the host's own commands
    FIRMWARE = "fw"  # the NIC's firmware, learning from its peer
    LLDPAD = "lldpad"
    OPERATOR = "operator"  # a cluster operator that re-applies its own idea
    SWITCH = "switch"


@facet
class DcbOwnership:
    """DCBX (IEEE 802.1Q-2022 clause 38): who owns, who is willing, what is advertised.

    `applications` maps "udp 4791" or "ethertype 0x8915" to a priority.
    """

    owner: Field[DcbOwner] = None
    dcbx: Switch = None
    dialect: Field[str] = None  # "ieee", "cee" or "cin"
    advertise: Switch = None
    willing: Switch = None
    agents: Field[frozenset[str]] = None
    applications: Table[str, Field[int]] = table_field()
