"""Path rules: what they are asked, against a walk over every pair of NICs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.model.classes import PortIntent, TrafficClass
from lossless.model.fabric import Fabric
from lossless.model.pfc import Pfc
from lossless.model.values import OFF
from lossless.nodeset import expand
from lossless.rules.declare import Answer, Fault, Scope
from lossless.rules.engine import paths
from lossless.rules.views import PathView
from tests.rules.engine.build import INTENT, ROCE, Builder, clos, make, nic, pfc, run

Ports = tuple[tuple[str, str], ...]


def _seen(path: PathView) -> tuple[frozenset[int], ...]:
    ports = [p for hop in path.hops for p in (hop.ingress, hop.egress) if p is not None]
    return tuple(_priorities(port.pfc) for port in ports)


def _priorities(pfc: Pfc) -> frozenset[int]:
    assert isinstance(pfc.send, frozenset)
    return pfc.send


def _walks(fabric: Fabric) -> Iterator[Ports]:
    """Yield every way up and down between two NICs, turning at each device both reach."""
    up: dict[tuple[str, str], list[Ports]] = {}
    height = {"host": 0, "leaf": 1, "spine": 2, "super-spine": 3}
    rungs: dict[str, list[tuple[str, str, str]]] = {}
    for link in fabric.links:
        a, b = (link.a_device, link.a), (link.b_device, link.b)
        low, high = sorted((a, b), key=lambda end: height[end[0].role or ""])
        if height[low[0].role or ""] != height[high[0].role or ""]:
            rungs.setdefault(low[0].name, []).append((low[1].name, high[0].name, high[1].name))

    def climb(ports: Ports, at: str) -> Iterator[Ports]:
        for exit_, high, entry in rungs.get(at, ()):
            climbed = (*ports, (at, exit_), (high, entry))
            yield climbed
            yield from climb(climbed, high)

    for device in fabric.devices.values():
        if device.kind == "host":
            for ports in climb((), device.name):
                up.setdefault(ports[0], []).append(ports)
    climbs = [ports for ways in up.values() for ports in ways]
    for there in climbs:
        for back in climbs:
            # At a leaf the links differ, at a spine the leaves.
            before = 1 if len(there) > 2 else 2
            if there[-1][0] == back[-1][0] and there[-2][:before] != back[-2][:before]:
                yield (*there, *reversed(back))


@st.composite
def fabrics(draw: st.DrawFn) -> Builder:
    """Small fabrics of two tiers in which some ports pause other priorities."""
    leaves, spines = draw(st.integers(1, 3)), draw(st.integers(0, 2))
    hosts = draw(st.integers(1, 2))
    ports = [
        *(f"leaf{n}:e{h}" for n in range(1, leaves + 1) for h in range(1, hosts + 1)),
        *(f"leaf{n}:u{s}" for n in range(1, leaves + 1) for s in range(1, spines + 1)),
        *(f"spine{s}:d{n}" for n in range(1, leaves + 1) for s in range(1, spines + 1)),
        *(f"gpu{n}:ens1" for n in range(1, leaves * hosts + 1)),
    ]
    odd = draw(st.dictionaries(st.sampled_from(ports), st.sampled_from([4, 5]), max_size=4))
    settings = {port: pfc(3, priority) for port, priority in odd.items()}
    builder = clos(leaves=leaves, spines=spines, hosts=hosts, settings=settings)
    if draw(st.booleans()):
        _crown(builder, spines, draw(st.sets(st.integers(1, spines + 1))))
    return builder


def _crown(builder: Builder, spines: int, odd: set[int]) -> None:
    """Put a third tier on a fabric: one switch above all spines, and a leaf right below it."""
    downlinks = range(1, spines + 2)
    builder.switch("top", "super-spine", {f"d{n}": pfc(3, 5 * (n in odd)) for n in downlinks})
    for number in range(1, spines + 1):
        name = f"spine{number}"
        ports = dict(builder.devices[name].configured.ports)
        builder.switch(name, "spine", {**ports, "top": pfc(3)})
        builder.wire(f"{name}:top", f"top:d{number}")
    builder.switch("high", "leaf", {"e1": pfc(3), "u1": pfc(3)})
    builder.host("gpu99", [nic("ens1")], {"ens1": pfc(3)})
    builder.wire("gpu99:ens1", "high:e1")
    builder.wire("high:u1", f"top:d{spines + 1}")


@given(fabrics())
def test_the_quotient_asks_exactly_what_every_pair_of_nics_meets(builder: Builder) -> None:
    fabric = builder.fabric()

    def looks(name: tuple[str, str]) -> frozenset[int]:
        return _priorities(fabric.devices[name[0]].configured.port(name[1]).pfc)

    met: dict[tuple[frozenset[int], ...], list[set[str]]] = {}
    for walk in _walks(fabric):
        places = met.setdefault(tuple(looks(port) for port in walk), [set() for _ in walk])
        for place, port in zip(places, walk, strict=True):
            place.add(":".join(port))

    @make(Scope.PATH, "pfc")
    def check(path: PathView) -> Iterator[Answer]:
        ports = [p for hop in path.hops for p in (hop.ingress, hop.egress) if p is not None]
        for place, port in enumerate(ports):
            yield Fault(message="path", at=port, actual=[place, [sorted(s) for s in _seen(path)]])

    found = {}
    for finding in run(fabric, check).findings:
        place, looks_like = finding.actual
        members = {n for folded in finding.objects for n in expand(folded)}
        found[place, tuple(map(frozenset, looks_like))] = members
    assert found == {
        (place, looks_like): members
        for looks_like, places in met.items()
        for place, members in enumerate(places)
    }


def test_every_kind_of_traffic_is_asked_in_the_class_that_its_sender_declares() -> None:
    cnp = TrafficClass(dscp=frozenset({48}), priorities=frozenset({6}))
    mine = PortIntent(
        classes=(("cnp", cnp), ("roce", ROCE)),
        sends=(("cnp", "cnp"), ("rdma", "roce"), ("storage", "none such")),
    )
    builder = Builder()
    builder.host("gpu1", [nic("ens1", intent=mine)], {"ens1": pfc(3)})
    builder.host("gpu2", [nic("ens1")], {"ens1": pfc(3)})
    builder.switch("leaf1", None, {"e1": pfc(3), "e2": pfc(4)})
    builder.wire("gpu1:ens1", "leaf1:e1")
    builder.wire("gpu2:ens1", "leaf1:e2")
    asked = []

    @make(Scope.PATH, "pfc")
    def check(path: PathView) -> Iterator[Answer]:
        asked.append((path.kind, path.name, path.cls, [sorted(s) for s in _seen(path)]))
        return iter(())

    run(builder, check)
    there, back = [[3], [3], [4], [3]], [[3], [4], [3], [3]]
    # Both directions look alike to the sender of `rdma`, whose class is one object after all.
    assert ("cnp", "cnp", cnp, there) in asked
    assert ("rdma", "roce", ROCE, there) in asked
    assert ("rdma", "roce", ROCE, back) in asked
    assert not any(name == "none such" for _, name, _, _ in asked)
    assert not any(kind == "cnp" and seen == back for kind, _, _, seen in asked)


def test_a_sender_that_does_not_say_what_it_sends_is_not_checked() -> None:
    silent = PortIntent(classes=(("roce", ROCE),))
    builder = Builder()
    builder.host("gpu1", [nic("ens1", intent=silent), nic("ens2")], {})
    builder.switch("leaf1", "leaf", {"e1": pfc(3), "e2": pfc(3)})
    builder.wire("gpu1:ens1", "leaf1:e1")
    builder.wire("gpu1:ens2", "leaf1:e2")

    @make(Scope.PATH, "pfc")
    def check(path: PathView) -> Iterator[Answer]:
        yield Fault(message="from {here}")

    report = run(builder, check)
    assert [(n.objects, n.missing) for n in report.not_checked] == [(("gpu1:ens1",), ("sends",))]
    assert [f.objects for f in report.findings] == [("gpu1:ens2",)]


def test_fabrics_do_not_mix_and_nics_outside_roce_send_nothing() -> None:
    builder = Builder()
    nics = [nic("a1", fabric="gpu"), nic("a2", fabric="storage"), nic("a3", lossless=OFF)]
    builder.host("h1", nics, {"a1": pfc(1), "a2": pfc(2), "a3": pfc(3)})
    builder.host("h2", nics, {"a1": pfc(1), "a2": pfc(2), "a3": pfc(3)})
    builder.switch("leaf1", "leaf", {f"e{n}": pfc(3) for n in range(6)})
    for number in range(6):
        host, port = divmod(number, 3)
        builder.wire(f"h{host + 1}:a{port + 1}", f"leaf1:e{number}")
    ends = []

    @make(Scope.PATH, "pfc")
    def check(path: PathView) -> Iterator[Answer]:
        seen = _seen(path)
        ends.append((sorted(seen[0]), sorted(seen[-1])))
        return iter(())

    run(builder, check)
    assert sorted(ends) == [([1], [1]), ([2], [2])]


def test_peer_links_are_no_way_and_a_lone_nic_meets_nobody() -> None:
    builder = Builder()
    for number in (1, 2):
        builder.host(f"gpu{number}", [nic("ens1")], {"ens1": pfc(3)})
        builder.switch(f"leaf{number}", "leaf", {"e1": pfc(3), "peer": pfc(3)}, mlag="m")
        builder.wire(f"gpu{number}:ens1", f"leaf{number}:e1")
    builder.wire("leaf1:peer", "leaf2:peer")

    @make(Scope.PATH, "pfc")
    def check(path: PathView) -> Iterator[Answer]:
        yield Fault(message="a path")

    assert not run(builder, check).findings


def test_three_tiers_are_climbed() -> None:
    builder = Builder()
    for pod in (1, 2):
        builder.host(f"gpu{pod}", [nic("ens1")], {"ens1": pfc(3)})
        builder.switch(f"leaf{pod}", "leaf", {"e1": pfc(3), "u1": pfc(3)})
        builder.switch(f"spine{pod}", "spine", {"d1": pfc(3), "u1": pfc(3)})
        builder.wire(f"leaf{pod}:e1", f"gpu{pod}:ens1")
        builder.wire(f"spine{pod}:d1", f"leaf{pod}:u1")
        builder.wire(f"super1:d{pod}", f"spine{pod}:u1")
    builder.switch("super1", "super-spine", {"d1": pfc(3), "d2": pfc(5)})

    @make(Scope.PATH, "pfc")
    def check(path: PathView) -> Iterator[Answer]:
        assert len(path.hops) == 7
        top = path.hops[3]
        assert top.ingress is not None
        assert top.egress is not None
        looks = sorted(_priorities(top.ingress.pfc))
        yield Fault(message="{here} to {there}", at=top.ingress, peer=top.egress, actual=looks)

    findings = run(builder, check).findings
    assert {(f.objects, f.message) for f in findings} == {
        (("super1:d1",), "super1:d1 to super1:d2"),
        (("super1:d2",), "super1:d2 to super1:d1"),
    }


def test_a_peer_across_the_link_is_exact_and_another_is_an_example() -> None:
    @make(Scope.PATH, "pfc", "place")
    def check(path: PathView) -> Iterator[Answer]:
        nic, leaf, last = path.hops[0].egress, path.hops[1].ingress, path.hops[-1].ingress
        assert nic is not None
        assert leaf is not None
        if _priorities(leaf.pfc) != frozenset({3}):
            yield Fault(message="{here} after {there}", at=leaf, peer=nic, actual="near")
            yield Fault(message="{here} before {there}", at=leaf, peer=last, actual="far")

    odd = {"leaf1:e2": pfc(4), "leaf2:e1": pfc(4)}
    found = {f.actual: f for f in run(clos(settings=odd), check).findings}
    assert found["near"].message == "leaf1:e2, leaf2:e1 after gpu[2-3]:ens1"
    assert found["near"].objects == ("leaf1:e2", "leaf2:e1", "gpu[2-3]:ens1")
    assert found["far"].message == "leaf1:e2, leaf2:e1 before gpu1:ens1"
    assert found["far"].objects == ("leaf1:e2", "leaf2:e1")


def test_a_fabric_without_two_alike_devices_is_not_checked_rather_than_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    @make(Scope.PATH, "pfc")
    def check(path: PathView) -> Iterator[Answer]:
        yield Fault(message="asked")

    monkeypatch.setattr(paths, "LIMIT", 3)
    odd = {f"gpu{n}:ens1": pfc(n) for n in range(1, 5)}
    report = run(clos(settings=odd), check)
    assert not report.findings
    (entry,) = report.not_checked
    assert entry.objects == ("test",)
    assert "distinct paths" in entry.missing[0]


def test_intent_of_the_sender_not_of_the_receiver_decides() -> None:
    assert INTENT.sends == (("rdma", "roce"),)
    builder = Builder()
    mute = PortIntent(classes=())
    builder.host("gpu1", [nic("ens1")], {"ens1": pfc(3)})
    builder.host("gpu2", [nic("ens1", intent=mute)], {"ens1": pfc(4)})
    builder.switch("leaf1", "leaf", {"e1": pfc(3), "e2": pfc(3)})
    builder.wire("gpu1:ens1", "leaf1:e1")
    builder.wire("gpu2:ens1", "leaf1:e2")

    @make(Scope.PATH, "pfc")
    def check(path: PathView) -> Iterator[Answer]:
        yield Fault(message="{here}", actual=[sorted(s) for s in _seen(path)])

    (finding,) = run(builder, check).findings
    assert finding.objects == ("gpu1:ens1",)
    assert finding.actual == [[3], [3], [3], [4]]
