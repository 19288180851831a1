"""The NIC data files: what a person would notice if it were wrong."""

from __future__ import annotations

import pytest

from lossless.hardware import describe, platform_names, profile_for
from lossless.hardware.datafile import load
from lossless.model.classification import Trust
from lossless.model.pfc import DcbOwner, PfcMode
from lossless.model.profile import EtsSum, Grade
from lossless.model.scheduling import Algorithm
from lossless.model.values import OFF

NICS = ("amd_pollara", "broadcom_bnxt", "huawei_ascend", "linux_dcb", "nvidia_mlnx_qos")

#: Models as people write them, and the family each belongs to.
MODELS = {
    "nvidia_mlnx_qos": {
        "ConnectX-4 Lx": "connectx4lx",
        "ConnectX-5": "connectx5",
        "ConnectX-5 Ex": "connectx5ex",
        "ConnectX-6": "connectx6",
        "ConnectX-6 Lx": "connectx6lx",
        "ConnectX-6 Dx": "connectx6dx",
        "connectx-7": "connectx7",
        "MCX75310AAS-NEAT": "connectx7",
        "ConnectX-8": "connectx8",
        "BlueField-3": "bluefield3",
    },
    "broadcom_bnxt": {"Thor": "thor", "Thor2": "thor2", "BCM957608": "thor2", "BCM57508": "thor"},
    "amd_pollara": {"Pollara 400": "pollara"},
    "huawei_ascend": {"910B": "910b", "910C": "910c"},
}

#: An NPU's port hangs on no slot, and an E825 is part of a processor.
RATED = [
    *[(p, m) for p, rows in MODELS.items() if p != "huawei_ascend" for m in rows],
    ("linux_dcb", "E810"),
    ("linux_dcb", "E830"),
]

#: Payload of one lane in bit/s after 128b/130b, and for generation 6 after FLIT coding.
LANE = {3: 8e9 * 128 / 130, 4: 16e9 * 128 / 130, 5: 32e9 * 128 / 130, 6: 64e9 * 236 / 256}


def test_every_nic_platform_has_a_file() -> None:
    assert set(NICS) <= set(platform_names("nic"))


@pytest.mark.parametrize(
    ("platform", "model", "family"),
    [(p, m, f) for p, rows in MODELS.items() for m, f in rows.items()],
)
def test_a_model_belongs_to_one_family(platform: str, model: str, family: str) -> None:
    assert load(platform).families_of(model, None) == {family}


@pytest.mark.parametrize(("platform", "model"), RATED)
def test_a_slot_of_the_adapters_kind_carries_its_fastest_port(platform: str, model: str) -> None:
    profile = profile_for(platform, None, model)
    assert profile is not None
    generation, width = profile.facts["pcie_generation"], profile.facts["pcie_width"]
    assert LANE[int(generation)] * int(width) >= int(profile.facts["max_rate"])


@pytest.mark.parametrize("platform", NICS)
def test_the_traffic_class_byte_is_the_dscp_times_four(platform: str) -> None:
    profile = profile_for(platform)
    assert profile is not None
    if "roce_dscp" in profile.facts:
        assert int(profile.facts["roce_tclass"]) >> 2 == profile.facts["roce_dscp"]
    else:
        assert platform == "linux_dcb"  # the only one without a convention of its own


def test_connectx_at_the_factory() -> None:
    profile = profile_for("nvidia_mlnx_qos", None, "ConnectX-7")
    assert profile is not None
    port = profile.defaults
    assert port.classification.trust is Trust.PCP
    assert port.classification.dscp_to_priority == tuple(d >> 3 for d in range(64))
    assert port.classification.priority_to_tc == (1, 0, 2, 3, 4, 5, 6, 7)
    assert (port.pfc.mode, port.pfc.send, port.pfc.honour) == (OFF, frozenset(), frozenset())
    assert {row.algorithm for _, row in port.ets.queues} == {Algorithm.VENDOR}
    assert port.dcb.owner is DcbOwner.OS
    assert port.buffers.cable == 7_000
    assert (port.congestion.cnp_dscp, port.congestion.cnp_priority) == (48, 6)
    assert port.mtu.l3 == 1500
    assert profile.ets.total is EtsSum.EXACTLY_100
    assert profile.facts["max_rate"] == 400 * 10**9


def test_the_same_cnp_dscp_has_another_priority_on_thor() -> None:
    thor, connectx = profile_for("broadcom_bnxt", None, "Thor2"), profile_for("nvidia_mlnx_qos")
    assert thor is not None
    assert connectx is not None
    assert thor.defaults.congestion.cnp_dscp == connectx.defaults.congestion.cnp_dscp == 48
    assert thor.defaults.congestion.cnp_priority == 7
    assert thor.defaults.classification.dscp_to_priority[48] == 7
    assert thor.defaults.pfc.mode is PfcMode.ON
    assert thor.defaults.pfc.send == {3}
    assert thor.ets.total is EtsSum.AT_MOST_100


def test_an_unconfigured_pollara_sends_everything_to_priority_zero() -> None:
    profile = profile_for("amd_pollara", None, "Pollara 400")
    assert profile is not None
    assert set(profile.defaults.classification.dscp_to_priority) == {0}
    assert profile.defaults.pfc.send == frozenset()
    assert not profile.verified


def test_intel_firmware_owns_dcb_until_told_otherwise() -> None:
    intel, other = profile_for("linux_dcb", None, "E810"), profile_for("linux_dcb")
    assert intel is not None
    assert other is not None
    assert intel.defaults.dcb.owner is DcbOwner.FIRMWARE
    assert intel.limits.native_mtu.high == 9702
    assert other.defaults.dcb.owner is None  # another vendor's adapter: nobody told


@pytest.mark.parametrize("platform", NICS)
def test_a_default_from_memory_is_marked_so(platform: str) -> None:
    """Anything that nobody looked up carries the grade that never grounds an error."""
    for fact in describe(platform).facts:
        if "nobody looked it up" in fact.source.text:
            assert fact.source.grade is Grade.MEMORY, fact.path
