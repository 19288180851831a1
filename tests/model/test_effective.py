"""What a device does: its statements over its macro over its platform's defaults."""

from __future__ import annotations

import dataclasses

from hypothesis import given

from lossless.model.classification import Classification, Trust
from lossless.model.effective import Origin, effective, leaves
from lossless.model.link import VlanMode, VlanSettings
from lossless.model.pfc import Pfc, PfcMode, Watchdog
from lossless.model.profile import Profile
from lossless.model.scheduling import Algorithm, Ets, QueueScheduling
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.values import DEFAULT, OFF, number_map
from tests.model.strategies import port_settings

_DEFAULTS = Settings(
    classification=Classification(
        trust=Trust.PCP, dscp_to_priority=number_map(64, {d: d >> 3 for d in range(64)})
    ),
    pfc=Pfc(mode=OFF),
    ets=Ets(queues=tuple((q, QueueScheduling(algorithm=Algorithm.STRICT)) for q in range(8))),
)
_MACRO = System(settings=Settings(pfc=Pfc(mode=PfcMode.ON, send=frozenset({3}))))
_PROFILE = Profile(
    platform="example",
    kind="switch",
    defaults=_DEFAULTS,
    macros={"roce": _MACRO},
    trust_by_vlan_mode={"routed": Trust.DSCP},
)


def test_a_default_of_the_port_yields_to_the_box() -> None:
    box = System(
        settings=Settings(
            watchdog=Watchdog(detect=200, action=DEFAULT),
            classification=Classification(dscp_to_priority=number_map(64, {26: 3})),
        )
    )
    seen = Settings(
        watchdog=Watchdog(detect=DEFAULT, action=DEFAULT, restore=DEFAULT),
        classification=Classification(dscp_to_priority=(DEFAULT,) * 64),
    )
    found = effective(seen, None, box, assume_defaults=False).settings
    assert found.watchdog == Watchdog(detect=200, action=DEFAULT, restore=DEFAULT)
    assert found.classification.dscp_to_priority[26] == 3
    assert found.classification.dscp_to_priority[27] is DEFAULT


def test_a_declared_port_stands_at_the_platforms_defaults_where_nobody_told() -> None:
    got = effective(NOTHING, _PROFILE, assume_defaults=True)
    assert got.settings.classification.dscp_to_priority[26] == 3
    assert got.settings.pfc.mode is OFF
    assert got.origins()["pfc", "mode"] is Origin.PLATFORM


def test_a_port_read_from_a_device_keeps_what_was_not_seen_as_not_told() -> None:
    seen = Settings(classification=Classification(trust=DEFAULT))
    got = effective(seen, _PROFILE, assume_defaults=False).settings
    assert got.classification.trust is Trust.PCP
    assert got.pfc.mode is None
    assert got.classification.dscp_to_priority == ()


def test_a_default_that_nobody_knows_stays_marked() -> None:
    seen = Settings(pfc=Pfc(honour=DEFAULT))
    assert effective(seen, _PROFILE, assume_defaults=False).settings.pfc.honour is DEFAULT


def test_a_macro_lies_beneath_the_statements_and_above_the_defaults() -> None:
    box = System(macro="roce")
    stated = Settings(pfc=Pfc(send=frozenset({4})))
    got = effective(stated, _PROFILE, box, assume_defaults=True)
    assert got.settings.pfc == Pfc(mode=PfcMode.ON, send=frozenset({4}))
    origins = got.origins()
    assert origins["pfc", "mode"] is Origin.EXPANDED
    assert origins["pfc", "send"] is Origin.STATED


def test_the_default_trust_follows_the_ports_mode() -> None:
    routed = Settings(vlans=VlanSettings(mode=VlanMode.ROUTED))
    trunk = Settings(vlans=VlanSettings(mode=VlanMode.TRUNK))
    trusts = [
        effective(s, _PROFILE, assume_defaults=True).settings.classification.trust
        for s in (routed, trunk)
    ]
    assert trusts == [Trust.DSCP, Trust.PCP]


def test_a_box_wide_statement_reaches_every_port() -> None:
    box = System(settings=Settings(classification=Classification(trust=Trust.BOTH)))
    got = effective(NOTHING, _PROFILE, box, assume_defaults=True)
    assert got.settings.classification.trust is Trust.BOTH
    assert got.origins()["classification", "trust"] is Origin.SYSTEM


@given(port_settings)
def test_without_profile_and_assumptions_nothing_changes(stated: Settings) -> None:
    assert effective(stated, None, assume_defaults=False).settings == stated


@given(port_settings)
def test_effective_settings_are_a_fixed_point(stated: Settings) -> None:
    once = effective(stated, _PROFILE, assume_defaults=True).settings
    assert effective(once, _PROFILE, assume_defaults=True).settings == once


@given(port_settings)
def test_no_statement_is_lost(stated: Settings) -> None:
    got = dict(leaves(effective(stated, _PROFILE, assume_defaults=True).settings))
    for path, held in leaves(stated):
        if held not in (None, DEFAULT, ()):
            assert got[path] == held


@given(port_settings)
def test_every_told_leaf_has_an_origin(stated: Settings) -> None:
    got = effective(stated, _PROFILE, assume_defaults=True)
    told = {path for path, held in leaves(got.settings) if held is not None}
    assert set(got.origins()) == told


def test_profiles_can_be_refined_without_touching_the_shared_one() -> None:
    other = dataclasses.replace(_PROFILE, trust_by_vlan_mode={})
    routed = Settings(vlans=VlanSettings(mode=VlanMode.ROUTED))
    assert effective(routed, other, assume_defaults=True).settings.classification.trust is Trust.PCP
