"""The shipped policies: whole, sourced, and free of contradictions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lossless import policies
from lossless.findings import Severity
from lossless.intent import build
from lossless.inventory import policy_names, read_policy
from lossless.inventory import read as inventory_read
from lossless.rules.catalogue import builtin
from lossless.rules.engine import lint

NAMES = (
    "amd-pollara",
    "arista-ai",
    "ascend",
    "azure-local",
    "cisco-ai-ml",
    "juniper-jvd",
    "nvidia-roce",
    "sonic-default",
)
GRADE = re.compile(r".{20,} \[[VSM]\]\Z")


def read(name: str) -> dict[str, Any]:
    """Read a policy as texts: what counts here is the document, not its meaning."""
    loaded = yaml.load(policies.path(name).read_text(), Loader=yaml.CBaseLoader)
    assert isinstance(loaded, dict)
    return loaded


def leaves(tree: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    if isinstance(tree, dict):
        for key, below in tree.items():
            yield from leaves(below, (*path, key))
    else:
        yield path


def classes(name: str) -> dict[str, dict[str, Any]]:
    return {c: held for c, held in read(name)["classes"].items() if isinstance(held, dict)}


def code_points(held: dict[str, Any]) -> set[int]:
    found: set[int] = set(map(int, held.get("dscp", ())))
    also = held.get("also", ())
    for part in () if also == "rest" else also:
        low, _, high = part.partition("-")
        found |= set(range(int(low), int(high or low) + 1))
    return found


def test_the_list_is_what_is_shipped() -> None:
    assert policies.names() == NAMES
    assert all(policies.path(name).is_file() for name in NAMES)


@pytest.mark.parametrize("name", ["nvidia", "", "../policies/nvidia-roce", "nvidia-roce.yaml"])
def test_only_names_of_the_list_become_paths(name: str) -> None:
    with pytest.raises(KeyError):
        policies.path(name)


@pytest.mark.parametrize("name", NAMES)
def test_every_value_has_a_source_and_every_source_a_value(name: str) -> None:
    document = read(name)
    sources = document.pop("sources")
    assert document.pop("description")
    told = [".".join(path) for path in leaves(document)]
    bare = [t for t in told if not any(t == s or t.startswith(f"{s}.") for s in sources)]
    idle = [s for s in sources if not any(t == s or t.startswith(f"{s}.") for t in told)]
    assert (bare, idle) == ([], [])
    assert [text for text in sources.values() if not GRADE.match(text)] == []


@pytest.mark.parametrize("name", NAMES)
def test_no_two_classes_claim_one_code_point_priority_or_queue(name: str) -> None:
    dscps: list[int] = []
    others: list[tuple[str, str]] = []
    for held in classes(name).values():
        dscps += code_points(held)
        others += [("pcp", p) for p in held.get("pcp", ())]
        others += [(key, held[key]) for key in ("priority", "queue") if key in held]
    assert len(dscps) == len(set(dscps))
    assert len(others) == len(set(others))


@pytest.mark.parametrize("name", NAMES)
def test_shares_of_one_kind_are_whole_and_strict_classes_have_none(name: str) -> None:
    shares = []
    for held in classes(name).values():
        if held.get("scheduler") == "strict":
            assert "bandwidth" not in held
        if isinstance(held.get("bandwidth"), str):
            shares.append(int(held["bandwidth"].rstrip("%")))
    assert sum(shares) in (0, 100)


@pytest.mark.parametrize("name", NAMES)
def test_one_lossless_class_so_that_hosts_need_not_say_what_they_send(name: str) -> None:
    lossless = [held for held in classes(name).values() if held.get("lossless") == "true"]
    assert len(lossless) == 1
    assert isinstance(lossless[0]["priority"], str)


@pytest.mark.parametrize("name", NAMES)
def test_the_host_fits_the_floor_and_the_floor_carries_a_roce_mtu_of_4096(name: str) -> None:
    mtu = read(name)["mtu"]
    assert int(mtu["min_l3"]) >= 4096 + 96
    assert mtu["switch"] == "native-max" or int(mtu["switch"]) >= int(mtu["nic"])


@pytest.mark.parametrize("name", NAMES)
def test_the_boundary_of_inventories_takes_every_policy(name: str) -> None:
    assert name in policy_names()
    held, _ = read_policy(name)
    assert set(held["classes"] or ()) == set(read(name)["classes"])


STORAGE = """
format: 1
fabric: storage
extends: nvidia-roce
policy:
  classes:
    roce: null
    nvme: {dscp: [34], priority: 4, lossless: true, bandwidth: 60%}
    default: {bandwidth: 40%}
switches:
  st1:
    platform: nvidia_cumulus
    model: SN4600C
    role: leaf
    ports: {"swp[1-2]": {role: host, speed: 100G}}
hosts:
  nvme[1-2]:
    nics: {ens1np0: {platform: nvidia_mlnx_qos, model: ConnectX-6 Dx, speed: 100G}}
links:
  - {for: {n: 1-2}, a: "nvme{n}:ens1np0", b: "st1:swp{n}", cable: 5m}
"""

TWO_FAMILIES = """
format: 1
fabric: mixed
extends: juniper-jvd
policy:
  overrides:
    - match: {platform: broadcom_bnxt}
      classes: {cnp: {priority: 7, traffic_class: 2}, roce: {traffic_class: 1}}
    - {match: {platform: nvidia_mlnx_qos}, classes: {cnp: {priority: 6}}}
switches:
  leaf1:
    platform: juniper_junos
    version: "23.4X100-D20-EVO"
    model: QFX5240-64OD
    role: leaf
    ports: {"et-0/0/[0-1]": {role: host, speed: 400G}}
hosts:
  amd1: {nics: {ens1np0: {platform: broadcom_bnxt, model: Thor2, speed: 400G}}}
  nv1: {nics: {ens1np0: {platform: nvidia_mlnx_qos, model: ConnectX-7, speed: 400G}}}
links:
  - {a: "amd1:ens1np0", b: "leaf1:et-0/0/0", cable: 3m}
  - {a: "nv1:ens1np0", b: "leaf1:et-0/0/1", cable: 3m}
"""


@pytest.mark.parametrize("text", [STORAGE, TWO_FAMILIES], ids=["storage", "two-families"])
def test_a_refined_policy_gives_no_error(text: str, tmp_path: Path) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_text(text)
    built = build(inventory_read([file]))
    report = lint(built.fabric, builtin(), built.provenance, built.suppressions)
    assert [f.message for f in report.findings if f.severity is Severity.ERROR] == []


def test_a_class_that_a_fabric_removes_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "fabric.yaml"
    file.write_text(STORAGE)
    fabric = build(inventory_read([file])).fabric
    names = {name for name, _ in fabric.devices["st1"].ports[0].intent.classes}
    assert names == {"nvme", "cnp", "default"}
