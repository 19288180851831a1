"""From platform, version and model to the profile: what is selected, and what the facts say."""

from __future__ import annotations

import pickle
import time
from fractions import Fraction

import pytest

from lossless.hardware import (
    asic,
    asic_of,
    datafile,
    describe,
    find_model,
    headroom_table,
    lookup,
    model_known,
    platform_names,
    profile_for,
)
from lossless.model.classification import Trust
from lossless.model.effective import effective
from lossless.model.facet import row
from lossless.model.link import VlanMode, VlanSettings
from lossless.model.pfc import PfcMode
from lossless.model.profile import EtsSum, Grade, Profile, Range, Scope
from lossless.model.scheduling import Algorithm, Ets
from lossless.model.settings import NOTHING, Settings, System
from lossless.model.units import PPM, BandwidthKind, Unit, in_bytes
from lossless.model.values import OFF, is_value, value

MS = 1_000_000


def known(platform: str, version: str | None = None, model: str | None = None) -> Profile:
    found = profile_for(platform, version, model)
    assert found is not None
    return found


def test_unknown_platforms_have_no_profile() -> None:
    assert profile_for("none") is None
    assert profile_for("acme_nos", "1.0", "X") is None


def test_equal_facts_are_one_object_whatever_asked_for_them() -> None:
    assert known("arista_eos", "4.33.1F") is known("arista_eos", "4.28.0F")
    assert known("arista_eos") is known("arista_eos", "4.33.1F", "DCS-9999")
    assert known("nvidia_cumulus", "5.14", "SN5600") is known("nvidia_cumulus", "5.14.2", "SN5400")
    assert known("nvidia_cumulus", "5.14") is not known("nvidia_cumulus", "5.17")


def test_a_profile_crosses_processes() -> None:
    for platform in platform_names():
        profile = known(platform)
        assert pickle.loads(pickle.dumps(profile)) == profile


def test_names_by_kind() -> None:
    switches, nics = platform_names("switch"), platform_names("nic")
    assert "arista_eos" in switches
    assert "nvidia_mlnx_qos" in nics
    assert not set(switches) & set(nics)
    assert platform_names() == tuple(sorted((*switches, *nics)))


@pytest.mark.parametrize(
    ("platform", "version", "poll"),
    [
        ("sonic", "202311", 3000),
        ("sonic", "SONiC.20250510.12", 3000),
        ("sonic", "202511", 1000),
        ("sonic", "master-20", 1000),  # not in the form of a release: counts as the newest
        ("sonic", None, 1000),
    ],
)
def test_a_version_selects_its_facts(platform: str, version: str | None, poll: int) -> None:
    assert known(platform, version).limits.watchdog_poll == Range(100 * MS, poll * MS)


def test_macros_come_with_the_release_that_brought_them() -> None:
    assert set(known("nvidia_cumulus", "5.4").macros) == {"roce-lossless", "roce-lossy"}
    assert "roce-lossless-single-ipool" in known("nvidia_cumulus", "5.12.1").macros
    assert "roce-lossy-multi-tc" not in known("nvidia_cumulus", "5.9").macros  # 5.9 < 5.14
    assert "roce-lossy-multi-tc" in known("nvidia_cumulus").macros


@pytest.mark.parametrize(
    ("platform", "versions"),
    [
        ("arista_eos", ["4.9.1", "4.24.0F", "4.33.1F", "4.33.1M", "4.33.2F", "4.36.0F"]),
        ("cisco_nxos", ["7.0(3)I7(6)", "9.3(3)", "10.3(4)", "10.3(4a)", "10.4(3)", "10.4(10)"]),
        ("juniper_junos", ["22.4R3", "23.4R2-S3", "23.4X100-D20-EVO", "23.4X100-D40", "24.2R1"]),
        ("huawei_vrp", ["V200R022C00", "V300R020C00", "V300R023C00", "V300R023C00SPC500"]),
        ("dell_os10", ["10.4.1.0", "10.5.3.4", "10.5.3.10", "10.5.12"]),
        ("h3c_comware", ["Release 6616", "R6710", "Release 6710P03", "R9136"]),
        ("nvidia_onyx", ["3.8.2008", "3.10.4006", "3.10.4606"]),
        ("nvidia_cumulus", ["5.2", "5.10", "Cumulus Linux 5.14.0", "5.14.1", "5.16"]),
        ("aruba_aoscx", ["FL.10.06.0001", "GL.10.13.1000", "10.18"]),
        ("sonic", ["SONiC.201911.3", "202106", "202205.44", "SONiC-OS-202505"]),
    ],
)
def test_versions_are_counted_as_their_vendor_counts(platform: str, versions: list[str]) -> None:
    scheme = datafile.load(platform).scheme
    assert scheme is not None
    keys = [scheme.key(v) for v in versions]
    assert None not in keys
    assert keys == sorted(keys, key=lambda key: key or ())
    assert len(set(keys)) == len(keys)


def test_a_model_selects_its_chip_and_family() -> None:
    assert known("nvidia_cumulus", None, "SN5600").units.cell == 192
    assert known("nvidia_cumulus").units.cell is None
    assert known("sonic", None, "DCS-7060X6-64PE").units.cell == 254
    assert known("huawei_vrp", None, "CE6866-48S8CQ-P").limits.lossless_priorities == 3
    assert known("huawei_vrp", None, "CE8855-32CQ4BQ").limits.lossless_priorities == 4
    assert known("huawei_vrp", None, "CE8855-32CQ4BQ").units.cell == 320
    assert known("huawei_vrp", None, "CE9860-4C-EI").limits.lossless_priorities is None
    assert known("arista_eos", None, "DCS-7260CX3-64").units.segment == 208
    assert known("arista_eos", None, "DCS-7060X6-64PE").units.segment is None


@pytest.mark.parametrize(
    ("model", "chip", "speed"),
    [
        ("DCS-7060X6-64PE", "Tomahawk5", 800),
        ("dcs-7060x6-64pe-f", "Tomahawk5", 800),
        ("SN5600", "Spectrum-4", 800),
        ("MSN4600C", "Spectrum-3", 100),
        ("N9K-C9332D-GX2B", "Cloud Scale GX2B", 400),
        ("N9K-C93180YC-FX3", "Cloud Scale FX3", 100),
        ("QFX5240-64OD", "Tomahawk5", 800),
        ("Z9864F-ON", "Tomahawk5", 800),
        ("DCS-7050SX3-48YC8", "Trident3", 100),
        ("DCS-7260CX3-64-R", "Tomahawk2", 100),
    ],
)
def test_models_of_the_worked_inventories(model: str, chip: str, speed: int) -> None:
    assert model_known(model)
    assert asic_of(model) == chip
    found = find_model(model)
    assert found is not None
    assert found.max_speed == speed * 10**9


def test_a_model_may_be_known_without_its_chip() -> None:
    assert model_known("CE9860-4C-EI")
    assert asic_of("CE9860-4C-EI") is None
    for nothing in ("SN9999", "", None, "-"):
        assert not model_known(nothing)
        assert asic_of(nothing) is None


def test_cells_of_nvidias_chips() -> None:
    cells = {"Spectrum": 96, "Spectrum-2": 144, "Spectrum-3": 144, "Spectrum-4": 192}
    for name, cell in (cells | {"Spectrum-5": 192, "Spectrum-6": 256}).items():
        found = asic(name)
        assert found is not None
        assert found.cell == cell


def test_the_source_of_a_fact_is_found_from_below() -> None:
    profile = known("arista_eos")
    whole = profile.source("defaults.ets.queues")
    assert whole is not None
    assert profile.source("defaults.ets.queues.3.algorithm") == whole
    assert profile.source("limits.native_mtu") is not None
    assert profile.source("limits.lossless_priorities") is None
    segment = known("arista_eos", None, "DCS-7260CX3-64").source("units.segment")
    assert segment is not None
    assert segment.grade is Grade.MEMORY


def test_eos_low_classes_are_swapped_and_trust_follows_the_port_mode() -> None:
    profile = known("arista_eos", "4.33.1F")
    dscp = profile.defaults.classification.dscp_to_priority
    assert [dscp[i] for i in (0, 8, 24, 26, 48, 56)] == [1, 0, 3, 3, 6, 7]
    assert profile.classifier_scope is Scope.SYSTEM
    for mode, trust in ((VlanMode.ROUTED, Trust.DSCP), (VlanMode.TRUNK, Trust.PCP)):
        told = Settings(vlans=VlanSettings(mode=mode))
        seen = effective(told, profile, assume_defaults=True).settings
        assert seen.classification.trust is trust


def test_nxos_is_unclassified_and_negotiates_by_default() -> None:
    profile = known("cisco_nxos", "10.4(3)")
    assert set(profile.defaults.classification.dscp_to_priority) == {0}
    assert profile.defaults.pfc.mode is PfcMode.AUTO
    queues = profile.defaults.ets.queues
    assert value(row(queues, 7).algorithm) is Algorithm.STRICT  # type: ignore[union-attr]
    assert _shares(profile.defaults.ets) == {0: PPM, **dict.fromkeys(range(1, 7), 0)}
    assert profile.units.kbyte is None


def test_cumulus_macro_is_what_the_manual_lists() -> None:
    profile = known("nvidia_cumulus", "5.14", "SN5600")
    box = System(macro="roce-lossless")
    seen = effective(NOTHING, profile, box, assume_defaults=True).settings
    assert seen.classification.trust is Trust.BOTH
    assert seen.classification.priority_to_tc == (0, 0, 0, 3, 0, 0, 6, 0)
    assert seen.pfc.send == seen.pfc.honour == frozenset({3})
    assert seen.buffers.cable == 100_000
    shares = _shares(seen.ets)
    assert sum(shares.values()) == PPM
    assert shares[0] == shares[3] == PPM // 2
    for tc in (0, 3):
        ecn = row(seen.ecn.queues, tc)
        assert ecn is not None
        assert (ecn.minimum, ecn.maximum) == (in_bytes(150_000), in_bytes(1_500_000))
        assert ecn.probability == PPM
    without = effective(NOTHING, profile, assume_defaults=True).settings
    assert without.classification.trust is Trust.PCP
    assert without.pfc.mode is OFF
    assert sum(_shares(without.ets).values()) == PPM


@pytest.mark.parametrize("platform", platform_names("switch"))
def test_macros_know_their_name_and_their_shares_add_up(platform: str) -> None:
    profile = known(platform)
    for name, macro in profile.macros.items():
        assert macro.macro == name
        seen = effective(NOTHING, profile, macro, assume_defaults=True).settings
        ets = _shares(seen.ets, BandwidthKind.ETS)
        if len(ets) == len(seen.ets.queues) - 1:
            assert sum(ets.values()) == PPM, name


def _shares(ets: Ets, kind: BandwidthKind | None = None) -> dict[int, int]:
    return {
        number: queue.bandwidth.amount
        for number, queue in ets.queues
        if is_value(queue.bandwidth) and kind in (None, queue.bandwidth.kind)
    }


@pytest.mark.parametrize(
    ("model", "stated", "shown"),
    [
        # What the vendor's own output shows after rounding.
        ("SN2700", 150_000, 153_600),
        ("SN2700", 1_500_000, 1_505_280),
        ("SN3700", 150_000, 156_672),
        ("SN5600", 150_000, 159_744),
    ],
)
def test_spectrum_rounds_thresholds_up(model: str, stated: int, shown: int) -> None:
    quantum = known("nvidia_cumulus", None, model).ecn.quantum
    assert quantum is not None
    assert -(-stated // quantum) * quantum == shown


def test_onyx_semi_lossless_obeys_and_never_sends() -> None:
    pfc = known("nvidia_onyx").macros["roce-semi-lossless"].settings.pfc
    assert (pfc.send, pfc.honour) == (frozenset(), frozenset({3}))


def test_sonic_azure_map_sends_nothing_but_3_and_4_to_lossless_queues() -> None:
    azure = known("sonic").macros["azure"].settings
    dscp = azure.classification.dscp_to_priority
    assert {d for d in range(64) if dscp[d] in azure.pfc.send} == {3, 4}  # type: ignore[operator]
    assert (dscp[26], dscp[48], dscp[46]) == (1, 6, 5)
    assert azure.classification.tc_to_group[7] == 7


def test_mtu_numbers_are_made_comparable() -> None:
    assert known("juniper_junos").mtu.l3(9216) == 9202
    assert known("dell_os10").mtu.l3(9216) == 9184
    assert known("sonic").mtu.native(9000) == 9000
    assert known("huawei_vrp").mtu.l3(9216) is None  # sources differ on what the number counts


def test_units_that_platforms_state_thresholds_in() -> None:
    assert known("juniper_junos").ecn.units == {Unit.PERCENT_OF_QUEUE}
    assert known("h3c_comware", None, "S9820-64H").units.cell == 208
    assert Unit.PERCENT_OF_QUEUE not in known("nvidia_cumulus", "5.16").ecn.units
    assert known("sonic").ets.total is EtsSum.FREE


def test_what_nobody_verified_is_experimental() -> None:
    verified = {p for p in platform_names("switch") if known(p).verified}
    assert verified == {"arista_eos", "cisco_nxos", "sonic", "nvidia_cumulus"}


def test_a_description_lists_every_fact_in_the_files_order() -> None:
    told = describe("sonic")
    assert [f.path for f in told.facts][:2] == ["limits.queues", "limits.traffic_classes"]
    assert len(told.facts) == len(datafile.load("sonic").facts)
    polls = [f for f in told.facts if f.path == "limits.watchdog_poll"]
    assert [(f.value, f.versions) for f in polls] == [
        ("100ms..3s", "<202511"),
        ("100ms..1s", ">=202511"),
    ]
    with pytest.raises(KeyError):
        describe("acme_nos")


def test_a_platform_is_read_in_milliseconds() -> None:
    best = min(_seconds_to_read("nvidia_cumulus") for _ in range(5))
    assert best < 0.05  # 5 ms on the machine it was written on


def _seconds_to_read(platform: str) -> float:
    for memo in (profile_for, lookup._build, datafile.load):
        memo.cache_clear()
    start = time.perf_counter()
    profile_for(platform)
    return time.perf_counter() - start


def test_alpha_scales_are_kept_as_written() -> None:
    scale = known("juniper_junos").facts["alpha_by_index"]
    pairs = dict(part.split(": ") for part in str(scale).split("; "))
    assert [Fraction(pairs[str(i)]) for i in (0, 7, 10)] == [Fraction(1, 128), 1, 8]


def test_headroom_tables_are_those_of_a_sku() -> None:
    table = headroom_table("DellEMC-Z9664f-O64")
    assert table is not None
    assert not table.dynamic
    assert table.lengths[400_000_000_000] == (5_000, 40_000, 300_000)
    computed = headroom_table("ACS-SN5600")
    assert computed is not None
    assert computed.dynamic
    assert headroom_table("a box of somebody's own") is None
    assert headroom_table(None) is None
