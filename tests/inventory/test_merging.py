"""Several files are one declaration."""

from __future__ import annotations

from lossless.inventory.sources import Sources
from tests.inventory.conftest import Reader, Refusal


def place(sources: Sources, *path: str | int) -> str:
    return str(sources.find(path)).replace("d/", "", 1)


def test_maps_merge_links_join_and_places_are_kept(declared: Reader) -> None:
    declaration = declared(
        "format: 1\npolicy:\n  trust: dscp\nlinks:\n  - {a: a:b, b: c:d}\n",
        "policy:\n  pfc: {mode: on}\nlinks:\n  - {a: e:f, b: g:h}\n  - {a: i:j, b: k:l}\n",
        "hosts: {}\n",
        "links: [{a: m:n, b: o:p}]\npolicy: {classes: {roce: {dscp: 26}}}\n",
    )
    assert set(declaration.data["policy"]) == {"trust", "pfc", "classes"}
    assert [link["a"] for link in declaration.data["links"]] == ["a:b", "e:f", "i:j", "m:n"]
    sources = declaration.sources
    assert place(sources, "policy", "trust") == "part0.yaml:3:10"
    assert place(sources, "policy", "pfc", "mode") == "part1.yaml:2:15"
    assert place(sources, "policy", "classes", "roce", "dscp") == "part3.yaml:2:33"
    assert place(sources, "links", 0, "b") == "part0.yaml:5:17"
    assert place(sources, "links", 2, "b") == "part1.yaml:5:17"
    assert place(sources, "links", 3, "b") == "part3.yaml:1:21"
    assert place(sources, "links", 9, "b") == "None"


def test_a_leaf_set_twice_names_both_places(refused: Refusal) -> None:
    [only] = refused("format: 1\npolicy: {trust: dscp}\n", "policy: {trust: dscp}\n")
    assert str(only.location) == "d/part1.yaml:1:10"
    assert "'policy.trust' is written in two files: also at d/part0.yaml:2:10" in only.message
    assert [str(r.location) for r in only.related] == ["d/part0.yaml:2:10"]


def test_lists_other_than_links_do_not_join(refused: Refusal) -> None:
    override = "policy: {overrides: [{match: {platform: sonic}, pfc: off}]}\n"
    [only] = refused("format: 1\n" + override, override)
    assert "'policy.overrides'" in only.message


def test_a_device_may_be_spread_over_files(declared: Reader) -> None:
    data = declared(
        "format: 1\nswitches: {leaf01: {platform: sonic}}\n",
        "switches:\n  leaf01: {ports: {Ethernet0: {speed: 400G}}}\n",
    ).data
    assert data["switches"]["leaf01"] == {
        "platform": "sonic",
        "ports": {"Ethernet0": {"speed": 400_000_000_000}},
    }


def test_each_file_may_say_its_format_and_leave_sections_empty(declared: Reader) -> None:
    data = declared("format: 1\nhosts:\n", "format: 1\nhosts: {h: }\n", "hosts:\n").data
    assert data == {"format": 1, "hosts": {"h": {}}}


def test_merging_changes_nothing_that_is_shared(declared: Reader) -> None:
    """Both leaves are one object until one of them is merged with another file."""
    same = "{ports: {e1: {speed: 100G}}}"
    data = declared(
        f"format: 1\nswitches:\n  leaf01: {same}\n  leaf02: {same}\n",
        "switches: {leaf02: {ports: {e2: {speed: 25G}}}}\n",
    ).data
    assert set(data["switches"]["leaf01"]["ports"]) == {"e1"}
    assert set(data["switches"]["leaf02"]["ports"]) == {"e1", "e2"}
