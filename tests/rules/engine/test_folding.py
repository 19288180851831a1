"""One cause, one finding: folding, places, suppressions, order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lossless.findings import InlineIgnore, KeyedIgnore, Location, Severity
from lossless.model.link import Cable
from lossless.model.units import in_bytes
from lossless.model.values import OFF
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope
from lossless.rules.engine.extent import from_pairs, names, parts, short, size
from lossless.rules.engine.fold import plain, spell
from lossless.rules.views import FabricView, LinkView, PortView
from tests.rules.engine.build import Accepted, Builder, Written, clos, make, nic, pfc, run


@make(Scope.PORT, "pfc", id="PFC901", name="not-three")
def not_three(port: PortView) -> Iterator[Answer]:
    if port.pfc.send != frozenset({3}):
        yield Fault(
            message="{here} pauses others", field="pfc.priorities", actual=port.pfc.send, fix=[3]
        )


def _wrong(*ports: str) -> Builder:
    return clos(leaves=2, hosts=4, settings={port: pfc(4) for port in ports})


def test_one_line_for_many_ports_is_one_finding() -> None:
    ports = [f"leaf{leaf}:e{n}" for leaf in (1, 2) for n in (1, 2, 3, 4)]
    written = Written({(port, "pfc.priorities"): 7 for port in ports})
    (finding,) = run(_wrong(*ports), not_three, written=written).findings
    assert finding.objects == ("leaf[1-2]:e[1-4]",)
    assert finding.count == 8
    assert finding.message == "leaf[1-2]:e[1-4] pauses others"
    assert finding.location == Location("fabric.yaml", 7, 1)
    assert finding.actual == [4]


def test_the_same_mistake_written_twice_is_two_findings() -> None:
    written = Written({("leaf1:e1", "pfc.priorities"): 9, ("leaf2:e1", "pfc.priorities"): 8})
    first, second = run(_wrong("leaf1:e1", "leaf2:e1"), not_three, written=written).findings
    assert (first.objects, second.objects) == (("leaf2:e1",), ("leaf1:e1",))


def test_places_are_looked_up_only_for_faults() -> None:
    written = Written()
    run(clos(), not_three, written=written)
    assert written.asked == []
    run(_wrong("leaf1:e1"), not_three, written=written)
    assert set(written.asked) == {("leaf1:e1", "pfc.priorities"), ("leaf1:e1", "")}


def test_other_fields_are_asked_where_the_first_is_written_nowhere() -> None:
    @make(Scope.PORT, "pfc")
    def check(port: PortView) -> Iterator[Answer]:
        if port.pfc.send != frozenset({3}):
            yield Fault(message="x", field="pfc.send", or_fields=("pfc.priorities", "pfc"))

    written = Written({("leaf1:e1", "pfc"): 3})
    (finding,) = run(_wrong("leaf1:e1"), check, written=written).findings
    assert finding.location == Location("fabric.yaml", 3, 1)


def test_a_fault_of_a_link_is_looked_up_on_the_link_and_names_both_ends() -> None:
    builder = clos(leaves=1, spines=1, hosts=2)
    builder.wires[1] = (*builder.wires[1][:2], Cable(length=7))

    @make(Scope.LINK, "cable")
    def check(link: LinkView) -> Iterator[Answer]:
        if link.cable.length == 7:
            yield Fault(message="{here} to {there}", field="cable")

    written = Written({("link 1", "cable"): 30})
    (finding,) = run(builder, check, written=written).findings
    assert finding.message == "gpu2:ens1 to leaf1:e2"
    assert finding.objects == ("gpu2:ens1", "leaf1:e2")
    assert finding.location is not None
    assert finding.location.line == 30


def test_the_peer_is_pointed_at() -> None:
    @make(Scope.LINK, "pfc")
    def check(link: LinkView) -> Iterator[Answer]:
        for here, there in link.sides():
            if here.pfc.send != frozenset({3}):
                yield Fault(
                    message="{here} against {there}",
                    field="pfc.priorities",
                    at=here,
                    peer=there,
                    peer_field="nic.pfc",
                )

    written = Written({("leaf1:e1", "pfc.priorities"): 1, ("gpu1:ens1", "nic.pfc"): 2})
    (finding,) = run(_wrong("leaf1:e1"), check, written=written).findings
    assert finding.message == "leaf1:e1 against gpu1:ens1"
    (related,) = finding.related
    assert related.location.line == 2
    assert "gpu1:ens1" in related.message


def test_what_suffers_is_said() -> None:
    def touches(port: str) -> tuple[str, ...]:
        (finding,) = run(_wrong(port), not_three).findings
        return finding.touches

    assert touches("gpu2:ens1") == ("host gpu2", "rail 1")
    assert touches("leaf1:e3") == ("host gpu3", "rail 1")
    assert touches("leaf2:u1") == ("hosts gpu[5-8]", "rail 2")
    assert touches("spine1:d1") == ("hosts gpu[1-4]", "rail 1")

    (finding,) = run(_wrong("spine1:d1", "spine1:d2"), not_three).findings
    assert finding.touches == ("all 8 hosts", "rails 1-2")


def test_a_fix_becomes_an_edit() -> None:
    (finding,) = run(_wrong("leaf1:e1"), not_three).findings
    assert finding.edit is not None
    assert (finding.edit.path, finding.edit.value) == ("pfc.priorities", [3])
    assert finding.edit.safe


def test_braces_of_others_stay_as_they_are() -> None:
    assert (
        spell("{here} {there} {0} {here.x} %s {", "{there}", "b") == "{there} b {0} {here.x} %s {"
    )


def test_not_checked_and_not_applicable_fold() -> None:
    @make(Scope.PORT, "pfc", "place")
    def check(port: PortView) -> Iterator[Answer]:
        if port.place.owner_role == "spine":
            yield NotApplicable("spines have none")
        elif port.place.owner_role == "leaf":
            yield Missing(("buffers.cell",))

    report = run(_wrong("leaf1:e1"), check)
    (missing,), (inapplicable,) = report.not_checked, report.not_applicable
    assert missing.objects == ("leaf[1-2]:e[1-4]", "leaf[1-2]:u[1-2]")
    assert missing.count == 12
    assert missing.missing == ("buffers.cell",)
    assert inapplicable.objects == ("spine[1-2]:d[1-2]",)
    assert inapplicable.count == 4


def test_findings_are_ordered_by_place_rule_and_object_as_people_count() -> None:
    @make(Scope.PORT, "pfc", id="AAA001", name="first")
    def first(port: PortView) -> Iterator[Answer]:
        if port.pfc.send != frozenset({3}):
            yield Fault(message="a", field="other", actual=port.pfc.send)

    settings = {"leaf2:e1": pfc(4), "leaf10:e1": pfc(5), "leaf1:e1": pfc(6)}
    builder = clos(leaves=10, hosts=1, settings=settings)
    written = Written({("leaf10:e1", "pfc.priorities"): 5, ("leaf1:e1", "pfc.priorities"): 6})
    report = run(builder, not_three, first, written=written)
    assert [(f.rule, f.objects) for f in report.findings] == [
        ("PFC901", ("leaf10:e1",)),
        ("PFC901", ("leaf1:e1",)),
        ("AAA001", ("leaf1:e1",)),
        ("AAA001", ("leaf2:e1",)),
        ("AAA001", ("leaf10:e1",)),
        ("PFC901", ("leaf2:e1",)),
    ]


# Suppressions


def _comment(*rules: str, line: int = 4) -> InlineIgnore:
    return InlineIgnore(rules, "agreed", Location("fabric.yaml", line, 9), line)


_WRITTEN = Written({("leaf1:e1", "pfc.priorities"): 4, ("leaf2:e1", "pfc.priorities"): 5})


@pytest.mark.parametrize("named", ["PFC901", "not-three"])
def test_a_comment_accepts_what_stands_on_its_line(named: str) -> None:
    accepted = Accepted(comments=[_comment(named)])
    report = run(_wrong("leaf1:e1", "leaf2:e1"), not_three, written=_WRITTEN, accepted=accepted)
    first, second = report.findings
    assert first.suppressed is not None
    assert (first.suppressed.kind, first.suppressed.reason) == ("inline", "agreed")
    assert second.suppressed is None
    assert report.count(Severity.ERROR) == 1


def test_a_keyed_entry_accepts_on_its_object_alone() -> None:
    entry = KeyedIgnore("PFC901", "old box", "switches.leaf1.lint.ignore.PFC901")
    accepted = Accepted(entries={"leaf1": [entry]})
    report = run(_wrong("leaf1:e1", "leaf2:e1"), not_three, accepted=accepted)
    assert {f.objects: f.suppressed and f.suppressed.reason for f in report.findings} == {
        ("leaf1:e1",): "old box",
        ("leaf2:e1",): None,
    }


def test_an_entry_on_the_peer_accepts_a_fault_of_the_link() -> None:
    @make(Scope.LINK, "pfc")
    def check(link: LinkView) -> Iterator[Answer]:
        if link.b is not None and link.b.pfc.send != link.a.pfc.send:
            yield Fault(message="unlike", at=link.b)

    entry = KeyedIgnore("TST001", "lab", "hosts.gpu1.lint.ignore.TST001")
    report = run(_wrong("leaf1:e1"), check, accepted=Accepted(entries={"gpu1": [entry]}))
    (finding,) = report.findings
    assert finding.suppressed is not None
    assert finding.suppressed.kind == "keyed"


def test_suppressions_that_do_nothing_are_reported() -> None:
    accepted = Accepted(
        comments=[_comment("PFC901"), _comment("PFC909", line=5)],
        entries={"leaf2": [KeyedIgnore("not-three", "never", "switches.leaf2.lint.ignore.x")]},
    )
    report = run(clos(), not_three, accepted=accepted)
    assert sorted((f.rule, f.severity, f.field or "") for f in report.findings) == [
        ("INV900", Severity.INFO, ""),
        ("INV900", Severity.INFO, "switches.leaf2.lint.ignore.x"),
        ("INV901", Severity.WARNING, ""),
    ]
    (unknown,) = (f for f in report.findings if f.rule == "INV901")
    assert "PFC909" in unknown.message
    assert unknown.location == Location("fabric.yaml", 5, 9)


def test_a_suppression_of_a_rule_that_was_not_asked_is_not_unused() -> None:
    accepted = Accepted(comments=[_comment("INT001")])
    assert not run(clos(), not_three, accepted=accepted).findings


def test_internal_errors_cannot_be_suppressed() -> None:
    @make(Scope.FABRIC, "pfc")
    def broken(fabric: FabricView) -> Iterator[Answer]:
        raise ValueError("no")

    entry = KeyedIgnore("INT001", "hush", "lint.ignore.INT001")
    report = run(clos(), broken, accepted=Accepted(entries={"test": [entry]}))
    assert report.internal
    assert all(f.suppressed is None for f in report.findings)


# Names


def test_names_fold_devices_and_ports_apart() -> None:
    extent = [
        (("leaf1", "leaf2"), ("Ethernet1/1", "Ethernet2/1")),
        (("leaf3",), ("Ethernet1/1", "Ethernet2/1")),
        (("spine1", "host"), ()),
    ]
    assert names(extent) == ("host", "leaf[1-3]:Ethernet[1-2]/1", "spine1")
    assert size(extent) == 8


def test_names_of_many_objects_fold_by_rectangles() -> None:
    hosts = tuple(f"gpu{n:05d}" for n in range(1, 5001))
    extent = [(hosts, ("ens1",)), (hosts, ("ens2",)), (hosts[:10], ("bond0",))]
    assert names(extent) == ("gpu[00001-00010]:bond0", "gpu[00001-05000]:ens[1-2]")


def test_pairs_make_rectangles() -> None:
    pairs = [("a", "1"), ("b", "1"), ("a", "2"), ("b", "2"), ("a", "1"), ("c", None)]
    assert from_pairs(pairs) == [(("a", "b"), ("1", "2")), (("c",), ())]


def test_a_folded_text_splits_at_its_outer_commas() -> None:
    assert parts("a[1,3],b") == ["a[1,3]", "b"]


def test_long_lists_are_short_in_sentences() -> None:
    assert short(["a", "b"], 2) == "a, b"
    assert short(["a", "b", "c", "d"], 9) == "a, b, c and others (9 in all)"


def test_values_become_plain_data() -> None:
    assert plain(frozenset({5, 3})) == [3, 5]
    assert plain(OFF) == "off"
    assert plain((("roce", OFF),)) == [["roce", "off"]]
    assert plain({Severity.ERROR: in_bytes(9)}) == {"3": "9B"}
    assert plain(pfc(3).pfc) == {"send": [3], "honour": [3]}
    assert plain(replace(nic("a").place, rail=3)).startswith("Place(")
