"""From what is declared to what a port is told, and to what stays untold."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from lossless.intent import Built, build
from lossless.inventory import read
from lossless.model.classes import PortRole
from lossless.model.classification import Trust
from lossless.model.device import Port
from lossless.model.pfc import DcbOwner, PfcMode
from lossless.model.scheduling import Algorithm
from lossless.model.settings import Settings
from lossless.model.units import Alpha, Quantity, Unit, in_bytes
from lossless.model.values import OFF, entry

Builder = Callable[..., Built]
GBPS = 10**9


def port(made: Built, device: str, name: str) -> Port:
    return next(p for p in made.fabric.devices[device].ports if p.name == name)


def told(made: Built, device: str, name: str) -> Settings:
    return made.fabric.devices[device].configured.port(name)


def switch(statements: str = "", device: str = "", policy: str = "") -> str:
    return f"""\
format: 1
fabric: f
policy:
  classes:
    roce: {{dscp: [26], priority: 3, lossless: true}}
    cnp: {{dscp: [48], priority: 6}}
  {policy}
switches: {{s1: {{role: leaf, {device} ports: {{p1: {{{statements}}}}}}}}}
hosts: {{h1: {{nics: {{n1: {{{statements if "role" not in statements else ""}}}}}}}}}
"""


@pytest.mark.parametrize(
    ("pfc", "mode", "send", "honour"),
    [
        ("", None, {3}, {3}),
        ("pfc: on", PfcMode.ON, {3}, {3}),
        ("pfc: auto", PfcMode.AUTO, {3}, {3}),
        ("pfc: off", OFF, OFF, OFF),
        ("pfc: {priorities: [3, 4]}", None, {3, 4}, {3, 4}),
        ("pfc: {priorities: none}", None, OFF, OFF),
        ("pfc: {send: false}", None, OFF, {3}),
        ("pfc: {send: [4], honour: true}", None, {4}, {3}),
        ("pfc: {priorities: [2], send: true, honour: off}", None, {2}, OFF),
    ],
)
def test_pfc_sets(built: Builder, pfc: str, mode: object, send: object, honour: object) -> None:
    held = told(built(switch(pfc)), "s1", "p1").pfc
    assert (held.mode, held.send, held.honour) == (mode, send, honour)


@pytest.mark.parametrize(
    ("statements", "lossless", "send"),
    [
        ("", True, {3}),
        ("role: fabric", True, {3}),
        ("role: peer", True, {3}),
        ("role: management", OFF, OFF),
        ("role: unused", OFF, OFF),
        ("role: other", OFF, OFF),
        ("role: other, lossless: true", True, {3}),
        ("lossless: false", OFF, OFF),
        ("lossless: none", OFF, OFF),
        ("lossless: unknown", None, None),
        ("classes: {roce: {lossless: unknown}}", None, None),
        ("classes: {roce: {lossless: false}}", OFF, OFF),
        ("classes: {roce: none}", OFF, OFF),
        ("classes: {roce: null, cnp: null}", None, None),
    ],
)
def test_where_roce_crosses(
    built: Builder, statements: str, lossless: object, send: object
) -> None:
    made = built(switch(statements))
    assert port(made, "s1", "p1").place.lossless is lossless
    assert told(made, "s1", "p1").pfc.send == send


def test_a_port_that_roce_does_not_cross_keeps_only_its_own_statements(built: Builder) -> None:
    made = built(switch("lossless: false, pfc: {priorities: [4]}, speed: 25G", policy="trust: pcp"))
    held = told(made, "s1", "p1")
    assert held.pfc.send == {4}
    assert held.pfc.mode is OFF
    assert held.classification.trust is None
    assert held.classification.dscp_to_priority == ()
    assert held.link.speed == 25 * GBPS
    assert held.link.pause_send is None
    assert port(made, "s1", "p1").intent.classes == ()


def test_a_fabric_without_lossless_classes_is_still_classified(built: Builder) -> None:
    made = built(switch("classes: {roce: {lossless: false}}", policy="trust: dscp"))
    held = told(made, "s1", "p1")
    assert held.classification.trust is Trust.DSCP
    assert held.classification.dscp_to_priority[26] == 3


def test_absent_classes_are_known_to_be_absent(built: Builder) -> None:
    made = built(switch("classes: {cnp: none}"))
    assert dict(port(made, "s1", "p1").intent.classes)["cnp"] is OFF


def test_code_points_and_queues(built: Builder) -> None:
    made = built(
        """\
        format: 1
        policy:
          trust: both
          classes:
            roce: {dscp: [26], also: 24-31, pcp: [3], priority: 3, traffic_class: 4, queue: 5,
                   lossless: true, bandwidth: {remaining: 60%},
                   ecn: {min: 10% of queue, max: 20us}}
            cnp: {dscp: [48], queue: 7, scheduler: strict, cap: 1G}
            bulk: {dscp: [8], priority: [1, 2], bandwidth: 10%}
            default: {also: rest, priority: 0, bandwidth: {weight: 7}, ecn: off}
          rewrite: {dscp: {roce: 26}, pcp: none}
        switches: {s1: {ports: {p1: {}}}}
        """
    )
    held = told(made, "s1", "p1")
    dscp = held.classification.dscp_to_priority
    assert [dscp[d] for d in (0, 8, 24, 26, 48, 63)] == [0, None, 3, 3, None, 0]
    assert held.classification.pcp_to_priority[3] == 3
    assert held.classification.priority_to_tc[3] == 4
    assert held.classification.tc_to_queue[4] == 5
    assert held.classification.trust is Trust.BOTH
    assert held.classification.rewrite_dscp_enabled is True
    assert held.classification.rewrite_dscp[3] == 26
    assert held.classification.rewrite_pcp_enabled is OFF
    queues = dict(held.ets.queues)
    assert set(queues) == {0, 5, 7}  # a share cannot be split over the two queues of `bulk`
    assert queues[7].algorithm is Algorithm.STRICT
    assert queues[7].cap is not None
    marks = dict(held.ecn.queues)
    assert marks[0].enabled is OFF
    assert marks[5].minimum == Quantity(Fraction(10), Unit.PERCENT_OF_QUEUE)
    assert marks[5].maximum == Quantity(Fraction(20_000), Unit.NANOSECONDS)
    classes = dict(port(made, "s1", "p1").intent.classes)
    default = classes["default"]
    assert default is not None
    assert default.accepts == frozenset(range(64)) - set(range(24, 32)) - {8, 48}  # type: ignore[union-attr]


def test_a_platforms_own_map_places_a_class(built: Builder) -> None:
    """A NIC's default map may put priority 0 in another traffic class; ETS must follow it."""
    text = (
        switch("platform: nvidia_mlnx_qos", policy="")
        .replace("cnp: {dscp: [48], priority: 6}", "default: {priority: 0, bandwidth: 40%}")
        .replace("ports: {p1: {platform: nvidia_mlnx_qos}}", "ports: {p1: {}}")
    )
    made = built(text)
    profile = port(made, "h1", "n1").profile
    assert profile is not None
    by_default = profile.defaults.classification.priority_to_tc
    assert list(dict(told(made, "h1", "n1").ets.queues)) == [by_default[0]]
    assert list(dict(told(made, "s1", "p1").ets.queues)) == [0]


def test_mtu_in_usable_bytes(built: Builder) -> None:
    text = switch(policy="mtu: {min_l3: 9000, switch: native-max, nic: 4200}")
    made = built(text)
    assert told(made, "s1", "p1").mtu.l3 is None  # nobody knows this platform's largest
    assert told(made, "h1", "n1").mtu.l3 == 4200
    assert port(made, "s1", "p1").intent.minimum_l3_mtu == 9000
    made = built(text.replace("role: leaf,", "role: leaf, platform: arista_eos,"))
    held = told(made, "s1", "p1").mtu
    profile = port(made, "s1", "p1").profile
    assert profile is not None
    assert held.native == profile.limits.native_mtu.high
    assert held.native is not None
    assert held.l3 == profile.mtu.l3(held.native)


def test_nics(built: Builder) -> None:
    made = built(
        """\
        format: 1
        fabric: f
        policy:
          trust: both
          classes:
            one: {dscp: [26], priority: 3, lossless: true}
            two: {dscp: [34], priority: 4, lossless: true}
          pfc: {watchdog: on, dcbx: {willing: false, application: {"udp 4791": 3}}}
          congestion_control: none
        hosts:
          h1:
            platform: nvidia_mlnx_qos
            nics:
              n1: {model: ConnectX-7, pcie: gen4x16, dcb_owner: fw, nic_mode: dpu,
                   marking: {global_tclass: 106, cnp_dscp: 48, applications: {nfs: 136}},
                   vfs: {count: 8, traffic_class: 136}, vlan_mode: trunk,
                   vlans: {711: {pcp_map: {4: 4}, mtu: 9000}, rdma: [711]}}
              n2: {classes: {two: null}, pfc: {watchdog: on}}
              n3: {platform: none, sends: {rdma: two, cnp: one}}
        """
    )
    one = told(made, "h1", "n1")
    assert one.classification.trust is Trust.DSCP  # this platform has no `both`
    assert one.congestion.algorithm is OFF
    assert (one.congestion.cnp_dscp, one.marking.global_tclass) == (48, 106)
    assert one.marking.applications == (("nfs", 136),)
    assert one.dcb.owner is DcbOwner.FIRMWARE
    assert (one.dcb.willing, one.dcb.applications) == (OFF, (("udp 4791", 3),))
    adapter = one.adapter
    assert (adapter.model, adapter.mode, adapter.vfs) == ("ConnectX-7", "dpu", 8)
    assert (adapter.pcie_generation, adapter.pcie_width, adapter.vf_traffic_class) == (4, 16, 136)
    assert one.vlans.tagged == one.vlans.rdma == {711}
    assert dict(one.vlans.pcp_maps)[711][4] == 4
    assert one.vlans.mtu == ((711, 9000),)
    assert one.watchdog.enabled is None
    assert [port(made, "h1", n).intent.sends for n in ("n1", "n2", "n3")] == [
        (),
        (("rdma", "one"),),
        (("cnp", "one"), ("rdma", "two")),
    ]
    assert port(made, "h1", "n1").platform == "nvidia_mlnx_qos"
    assert port(made, "h1", "n3").platform is None
    assert port(made, "h1", "n3").profile is None


def test_buffers_of_a_nic_are_those_that_are_written_on_it(built: Builder) -> None:
    text = """\
format: 1
fabric: f
policy:
  classes: {roce: {dscp: [26], priority: 3, lossless: true}}
  buffers: {classes: {roce: {xoff: 100KB}}}
hosts:
  gpu1: {nics: {ens1: {platform: nvidia_mlnx_qos}}}
  gpu2:
    nics:
      ens1: {platform: nvidia_mlnx_qos, buffers: {classes: {roce: {xoff: 20KB}}}}
"""
    made = built(text)
    assert told(made, "gpu1", "ens1").buffers.groups == ()
    ((number, group),) = told(made, "gpu2", "ens1").buffers.groups
    assert (number, group.xoff, group.lossless) == (3, in_bytes(20_000), True)


def test_boxes(built: Builder) -> None:
    made = built(
        """\
        format: 1
        fabric: f
        policy:
          classes: {roce: {dscp: [26], priority: 3, lossless: true}}
          buffers:
            model: dynamic
            headroom_pool: {cells: 9600}
            pools: {ingress: {size: 22MB, mode: dynamic, direction: ingress}}
            shares: {ingress: {lossless: 66%}}
            classes: {roce: {alpha: 1/8, xoff: 10KB, xon_offset: 100 cells}}
        switches:
          s1: {profile: some-macro, raw: ["one line"], ports: {p1: {}}}
        """
    )
    system = made.fabric.devices["s1"].configured.system
    assert (system.macro, system.raw) == ("some-macro", ("one line",))
    assert system.buffers.model == "dynamic"
    assert system.buffers.headroom_pool.size == Quantity(Fraction(9600), Unit.CELLS)
    assert dict(system.buffers.pools)["ingress"].size == in_bytes(22_000_000)
    assert system.buffers.shares == (("ingress lossless", 660_000),)
    group = dict(told(made, "s1", "p1").buffers.groups)[3]
    assert group.alpha == Alpha(ratio=Fraction(1, 8))
    assert (group.lossless, group.xoff) == (True, in_bytes(10_000))


def test_names_of_split_ports(built: Builder) -> None:
    made = built(
        """\
        format: 1
        fabric: f
        switches:
          a: {breakout: {"swp[1-2]": 2x400G}, ports: {"swp[1-2]s[0-1]": {}, swp3: {}}}
          b: {breakout: {"et-0/0/[0-1]": 4x100G(8)}, ports: {"et-0/0/[0-1]:[0-3]": {}}}
          c: {breakout: {"Ethernet1/1": 2x200G}, ports: {"Ethernet1/1/[1-2]": {}, Ethernet1/11: {}}}
          d: {breakout: {"Ethernet[0-16/8]": 2x400G}, ports: {"Ethernet[0-20/4]": {speed: 100G},
              Ethernet32: {}}}
          e: {breakout: {"400GE1/0/[1-2]": 2x200G}, ports: {"200GE1/0/[1-2]:[1-2]": {}}}
        """
    )
    parents = {
        name: [p.parent for p in device.ports] for name, device in made.fabric.devices.items()
    }
    assert parents["a"] == ["swp1", "swp1", "swp2", "swp2", None]
    assert parents["b"] == ["et-0/0/0"] * 4 + ["et-0/0/1"] * 4
    assert parents["c"] == ["Ethernet1/1", "Ethernet1/1", None]
    assert parents["d"] == [f"Ethernet{n}" for n in (0, 0, 8, 8, 16, 16)] + [None]
    assert parents["e"] == ["400GE1/0/1"] * 2 + ["400GE1/0/2"] * 2
    assert told(made, "a", "swp1s0").link.speed == 400 * GBPS
    assert told(made, "a", "swp3").link.speed is None
    assert told(made, "b", "et-0/0/0:0").link.lanes == 8
    assert told(made, "d", "Ethernet0").link.speed == 100 * GBPS  # the port says otherwise


def test_bonds_pairs_and_outsiders(built: Builder) -> None:
    made = built(
        """\
        format: 1
        fabric: f
        switches:
          "t[1-2]": {role: leaf, plane: [A, B], mlag: {domain: 7, peer_link: none},
                     ports: {"p[1-4]": {role: host}}}
        hosts:
          h1:
            access: none
            bonds:
              "bond[0-1]": {for: {i: 1-2}, members: ["n{i}a", "n{i}b"], bond_mode: 802.3ad,
                            rdma: "mlx5_bond_{i-1}"}
            nics: {"n[1-2]a": {plane: A}, "n[1-2]b": {plane: B}}
        external: {"w[1-2]": {role: spine, lossless: none}, x: {lossless: unknown}}
        links:
          - {for: {i: 1-2}, a: "h1:n{i}a", b: "t1:p{i}"}
          - {a: "t1:p[3-4]", b: "w[1-2]:?"}
          - {a: "t2:p4", b: "x:eth0"}
        """
    )
    host = made.fabric.devices["h1"]
    assert host.access is None
    bonds = {a.name: (a.members, a.mode, a.rdma) for a in host.aggregates}
    assert bonds["bond1"] == (("n2a", "n2b"), "802.3ad", "mlx5_bond_1")
    assert [p.bond for p in host.ports] == ["bond0", "bond1", "bond0", "bond1"]
    tor = made.fabric.devices["t2"]
    assert (tor.plane, tor.ports[0].place.plane) == ("B", "B")
    assert tor.mlag is not None
    assert (tor.mlag.domain, tor.mlag.peer_link) == ("7", None)
    outside = {(li.b_device.name, li.b.name): li.b.place for li in made.fabric.links[2:]}
    assert list(outside) == [("w1", "?"), ("w2", "?"), ("x", "eth0")]
    assert outside["w1", "?"].lossless is OFF
    assert outside["w1", "?"].owner_role == "spine"
    assert outside["x", "eth0"].lossless is None


def test_written_roles_are_told_from_others(built: Builder) -> None:
    made = built(switch("role: host"))
    switch_port, nic = port(made, "s1", "p1").place, port(made, "h1", "n1").place
    assert (switch_port.role, switch_port.role_written) == (PortRole.HOST, True)
    assert (nic.role, nic.role_written, nic.tier) == (PortRole.HOST, False, 0)
    assert port(built(switch()), "s1", "p1").place.role is None


def test_a_pause_stops_the_queue_that_its_class_is_given(tmp_path: Path) -> None:
    """A queue that has another number than the priority: the pause has to follow."""
    text = """\
format: 1
fabric: pod
extends: sonic-default
switches:
  leaf01:
    platform: sonic
    classes: {roce: {traffic_class: 3, queue: 5}}
    ports: {Ethernet0: {speed: 400G, role: host}}
"""
    (tmp_path / "fabric.yaml").write_text(text)
    built = build(read([str(tmp_path)]))
    told = built.fabric.devices["leaf01"].configured.port("Ethernet0").classification
    assert entry(told.tc_to_queue, 3) == 5
    assert entry(told.pfc_priority_to_queue, 3) == 5
