"""Link, MTU and VLAN settings from a merged declaration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lossless.intent.lowering.values import field, numbers, section, switch, told, word
from lossless.model.classification import PRIORITIES
from lossless.model.facet import Table, table
from lossless.model.link import Fec, LinkSettings, Mtu, VlanMode, VlanSettings
from lossless.model.profile import Profile
from lossless.model.values import OFF, Field, NumberMap, Switch, number_map, value

#: What stands for the platform's largest MTU.
NATIVE_MAX = "native-max"


def lower_link(data: Mapping[str, Any], *, lossless_class: bool) -> LinkSettings:
    """Return speed, lanes, FEC and 802.3x pause.

    Link-wide pause is off where a class is lossless and nobody says otherwise: it would pause
    every class (IEEE 802.1Q-2022 clause 36 excludes both on one link).
    """
    pause = section(data, "pause")
    default: Switch = OFF if lossless_class else None
    return LinkSettings(
        speed=field(data.get("speed")),
        lanes=field(data.get("lanes")),
        fec=word(Fec, data.get("fec")),
        autoneg=switch(data.get("autoneg")),
        link_training=switch(data.get("link_training")),
        pause_send=switch(pause["send"]) if "send" in pause else default,
        pause_honour=switch(pause["honour"]) if "honour" in pause else default,
    )


def lower_mtu(
    data: Mapping[str, Any],
    profile: Profile | None,
    per_class: Table[int, Field[int]],
    *,
    nic: bool,
) -> Mtu:
    """Return a port's MTU.

    What a person writes are usable layer-3 bytes; the native number follows from the platform's
    accounting where that is known.  `native-max` is the platform's limit; where that is not known
    nothing is stated.
    """
    written = told(section(data, "mtu").get("nic" if nic else "switch"))
    if written == NATIVE_MAX:
        native = None if profile is None else profile.limits.native_mtu.high
        l3 = None if profile is None or native is None else profile.mtu.l3(native)
    else:
        l3 = value(field(written))
        native = None if profile is None or l3 is None else profile.mtu.native(l3)
    return Mtu(l3=l3, native=native, per_class=() if nic else per_class)


def lower_vlans(data: Mapping[str, Any]) -> VlanSettings:
    """Return VLAN mode and membership; a NIC's keyed VLANs are tagged ones."""
    written = section(data, "vlans")
    keyed = {int(k): v for k, v in section(written, "ids").items() if v is not None}
    maps = {vlan: _pcp_map(v) for vlan, v in keyed.items() if isinstance(v, Mapping)}
    sizes = {vlan: field(v.get("mtu")) for vlan, v in keyed.items() if isinstance(v, Mapping)}
    tagged = _vlans(written.get("tagged"))
    return VlanSettings(
        mode=word(VlanMode, data.get("vlan_mode")),
        access=field(written.get("access")),
        native=field(written.get("native")),
        tagged=frozenset(keyed) if tagged is None and keyed else tagged,
        rdma=_vlans(written.get("rdma")),
        pcp_maps=table({vlan: held for vlan, held in maps.items() if held}),
        mtu=table({vlan: size for vlan, size in sizes.items() if size is not None}),
    )


def _vlans(written: Any) -> Field[frozenset[int]]:
    if told(written) is None:
        return None
    return numbers(written) or OFF


def _pcp_map(written: Mapping[str, Any]) -> NumberMap:
    entries = section(written, "pcp_map")
    return number_map(PRIORITIES, {int(k): v for k, v in entries.items() if isinstance(v, int)})
