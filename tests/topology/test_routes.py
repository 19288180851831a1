"""Routes between two NICs, tiers, and whom a port serves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lossless.model.fabric import Fabric
from lossless.topology.reach import Reach, Served
from lossless.topology.routes import Route, route
from lossless.topology.tiers import tiers
from tests.rules.engine.build import Builder, clos, nic, pfc


def _names(found: Route | None) -> list[str]:
    assert found is not None
    return [
        f"{'>' if inward else ''}{device.name}:{port.name}" for device, port, inward in found.ports
    ]


def test_below_one_leaf_traffic_turns_there() -> None:
    found = route(clos().fabric(), ("gpu1", "ens1"), ("gpu2", "ens1"))
    assert _names(found) == ["gpu1:ens1", ">leaf1:e1", "leaf1:e2", ">gpu2:ens1"]
    assert found is not None
    assert found.ways == 1


@pytest.mark.parametrize("spines", [1, 2, 5])
def test_between_leaves_every_spine_is_an_equal_way(spines: int) -> None:
    found = route(clos(spines=spines).fabric(), ("gpu1", "ens1"), ("gpu3", "ens1"))
    assert _names(found) == [
        "gpu1:ens1",
        ">leaf1:e1",
        "leaf1:u1",
        ">spine1:d1",
        "spine1:d2",
        ">leaf2:u1",
        "leaf2:e1",
        ">gpu3:ens1",
    ]
    assert found is not None
    assert found.ways == spines


def test_parallel_cables_are_ways_of_their_own() -> None:
    builder = clos(spines=1)
    builder.switch("leaf1", "leaf", {p: pfc(3) for p in ("e1", "e2", "u1", "u2")})
    builder.switch("spine1", "spine", {p: pfc(3) for p in ("d1", "d2", "d3")})
    builder.wire("leaf1:u2", "spine1:d3")
    found = route(builder.fabric(), ("gpu1", "ens1"), ("gpu3", "ens1"))
    assert found is not None
    assert found.ways == 2
    assert ">spine1:d1" in _names(found)


def _pods(link: tuple[str, str] | None = None) -> Fabric:
    builder = Builder()
    for pod in (1, 2):
        builder.host(f"gpu{pod}", [nic("ens1")], {})
        builder.switch(f"leaf{pod}", "leaf", {"e1": pfc(3), "u1": pfc(3), "p": pfc(3)})
        builder.switch(f"spine{pod}", "spine", {"d1": pfc(3), "u1": pfc(3)})
        builder.wire(f"leaf{pod}:e1", f"gpu{pod}:ens1")
        builder.wire(f"spine{pod}:d1", f"leaf{pod}:u1")
    builder.switch("top", "super-spine", {"d1": pfc(3), "d2": pfc(3)})
    if link:
        builder.wire(*link)
    else:
        builder.wire("top:d1", "spine1:u1")
        builder.wire("top:d2", "spine2:u1")
    return builder.fabric()


def test_three_tiers() -> None:
    names = _names(route(_pods(), ("gpu1", "ens1"), ("gpu2", "ens1")))
    assert len(names) == 12
    assert names[4:8] == ["spine1:u1", ">top:d1", "top:d2", ">spine2:u1"]


def test_a_peer_link_is_no_way() -> None:
    fabric = _pods(("leaf1:p", "leaf2:p"))
    assert route(fabric, ("gpu1", "ens1"), ("gpu2", "ens1")) is None


def test_unknown_ends_and_the_same_end_have_no_way() -> None:
    fabric = clos().fabric()
    assert route(fabric, ("gpu1", "ens1"), ("gpu1", "ens1")) is None
    assert route(fabric, ("gpu1", "ens9"), ("gpu2", "ens1")) is None
    assert route(fabric, ("nobody", "x"), ("gpu2", "ens1")) is None


def test_two_nics_on_one_cable() -> None:
    builder = Builder()
    for name in ("a", "b"):
        builder.host(name, [nic("ens1")], {})
    builder.wire("b:ens1", "a:ens1")
    assert _names(route(builder.fabric(), ("a", "ens1"), ("b", "ens1"))) == ["a:ens1", ">b:ens1"]


def test_a_switch_without_a_role_under_a_host_is_a_leaf() -> None:
    builder = clos()
    bare = replace(builder.devices["leaf1"], role=None)
    builder.devices["leaf1"] = bare
    builder.switch("lonely", None, {"x": pfc(3)})
    builder.switch("odd", "border", {"x": pfc(3)})
    found = tiers(builder.fabric())
    assert found["leaf1"] == found["leaf2"] == 1
    assert (found["gpu1"], found["spine1"], found["lonely"], found["odd"]) == (0, 2, None, None)


def _reach(builder: Builder) -> Reach:
    fabric = builder.fabric()
    heights = tiers(fabric)
    ends = []
    for link in fabric.links:
        a, b = (link.a_device.name, link.a.name), (link.b_device.name, link.b.name)
        ends.append((link.number, *a, *b))
    rails = {
        (device.name, port.name): port.place.rail
        for device in fabric.devices.values()
        for port in device.ports
    }
    return Reach(ends, heights, lambda device, port: rails[device, port])


def test_whom_a_port_serves() -> None:
    reach = _reach(clos(leaves=2, hosts=2))
    first, everybody = frozenset({"gpu1", "gpu2"}), frozenset({"gpu1", "gpu2", "gpu3", "gpu4"})
    assert reach.serves("gpu1", "ens1") == Served(frozenset({"gpu1"}), frozenset({1}))
    assert reach.serves("gpu3") == Served(frozenset({"gpu3"}), frozenset({2}))
    assert reach.serves("leaf1", "e2") == Served(frozenset({"gpu2"}), frozenset({1}))
    assert reach.serves("leaf1", "u1") == Served(first, frozenset({1}))
    assert reach.serves("leaf1") == Served(first, frozenset({1}))
    assert reach.serves("spine2", "d1") == Served(first, frozenset({1}))
    assert reach.serves("spine2") == Served(everybody, frozenset({1, 2}))
    assert reach.serves("leaf1", "none") == Served()
    assert reach.serves("wan1", "?") == Served()
    both = reach.all_served([("leaf1", "u1"), ("leaf1", "u2"), ("gpu4", "ens1")])
    assert both == Served(first | {"gpu4"}, frozenset({1, 2}))
