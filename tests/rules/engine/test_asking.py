"""How often rules are asked, what they see, and what becomes of nonsense."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lossless.findings import Confidence, InputError, Severity
from lossless.model.classification import Classification, Trust
from lossless.model.link import Cable
from lossless.model.pfc import Pfc, PfcMode
from lossless.model.profile import Profile
from lossless.model.settings import Settings
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope
from lossless.rules.views import DeviceView, FabricView, LinkView, PortView
from tests.rules.engine.build import Builder, clos, make, nic, pfc, run, speed, switch_port


def _lacks(view: PortView) -> bool:
    return view.pfc.send != frozenset({3})


def test_a_rule_is_asked_once_per_distinct_appearance() -> None:
    asked = []

    @make(Scope.PORT, "pfc")
    def check(port: PortView) -> Iterator[Answer]:
        asked.append(port.pfc)
        if _lacks(port):
            yield Fault(message="{here} lacks 3")

    builder = clos(leaves=8, hosts=16, settings={"leaf1:e1": pfc(4), "leaf7:e2": pfc(4)})
    report = run(builder, check)
    assert len(asked) == 2
    (finding,) = report.findings
    assert finding.objects == ("leaf1:e1", "leaf7:e2")
    assert finding.count == 2


def test_links_are_asked_once_per_distinct_pair_and_know_the_cable_only_if_they_need_it() -> None:
    asked: list[int | None] = []

    @make(Scope.LINK, "pfc")
    def blind(link: LinkView) -> Iterator[Answer]:
        asked.append(None)
        return iter(())

    @make(Scope.LINK, "pfc", "cable", id="TST002", name="seeing")
    def seeing(link: LinkView) -> Iterator[Answer]:
        asked.append(link.cable.length)  # type: ignore[arg-type]
        return iter(())

    builder = clos()
    builder.wires = [(a, b, Cable(length=i % 3)) for i, (a, b, _) in enumerate(builder.wires)]
    run(builder, blind)
    assert asked == [None]
    asked.clear()
    run(builder, seeing)
    assert sorted(asked) == [0, 1, 2]  # type: ignore[type-var]


@pytest.mark.parametrize("wired", [("gpu1:ens1", "leaf1:e1"), ("leaf1:e1", "gpu1:ens1")])
def test_the_host_is_the_first_end_however_the_link_is_written(wired: tuple[str, str]) -> None:
    builder = Builder()
    builder.host("gpu1", [nic("ens1")], {"ens1": pfc(3)})
    builder.switch("leaf1", "leaf", {"e1": pfc(4)})
    builder.wire(*wired)

    @make(Scope.LINK, "pfc")
    def check(link: LinkView) -> Iterator[Answer]:
        assert link.a.pfc.send == frozenset({3})
        assert link.b is not None
        yield Fault(message="{here} pauses 4, {there} 3", at=link.b, peer=link.a)

    (finding,) = run(builder, check).findings
    assert finding.rule == "TST001"
    assert finding.message == "leaf1:e1 pauses 4, gpu1:ens1 3"
    assert finding.objects == ("gpu1:ens1", "leaf1:e1")


def test_a_peer_outside_is_no_view_and_the_inner_end_comes_first() -> None:
    builder = Builder()
    builder.switch("leaf1", "leaf", {"e1": pfc(3)})
    builder.external("wan1")
    builder.wire("wan1:?", "leaf1:e1")

    @make(Scope.LINK, "pfc")
    def check(link: LinkView) -> Iterator[Answer]:
        assert link.b is None
        assert list(link.sides()) == []
        yield NotApplicable("the other end is outside")

    report = run(builder, check)
    assert not report.findings
    (entry,) = report.not_applicable
    assert entry.objects == ("leaf1:e1",)
    assert entry.missing == ("the other end is outside",)


def test_whether_a_cable_is_declared_can_be_asked() -> None:
    builder = clos(leaves=1, spines=1, hosts=1)
    builder.switch("leaf2", "leaf", {"e1": pfc(3), "e2": pfc(3)})
    builder.external("wan1")
    builder.wire("leaf2:e2", "wan1:?")

    @make(Scope.PORT, "linked")
    def check(port: PortView) -> Iterator[Answer]:
        if not port.linked:
            yield Fault(message="{here} hangs loose")

    (finding,) = run(builder, check).findings
    assert finding.objects == ("leaf2:e1",)


def test_effective_settings_are_seen_where_the_fabric_is_declared() -> None:
    profile = Profile(
        platform="p",
        kind="switch",
        defaults=Settings(classification=Classification(trust=Trust.PCP), pfc=Pfc(mode=PfcMode.ON)),
    )
    builder = Builder()
    builder.switch("leaf1", "leaf", {"e1": pfc(3)})
    builder.devices["leaf1"] = replace(builder.devices["leaf1"], profile=profile)

    @make(Scope.PORT, "classification", "pfc")
    def check(port: PortView) -> Iterator[Answer]:
        if port.classification.trust is None:
            yield Missing(("trust",))
        else:
            yield Fault(message="trusts", actual=port.classification.trust)

    (finding,) = run(builder.fabric(declared=True), check).findings
    assert finding.actual == "pcp"
    report = run(builder.fabric(declared=False), check)
    assert not report.findings
    assert [entry.missing for entry in report.not_checked] == [("trust",)]


def test_devices_are_grouped_by_appearance_and_their_ports_counted() -> None:
    seen: list[tuple[str | None, bool, list[int]]] = []

    @make(Scope.DEVICE, "pfc")
    def check(device: DeviceView) -> Iterator[Answer]:
        seen.append((device.role, device.mlag, sorted(g.count for g in device.ports)))
        for group in device.ports:
            if _lacks(group.view):
                yield Fault(message="{here} differs", at=group.view)
        if device.role == "spine":
            yield Fault(message="{here} is a spine")

    builder = clos(settings={"leaf2:e1": pfc(4), "leaf2:e2": pfc(4)})
    findings = run(builder, check).findings
    assert sorted(seen, key=repr) == [
        ("host", False, [1]),
        ("leaf", False, [2, 2]),
        ("leaf", False, [4]),
        ("spine", False, [2]),
    ]
    assert [(f.objects, f.count) for f in findings] == [
        (("leaf2:e[1-2]",), 2),
        (("spine[1-2]",), 2),
    ]


def test_a_fabric_view_holds_everything_once() -> None:
    @make(Scope.FABRIC, "pfc")
    def check(fabric: FabricView) -> Iterator[Answer]:
        ports = sum(group.count for group in fabric.ports)
        links = sum(count for _, count in fabric.links)
        yield Fault(message=f"{fabric.name}: {ports} ports, {links} links", field="policy")
        odd = next(group.view for group in fabric.ports if _lacks(group.view))
        yield Fault(message="{here} is odd", at=odd)

    report = run(clos(settings={"spine1:d2": pfc(4)}), check)
    assert [(f.message, f.objects) for f in report.findings] == [
        ("spine1:d2 is odd", ("spine1:d2",)),
        ("test: 16 ports, 8 links", ("test",)),
    ]
    assert (report.summary.devices, report.summary.ports, report.summary.links) == (8, 16, 8)


def test_reading_an_undeclared_facet_is_an_internal_error_and_others_go_on() -> None:
    @make(Scope.PORT, "pfc")
    def careless(port: PortView) -> Iterator[Answer]:
        yield Fault(message=f"{port.ecn}")

    @make(Scope.LINK, "pfc", id="TST002", name="cable-reader")
    def wirecutter(link: LinkView) -> Iterator[Answer]:
        yield Fault(message=f"{link.cable}")

    @make(Scope.PORT, "pfc", id="TST003", name="steady")
    def steady(port: PortView) -> Iterator[Answer]:
        yield Fault(message="seen")

    report = run(clos(leaves=1, hosts=1, spines=1), careless, wirecutter, steady)
    assert report.internal
    crashes = [f for f in report.findings if f.rule == "INT001"]
    assert [f.actual for f in crashes] == ["TST001", "TST002"]
    assert all("without declaring it" in f.message for f in crashes)
    assert "'ecn'" in crashes[0].message
    assert "'cable'" in crashes[1].message
    assert [f.message for f in report.findings if f.rule == "TST003"] == ["seen"]


def test_a_crash_names_rule_and_exception_once_for_all_objects() -> None:
    @make(Scope.PORT, "pfc")
    def broken(port: PortView) -> Iterator[Answer]:
        yield Fault(message="said before the crash")
        raise KeyError("gone\nwrong")

    report = run(clos(), broken)
    (finding,) = report.findings
    assert finding.rule == "INT001"
    assert finding.severity is Severity.ERROR
    assert finding.count == 16
    assert "TST001 (test-rule)" in finding.message
    assert "KeyError" in finding.message
    assert "\n" not in finding.message


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        ("a text", "a str"),
        (Fault(message=" "), "no message"),
        (Missing(()), "not what"),
        (NotApplicable(""), "not say why"),
        (Fault(message="x", at=PortView()), "not part of"),
        (Fault(message="x", peer=PortView()), "not part of"),
        (Missing(("a",), at=PortView()), "not part of"),
    ],
)
def test_an_answer_that_means_nothing_is_reported(answer: object, complaint: str) -> None:
    @make(Scope.PORT, "pfc")
    def check(port: PortView) -> Iterator[object]:
        yield answer

    (finding,) = run(clos(), check).findings
    assert finding.rule == "INT002"
    assert complaint in finding.message


def test_a_rule_that_returns_nothing_passes() -> None:
    @make(Scope.PORT, "pfc")
    def check(port: PortView) -> None:
        return None

    report = run(clos(), check)
    assert not report.findings
    assert not report.not_checked
    assert not report.not_applicable


def test_severity_only_falls_and_an_estimate_is_information() -> None:
    @make(Scope.PORT, "link", severity=Severity.WARNING)
    def check(port: PortView) -> Iterator[Answer]:
        yield Fault(message="raised", severity=Severity.ERROR)
        yield Fault(message="lowered", severity=Severity.INFO)
        yield Fault(message="guessed", confidence=Confidence.ESTIMATE)
        yield Fault(message="plain")

    report = run(clos(), check)
    assert {f.message: f.severity for f in report.findings} == {
        "raised": Severity.WARNING,
        "lowered": Severity.INFO,
        "guessed": Severity.INFO,
        "plain": Severity.WARNING,
    }


def test_options_reach_the_rule_and_wrong_ones_are_all_reported() -> None:
    @make(Scope.PORT, "link", options={"limit": 5, "share": 0.5, "strict": True})
    def check(port: PortView, *, limit: int, share: float, strict: bool) -> Iterator[Answer]:
        yield Fault(message=f"{limit} {share} {strict}")

    assert run(clos(), check).findings[0].message == "5 0.5 True"
    chosen = {"test-rule": {"limit": 7, "share": 1}, "NOT999": {"x": 1}}
    assert run(clos(), check, options=chosen).findings[0].message == "7 1 True"
    with pytest.raises(InputError) as caught:
        run(clos(), check, options={"TST001": {"limt": 7, "limit": "8", "strict": 1}})
    assert len(caught.value.problems) == 3


def test_ports_without_settings_are_asked_too() -> None:
    builder = Builder()
    builder.switch("leaf1", "leaf", {"e1": speed(400)})
    device = builder.devices["leaf1"]
    builder.devices["leaf1"] = replace(device, ports=(*device.ports, switch_port("e2")))

    @make(Scope.PORT, "link")
    def check(port: PortView) -> Iterator[Answer]:
        if port.link.speed is None:
            yield Missing(("speed",))

    (entry,) = run(builder, check).not_checked
    assert (entry.rule, entry.objects, entry.count) == ("TST001", ("leaf1:e2",), 1)
