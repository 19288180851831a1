"""What lies over what: each level of the inventory against the one beneath it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lossless.findings import Problem, Target
from lossless.intent import Built
from lossless.model.settings import Settings
from lossless.model.values import OFF

Builder = Callable[..., Built]
Refused = Callable[..., list[Problem]]

CLASSES = "classes: {roce: {dscp: [26], priority: 3, lossless: true}}"


def at(made: Built, device: str, port: str) -> Settings:
    return made.fabric.devices[device].configured.port(port)


def watched(made: Built, device: str = "s1", port: str = "e1") -> int:
    """Return the watchdog's detection time in milliseconds."""
    told = at(made, device, port).watchdog.detect
    assert isinstance(told, int)
    return told // 10**6


def stating(milliseconds: int) -> str:
    return f"pfc: {{watchdog: {{detect: {milliseconds}ms}}}}"


#: Each level writes a longer time than the one beneath.
POLICY = f"policy: {{{stating(101)}}}"
OVERRIDES = (
    f"policy: {{{stating(101)}, overrides: [{{match: {{role: leaf}}, {stating(102)}}}, "
    f"{{match: {{device: 's[1-2]'}}, {stating(103)}}}]}}"
)
ROLE = f"roles: {{leaf: {{{stating(104)}}}}}"


def inventory(
    top: str, device_set: str = "", device: str = "", port_set: str = "", port: str = ""
) -> str:
    def stated(milliseconds: str) -> str:
        return f"pfc: {{watchdog: {{detect: {milliseconds}}}}}, " if milliseconds else ""

    return f"""\
format: 1
fabric: f
{top}
switches:
  "s[1-2]":
    {{role: leaf, platform: arista_eos, {stated(device_set)}ports: {{
      "e[1-2]": {{{stated(port_set)}speed: 400G}}, e1: {{{stated(port)}role: host}}}}}}
  s1: {{{stated(device)}description: first}}
"""


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({"top": POLICY}, 101),
        ({"top": OVERRIDES}, 103),
        ({"top": OVERRIDES + "\n" + ROLE}, 104),
        ({"top": OVERRIDES + "\n" + ROLE, "device_set": "105ms"}, 105),
        ({"top": ROLE, "device_set": "105ms", "device": "106ms"}, 106),
        ({"top": ROLE, "device": "106ms", "port_set": "107ms"}, 107),
        ({"top": ROLE, "device": "106ms", "port_set": "107ms", "port": "108ms"}, 108),
        ({"top": "extends: sonic-default"}, 200),
        ({"top": "extends: sonic-default\n" + POLICY}, 101),
    ],
)
def test_levels(built: Builder, stated: dict[str, str], expected: int) -> None:
    assert watched(built(inventory(**stated))) == expected


def test_the_last_override_that_matches_wins(built: Builder) -> None:
    made = built(inventory(OVERRIDES))
    assert watched(made) == 103
    made = built(inventory(OVERRIDES.replace("s[1-2]", "s2")))
    assert watched(made, "s1") == 102
    assert watched(made, "s2") == 103


def test_an_override_that_matches_nothing_is_remarked(built: Builder) -> None:
    made = built(inventory("policy: {overrides: [{match: {platform: sonic}, trust: pcp}]}"))
    assert [(r.kind, r.field) for r in made.fabric.remarks] == [
        ("override-matches-nothing", "policy.overrides.0")
    ]
    where = made.provenance.locate(Target(), "policy.overrides.0")
    assert where is not None
    assert where.line == 3


def test_maps_merge_lists_replace_and_null_removes(built: Builder) -> None:
    made = built(
        """\
        format: 1
        fabric: f
        policy:
          classes:
            roce: {dscp: [24, 26], priority: 3, lossless: true, ecn: {min: 1KB, max: 2KB}}
            bulk: {dscp: [8], priority: 1, ecn: {min: 1KB, max: 2KB}}
            cnp: {dscp: [48], priority: 6}
        switches:
          s1:
            role: leaf
            ports:
              e1:
                classes:
                  roce: {dscp: [26], ecn: {max: 3KB}}
                  bulk: {ecn: null}
                  cnp: null
        """
    )
    port = made.fabric.devices["s1"].ports[0]
    classes = dict(port.intent.classes)
    assert set(classes) == {"roce", "bulk"}
    assert classes["roce"].dscp == {26}
    queues = dict(at(made, "s1", "e1").ecn.queues)
    assert set(queues) == {3}
    assert (str(queues[3].minimum), str(queues[3].maximum)) == ("1KB", "3KB")


def test_a_map_lies_over_off_and_off_over_a_map(built: Builder) -> None:
    top = "policy: {pfc: {watchdog: {poll: 100ms, detect: 200ms}}}"
    made = built(inventory(top).replace("description: first", "pfc: {watchdog: off}"))
    assert at(made, "s1", "e1").watchdog.enabled is OFF
    assert at(made, "s1", "e1").watchdog.detect is None
    made = built(inventory("policy: {pfc: {watchdog: off}}", device="106ms"))
    assert at(made, "s1", "e1").watchdog.enabled is True
    assert at(made, "s2", "e1").watchdog.enabled is OFF


def test_fabrics_lie_over_the_top(built: Builder) -> None:
    made = built(
        f"""\
        format: 1
        policy: {{{CLASSES}, mtu: {{min_l3: 4200, switch: 4200}}, trust: pcp}}
        fabrics:
          one: {{extends: nvidia-roce, policy: {{mtu: {{min_l3: 9000}}}}}}
          two: {{lossless: none}}
        switches:
          a: {{fabric: one, ports: {{p1: {{role: host}}}}}}
          b: {{fabric: two, ports: {{p1: {{role: host}}}}}}
        """
    )
    one, two = (made.fabric.devices[n].ports[0] for n in "ab")
    assert one.intent.minimum_l3_mtu == 9000
    assert two.intent.minimum_l3_mtu == 4200
    assert (one.place.fabric, two.place.fabric) == ("one", "two")
    assert (one.place.lossless, two.place.lossless) == (True, OFF)
    trust = at(made, "a", "p1").classification.trust
    assert trust is not None
    assert trust.value == "dscp"
    told = at(made, "b", "p1")
    assert (told.pfc.mode, told.pfc.send, told.pfc.honour) == (OFF, OFF, OFF)
    assert told.mtu.l3 == 4200
    assert made.fabric.intents["two"].lossless is OFF
    assert made.fabric.intents["one"].lossless is True


def test_a_nic_takes_its_own_fabric(built: Builder) -> None:
    made = built(
        f"""\
        format: 1
        fabrics: {{back: {{policy: {{{CLASSES}}}}}, front: {{lossless: none}}}}
        hosts:
          h1: {{nics: {{a: {{fabric: back}}, b: {{fabric: front}}}}}}
        """
    )
    assert [p.place.lossless for p in made.fabric.devices["h1"].ports] == [True, OFF]


CROSSED = """\
format: 1
fabric: f
switches:
  "s[1-2]":
    ports: {{e1: {{pfc: {{priorities: [3]}}}}, "e[1-2]": {{speed: 400G}}}}
  s1:
    ports: {{"e[1-2]": {{pfc: {{priorities: {other}}}}}}}
"""


def test_name_and_set_against_set_and_name(problems: Refused, built: Builder) -> None:
    (problem,) = problems(CROSSED.format(other="[4]"))
    assert "pfc.priorities" in problem.message
    assert "s1:e[1-2]" in problem.message
    assert "s[1-2]:e1" in problem.message
    assert problem.location is not None
    assert problem.location.line == 7
    assert [r.location.line for r in problem.related] == [5]
    assert at(built(CROSSED.format(other="[3]")), "s1", "e1").pfc.send == {3}


def test_a_third_entry_inside_both_decides(built: Builder) -> None:
    decided = CROSSED.format(other="[4]") + "    # more of s1\n"
    decided = decided.replace(
        '"e[1-2]": {pfc: {priorities: [4]}}',
        '"e[1-2]": {pfc: {priorities: [4]}}, e1: {pfc: {priorities: [5]}}',
    )
    assert at(built(decided), "s1", "e1").pfc.send == {5}


OVERLAPPING = """\
format: 1
fabric: f
switches:
  "s[1-3]": {ports: {"e[1-4]": {speed: 400G}, "e[3-6]": {speed: 100G}}}
"""


def test_sets_that_overlap_without_containment(problems: Refused) -> None:
    (problem,) = problems(OVERLAPPING)
    assert "speed" in problem.message
    assert "e[1-4]" in problem.message
    assert "e[3-6]" in problem.message
    (problem,) = problems(
        """\
        format: 1
        fabric: f
        switches:
          "s[1-2]": {platform: sonic, ports: {e1: {speed: 400G}}}
          "s[2-3]": {platform: arista_eos, ports: {e1: {speed: 400G}}}
        """
    )
    assert problem.message.startswith("platform is stated differently")


def test_containment_refines(built: Builder) -> None:
    made = built(OVERLAPPING.replace("e[3-6]", "e[3-4]"))
    assert at(made, "s1", "e2").link.speed == 400 * 10**9
    assert at(made, "s1", "e3").link.speed == 100 * 10**9


def test_what_a_role_of_ports_says(built: Builder) -> None:
    made = built(
        """\
        format: 1
        fabric: f
        roles: {fabric: {fec: rs544}, leaf: {platform: sonic}}
        switches:
          s1: {role: leaf, ports: {e1: {role: fabric}, e2: {role: host}}}
        """
    )
    assert at(made, "s1", "e1").link.fec is not None
    assert at(made, "s1", "e2").link.fec is None
    assert made.fabric.devices["s1"].platform == "sonic"


def test_members_of_a_lag_take_what_it_says(built: Builder) -> None:
    made = built(
        """\
        format: 1
        fabric: f
        switches:
          s1:
            lags: {po1: {members: "e[1-2]", role: peer, fec: rs528}}
            ports: {"e[1-3]": {speed: 100G}, e2: {fec: none}}
        """
    )
    ports = made.fabric.devices["s1"].ports
    assert [p.bond for p in ports] == ["po1", "po1", None]
    fecs = [at(made, "s1", p.name).link.fec for p in ports]
    assert [getattr(f, "value", f) for f in fecs] == ["rs528", "none", None]
    where = made.provenance.locate(Target("s1", "e1"), "fec")
    assert where is not None
    assert where.line == 5
