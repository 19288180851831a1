"""Where values are written, what is accepted, and where effective values come from."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lossless.findings import Target
from lossless.intent import Built, Cabled, expand_links
from lossless.inventory import read

Builder = Callable[..., Built]

TEXT = """\
format: 1
fabric: f
extends: nvidia-roce
lint: {ignore: {TOP001: everywhere}}
policy:
  lint: {ignore: {ECN001: for the policy}}
  classes:
    roce: {ecn: {min: 100KB}}
  pfc: {watchdog: off}
  overrides:
    - {match: {role: leaf}, pfc: {watchdog: {detect: 200ms}}}
switches:
  leaf[1-2]:
    role: leaf
    platform: arista_eos
    lint: {ignore: {PFC001: for leaves}}
    breakout: {"Ethernet[9-10]": 2x200G}
    ports:
      Ethernet[1-8]/1: {speed: 400G, vlans: {native: 7}}
      Ethernet1/1:
        mtu: {switch: 9100}
        lint:
          ignore:
            MTU001: for one port
      Ethernet9/[1-2]: {role: host}
  leaf2:
    ports:
      Ethernet2/1: {fec: rs544}
hosts:
  gpu1:
    collectives: {NCCL_IB_TC: 106}
    nics:
      n1: {rail: 1, vlans: {711: {mtu: 9000}}}
external:
  out[1-2]: {lossless: unknown, lint: {ignore: {INV001: not ours}}}
links:
  - {a: "gpu1:n1", b: "leaf1:Ethernet1/1", cable: 3m, lint: {ignore: {RATE001: odd}}}
  - for: {k: 2-3}
    a: "leaf1:Ethernet{k}/1"
    b: "leaf2:Ethernet{k}/1"
    cable: 5m
  - {a: "leaf2:Ethernet8/1", b: "out1:?"}  # lossless: ignore[TOP002] temporary
""".replace("RATE001", "RAT001")


@pytest.fixture
def made(built: Builder) -> Built:
    return built(TEXT)


def line(made: Built, target: Target, field: str) -> str | None:
    where = made.provenance.locate(target, field)
    if where is None:
        return None
    if where.file.endswith("nvidia-roce.yaml"):
        return "nvidia-roce"
    return TEXT.splitlines()[where.line - 1].strip()


@pytest.mark.parametrize(
    ("target", "field", "expected"),
    [
        (Target("leaf1", "Ethernet1/1"), "mtu.switch", "mtu: {switch: 9100}"),
        (Target("leaf1", "Ethernet1/1"), "speed", "Ethernet[1-8]/1:"),
        (Target("leaf2", "Ethernet2/1"), "fec", "Ethernet2/1:"),
        (Target("leaf1", "Ethernet2/1"), "fec", None),
        (Target("leaf1", "Ethernet2/1"), "vlans.native", "Ethernet[1-8]/1:"),
        (Target("leaf1", "Ethernet2/1"), "mtu.switch", "nvidia-roce"),
        (Target("leaf1", "Ethernet2/1"), "classes.roce.ecn.min", "roce:"),
        (Target("leaf1", "Ethernet2/1"), "classes.roce.ecn.max", "nvidia-roce"),
        (Target("leaf1", "Ethernet2/1"), "classes.roce.priority", "nvidia-roce"),
        (Target("leaf1", "Ethernet2/1"), "pfc.watchdog.detect", "- {match:"),
        (Target("gpu1", "n1"), "pfc.watchdog.detect", "pfc: {watchdog: off}"),
        (Target("leaf1", "Ethernet2/1"), "classes.roce.queue", "roce:"),
        (Target("leaf1", "Ethernet9/2"), "speed", "breakout:"),
        (Target("leaf1", "Ethernet9/2"), "role", "Ethernet9/[1-2]:"),
        (Target("leaf1", "Ethernet1/1"), "role", None),
        (Target("leaf1", "Ethernet1/1"), "platform", "platform:"),
        (Target("leaf1"), "role", "role: leaf"),
        (Target("leaf1"), "platform", "platform:"),
        (Target("leaf1"), "", "leaf[1-2]:"),
        (Target("leaf2"), "", "leaf2:"),
        (Target("leaf1", "Ethernet1/1"), "", "Ethernet1/1:"),
        (Target("gpu1", "n1"), "rail", "n1:"),
        (Target("gpu1", "n1"), "vlans.711.mtu", "n1:"),
        (Target("gpu1"), "collectives.NCCL_IB_TC", "collectives:"),
        (Target("out2"), "lossless", "out[1-2]:"),
        (Target(link=0), "cable", '- {a: "gpu1:n1"'),
        (Target(link=1), "cable", "cable: 5m"),
        (Target(link=2), "a", 'a: "leaf1:'),
        (Target(link=2), "rated", None),
        (Target(link=3), "b", '- {a: "leaf2:'),
        (Target(), "policy.overrides.0", "- {match:"),
        (Target(), "policy.overrides.0.match", "- {match:"),
        (Target(), "switches.leaf[1-2].ports.Ethernet[1-8]/1.speed", "Ethernet[1-8]/1:"),
        (Target(), "nothing.of.this", None),
    ],
)
def test_places(made: Built, target: Target, field: str, expected: str | None) -> None:
    found = line(made, target, field)
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert found.startswith(expected)


def test_columns_point_at_the_leaf(made: Built) -> None:
    where = made.provenance.locate(Target("leaf1", "Ethernet2/1"), "vlans.native")
    assert where is not None
    text = TEXT.splitlines()[where.line - 1]
    assert text[where.column - 1 :].startswith(("native", "7"))


def test_only_the_leaf_itself(made: Built) -> None:
    port = Target("leaf1", "Ethernet2/1")
    assert made.provenance.written(port, "classes.roce.ecn.min") is not None
    assert made.provenance.written(port, "classes.roce.queue") is None


@pytest.mark.parametrize(
    ("target", "field", "value"),
    [
        (Target("leaf1", "Ethernet1/1"), "mtu.switch", "native-max"),
        (Target("leaf1", "Ethernet2/1"), "mtu.switch", None),  # only the named policy says it
        (Target("leaf1", "Ethernet2/1"), "classes.roce.ecn.min", "150KB"),
        (Target("leaf1", "Ethernet1/1"), "speed", None),  # nothing is beneath it
        (Target("leaf1", "Ethernet1/1"), "classes.roce", None),  # a mapping is no value
        (Target("leaf1", "Ethernet1/1"), "nonsense", None),
        (Target(link=0), "cable", None),
    ],
)
def test_what_a_statement_overrides(
    made: Built, target: Target, field: str, value: str | None
) -> None:
    beneath = made.provenance.beneath(target, field)
    assert (None if beneath is None else beneath.value) == value


def test_what_says_the_same_is_not_overridden(built: Builder) -> None:
    same = TEXT.replace("mtu: {switch: 9100}", "mtu: {switch: native-max}")
    target = Target("leaf1", "Ethernet1/1")
    assert built(same).provenance.beneath(target, "mtu.switch") is None


MARKED = """\
format: 1
fabric: f
switches:
  leaf[1-2]:
    role: leaf
    platform: arista_eos
    maintenance: {until: 2026-12-31, reason: new software}
    ports:
      Ethernet[1-2]/1: {speed: 400G, role: host}
      Ethernet1/1: {maintenance: {until: 2027-01-31, reason: new optics}}
  leaf3: {role: leaf, platform: arista_eos, ports: {"Ethernet[1-2]/1": {speed: 400G, role: fabric}}}
links:
  - {a: "leaf1:Ethernet2/1", b: "leaf3:Ethernet1/1"}
  - {a: "leaf2:Ethernet2/1", b: "leaf3:Ethernet2/1", maintenance: {until: 2028-01-31, reason: new}}
"""


@pytest.mark.parametrize(
    ("target", "years"),
    [
        (Target("leaf1"), {2026}),
        (Target("leaf2", "Ethernet2/1"), {2026}),
        (Target("leaf1", "Ethernet1/1"), {2026, 2027}),
        (Target("leaf3", "Ethernet1/1"), set()),
        (Target(link=0), set()),
        (Target(link=1), {2028}),
        (Target(), set()),
    ],
)
def test_marks_of_maintenance_in_force(built: Builder, target: Target, years: set[int]) -> None:
    ignores = built(MARKED).suppressions
    assert {mark.until.year for mark in ignores.maintenance(target)} == years
    assert {mark.path for mark in ignores.all_maintenance()} == {
        "switches.leaf[1-2].maintenance",
        "switches.leaf[1-2].ports.Ethernet1/1.maintenance",
        "links.1.maintenance",
    }
    assert list(ignores.keyed(target)) == []


def test_comments_that_accept(made: Built) -> None:
    (ignore,) = made.suppressions.inline()
    assert (ignore.rules, ignore.reason) == (("TOP002",), "temporary")


def test_every_keyed_entry_is_listed(made: Built) -> None:
    assert {(e.rule, e.path) for e in made.suppressions.all_keyed()} == {
        ("TOP001", "lint.ignore.TOP001"),
        ("ECN001", "policy.lint.ignore.ECN001"),
        ("PFC001", "switches.leaf[1-2].lint.ignore.PFC001"),
        ("MTU001", "switches.leaf[1-2].ports.Ethernet1/1.lint.ignore.MTU001"),
        ("INV001", "external.out[1-2].lint.ignore.INV001"),
        ("RAT001", "links.0.lint.ignore.RAT001"),
    }


@pytest.mark.parametrize(
    ("target", "rules"),
    [
        (Target(), {"TOP001", "ECN001"}),
        (Target("leaf2"), {"TOP001", "ECN001", "PFC001"}),
        (Target("leaf1", "Ethernet1/1"), {"TOP001", "ECN001", "PFC001", "MTU001"}),
        (Target("leaf1", "Ethernet2/1"), {"TOP001", "ECN001", "PFC001"}),
        (Target("gpu1", "n1"), {"TOP001", "ECN001"}),
        (Target("out1", "?"), {"TOP001", "INV001"}),
        (Target(link=0), {"TOP001", "RAT001"}),
        (Target(link=1), {"TOP001"}),
    ],
)
def test_keyed_entries_in_force(made: Built, target: Target, rules: set[str]) -> None:
    found = made.suppressions.keyed(target)
    assert {entry.rule for entry in found} == rules
    assert set(found) <= set(made.suppressions.all_keyed())


def test_where_values_come_from(made: Built) -> None:
    shown = {s.field: s for s in made.show_settings("leaf1", "Ethernet1/1")}
    assert (shown["mtu.switch"].value, shown["mtu.switch"].origin) == (
        9100,
        "switches.leaf[1-2].ports.Ethernet1/1",
    )
    assert shown["classes.roce.ecn.min"].origin == "policy"
    assert shown["classes.roce.priority"].origin == "policy nvidia-roce"
    assert shown["pfc.watchdog.detect"].origin == "policy.overrides.0"
    assert shown["pfc.send"].value == {3}
    assert shown["pfc.send"].origin == "follows from the declaration"
    assert shown["classification.tc_to_queue.3"].origin == "platform default of arista_eos"
    assert all(s.location for s in shown.values() if s.origin.startswith(("policy", "switches")))


def test_unknown_objects_have_no_settings(made: Built) -> None:
    for device, port in (("leaf9", "Ethernet1/1"), ("leaf1", "Ethernet77/1")):
        with pytest.raises(KeyError):
            made.show_settings(device, port)


def test_the_expansion_can_be_shown(tmp_path: object, built: Builder) -> None:
    built(TEXT)
    file = next(tmp_path.glob("*.yaml"))  # type: ignore[attr-defined]
    links = list(expand_links(read([str(file)])))
    assert all(isinstance(one, Cabled) for one in links)
    assert [(one.number, one.a, one.b, one.entry) for one in links] == [
        (0, "gpu1:n1", "leaf1:Ethernet1/1", 0),
        (1, "leaf1:Ethernet2/1", "leaf2:Ethernet2/1", 1),
        (2, "leaf1:Ethernet3/1", "leaf2:Ethernet3/1", 1),
        (3, "leaf2:Ethernet8/1", "out1:?", 2),
    ]
    assert links[1].cable.length == 5000
