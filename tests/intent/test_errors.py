"""What is refused, each with its place and what to do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lossless.findings import Problem

Refused = Callable[..., list[Problem]]

HEAD = """\
format: 1
fabric: f
switches:
  "s[1-2]": {role: leaf, ports: {"e[1-4]": {speed: 400G}}}
hosts:
  "h[1-2]": {nics: {"n[1-2]": {speed: 400G}}}
external: {wan: {lossless: none}}
links:
"""


@pytest.mark.parametrize(
    ("entry", "complaint", "column"),
    [
        ('{a: "h1:n1", b: "s9:e1"}', "no device 's9'", "b"),
        ('{a: "h1:n1", b: "s1:e9"}', "s1 has no port 'e9'", "b"),
        ('{a: "h1:n7", b: "s1:e1"}', "h1 has no port 'n7'", "a"),
        ('{a: "h1:n1", b: "s1:?"}', "must be named", "b"),
        ('{a: "s1:e1", b: "s1:e2"}', "to itself", None),
        ('{a: "s1:e1", b: "s1:e1"}', "two links, both of this entry", "b"),
        ('{for: {n: 1-2}, a: "h{n}:n1", b: "s1:e1"}', "two links, both of this entry", "b"),
        ('{for: {n: 1-2}, a: "h{n}:n1", b: "s1:e{m}"}', "'m'", "b"),
        ('{for: {n: 1-2}, a: "h{n}:n1", b: "s1:e{n//(n-1)}"}', "divides by zero", "b"),
        ('{for: {n: 1-2}, a: "h{n}:n1", b: "s1:e[1-2]"}', "brackets beside a for", "b"),
        ('{a: "h[1-2]:n1", b: "s1:e[1-3]"}', "a names 2 ports and b names 3", None),
        ('{a: "h[1-2]:n[1-2]", b: "s1:e[1-4]"}', "more than one index", "a"),
        ('{a: "h[1-2]:n1", b: "s1:e[1-2]", cable: [1m, 2m, 3m]}', "3 lengths for 2", "cable"),
        ('{a: "h[1,1]:n1", b: "s1:e[1-2]"}', "twice", "a"),
        ('{for: {n: 1-2000, m: 1-2000}, a: "h{n}:n1", b: "s1:e{m}"}', "limit", "for"),
    ],
)
def test_cabling(problems: Refused, entry: str, complaint: str, column: str | None) -> None:
    found = problems(HEAD + f"  - {entry}\n")
    told = [p for p in found if complaint in p.message]
    assert told, [p.message for p in found]
    where = told[0].location
    assert where is not None
    assert where.line == 9
    if column is not None:
        key = entry.index(f"{column}: ") + 5
        assert key <= where.column <= key + len(column) + 2


def test_every_fault_is_told_and_many_of_one_entry_are_counted(problems: Refused) -> None:
    found = problems(
        HEAD
        + '  - {a: "h1:n1", b: "s9:e1"}\n'
        + '  - {for: {k: 11-40}, a: "wan:p{k}", b: "s1:e{k}"}\n'
        + '  - {a: "h1:n9", b: "s2:e1"}\n'
    )
    messages = [p.message for p in found]
    assert any("'s9'" in m for m in messages)
    assert any("'n9'" in m for m in messages)
    assert "and 25 more of the same entry" in messages
    assert len(messages) == 8


def test_the_other_use_of_a_port_is_shown(problems: Refused) -> None:
    (problem,) = problems(HEAD + '  - {a: "h1:n1", b: "s1:e1"}\n  - {a: "h2:n1", b: "s1:e1"}\n')
    assert problem.message == "s1:e1 is the end of two links"
    assert problem.location is not None
    assert (problem.location.line, [r.location.line for r in problem.related]) == (10, [9])


def test_a_near_miss_gets_a_hint(problems: Refused) -> None:
    (problem,) = problems(
        """\
        format: 1
        switches: {leaf01: {ports: {Ethernet1/1: {}}}, spine01: {ports: {Ethernet1: {}}}}
        links: [{a: "leaf1:Ethernet1/1", b: "spine01:Ethernet1"}]
        """
    )
    assert problem.hint is not None
    assert "leaf01" in problem.hint


@pytest.mark.parametrize(
    ("text", "complaint", "line"),
    [
        ('hosts: {"h[1-3]": {nics: {n: {rail: [1, 2]}}}}', "2 values for the 3 members", 2),
        ('hosts: {h1: {nics: {"n[1-3]": {rdma: "m_[0-1]"}}}}', "2 values for the 3 members", 2),
        ('hosts: {h1: {nics: {n1: {rdma: "m_[0-1]"}}}}', "2 values for the 1 members", 2),
        (
            'hosts: {"h[1-4]": {access: {address: "192.0.2.[1-3]"}, nics: {}}}',
            "3 values for the 4",
            2,
        ),
        ('hosts: {"h[1-2]": {access: {address: "999.0.2.[1-2]"}}}', "not an IP address", 2),
        ('hosts: {"h[1-9]": {access: {address: "192.0.2.[250-258]"}}}', "'192.0.2.256'", 2),
        ('hosts: {h1: {nics: {"n[1-9]": {pci: "0000:17:00.[0-8]"}}}}', "not a PCI address", 2),
        ('hosts: {h1: {nics: {"n[1-2]p[1-2]": {rail: [1, 2, 3, 4]}}}}', "more than one index", 2),
        ('hosts: {h1: {nics: {"n[1-4]": {rdma: "m[1-2]_[1-2]"}}}}', "more than one index", 2),
        ('hosts: {"h[1-]": {nics: {}}}', "not a number", 2),
        ("hosts: {h: {nics: {n: {collectives: {NCCL_IB_TC: 0}}}}}", "environment of a host", 2),
        ("switches: {s: {collectives: {NCCL_IB_TC: 0}}}", "environment of a host", 2),
        ("switches: {s: {ports: {p: {collectives: {A: b}}}}}", "environment of a host", 2),
        ('hosts: {"h[1-9999999]": {nics: {}}}', "limit is 1000000", 2),
        ('hosts: {"h[1,1]": {nics: {}}}', "twice", 2),
        ("hosts: {x: {nics: {}}}\nswitches: {x: {ports: {}}}", "a switch and a host", 2),
        ("hosts: {x: {nics: {}}}\nexternal: {x: {}}", "outside it", 3),
        ("switches: {x: {fabric: zz, ports: {}}}\nfabrics: {aa: {}}", "no fabric 'zz'", 2),
        ("extends: nobodys-policy", "nobodys-policy", 2),
        ("switches: {x: {lags: {po1: {members: e9}}, ports: {e1: {}}}}", "member e9", 2),
        (
            (
                'switches: {x: {lags: {po1: {members: e1}, po2: {members: "e[1-2]"}},\n'
                ' ports: {"e[1-2]": {}}}}'
            ),
            "member of po1 and of po2",
            2,
        ),
        ("switches: {x: {mlag: {domain: 1, peer_link: po9}, ports: {e1: {}}}}", "peer link po9", 2),
        (
            (
                'hosts: {h1: {bonds: {"b[0-1]": {for: {i: 1-3}, members: ["n{i}"]}},\n'
                ' nics: {"n[1-3]": {}}}}'
            ),
            "names 2 and its for has 3 rounds",
            2,
        ),
    ],
)
def test_devices(problems: Refused, text: str, complaint: str, line: int) -> None:
    found = problems(f"format: 1\n{text}\n")
    told = [p for p in found if complaint in p.message]
    assert told, [p.message for p in found]
    assert told[0].location is not None
    assert told[0].location.line == line


CONTESTED = """\
format: 1
policy:
  classes:
    roce: {{dscp: [26], priority: 3, queue: 3, lossless: true}}
    other: {{{claim}}}
hosts: {{"h[1-9]": {{nics: {{n1: {{}}}}}}}}
"""


@pytest.mark.parametrize(
    ("claim", "what"),
    [
        ("dscp: [24, 26]", "DSCP 26"),
        ("also: 24-31", "DSCP 26"),
        ("priority: [2, 3]", "priority 3"),
        ("queue: 3", "queue 3"),
    ],
)
def test_two_classes_claim_one_thing(problems: Refused, claim: str, what: str) -> None:
    (problem,) = problems(CONTESTED.format(claim=claim))
    assert problem.message == f"the classes roce and other both claim {what}"
    assert problem.location is not None
    assert (problem.location.line, [r.location.line for r in problem.related]) == (5, [4])


def test_a_claim_counts_only_where_both_are_in_force(problems: Refused) -> None:
    text = CONTESTED.format(claim="dscp: [8], priority: 1")
    assert (
        "both claim priority 3"
        in problems(text.replace("{n1: {}}", "{n1: {classes: {other: {priority: 3}}}}"))[0].message
    )


def test_traffic_in_a_class_that_nobody_declares(problems: Refused) -> None:
    text = CONTESTED.format(claim="dscp: [8], priority: 1")
    (problem,) = problems(text.replace("{nics:", "{sends: {rdma: rock}, nics:"))
    assert "'rock'" in problem.message
    assert problem.hint == "declared: other, roce"
    assert problem.location is not None
    assert problem.location.line == 6
