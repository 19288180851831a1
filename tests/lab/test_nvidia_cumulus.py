"""The simulated Cumulus switch: its revisions and their timer, refusals, tables and drift; and what
the project's own client and platform make of it.
"""

from __future__ import annotations

import copy
import functools
import json
import random
import textwrap
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.cli.lab import _boxes
from lossless.devices import Credentials, Policy, Target, connect
from lossless.findings import InputError
from lossless.lab import ways
from lossless.lab.contract import Box, Change, Plate, Port
from lossless.lab.nvidia_cumulus import Cumulus
from lossless.lab.server import Lab
from lossless.model.device import Device
from lossless.platforms.contract import Output
from lossless.platforms.nvidia_cumulus import PLATFORM
from lossless.running import Kind, Leaf, against_declared, gather
from lossless.snapshot.format import Capture, Shown, Snapshot
from tests.running.shown import built

PORTS = tuple(Port(f"swp{n}", 400 * 10**9) for n in range(1, 5))
TREE = """# leaf01
- set:
    interface:
      swp1-2:
        link: {mtu: 9216, speed: 400G}
        qos:
          pfc-watchdog: {state: enable}
    qos:
      roce: {enable: on, mode: lossless}
"""
LINES = """nv set qos pfc P switch-priority 3
nv set qos pfc P rx enable
nv set qos traffic-pool default-lossless memory-percent 50
nv set qos traffic-pool default-lossy memory-percent 50
nv set qos mapping M trust l3
nv set qos mapping M dscp 24-31 switch-priority 3
nv set qos congestion-control C traffic-class 3 min-threshold 150000
nv set interface swp1-2 qos pfc profile P
nv set interface swp1-2 qos mapping profile M
nv set interface swp1-2 qos congestion-control profile C
"""


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def switch(
    text: str = TREE, version: str = "5.14.1", clock: Clock | None = None, model: str = "SN5600"
) -> Cumulus:
    box = Cumulus(Plate("leaf01", "nvidia_cumulus", version, model, PORTS), clock or Clock())
    box.load({"leaf01/nvue.yaml": text})
    return box


def told(box: Cumulus, *lines: str, user: str = "cumulus") -> str:
    screens = [box.execute(line, user) for line in lines]
    return "".join(screen.text + screen.errors for screen in screens)


# --- files and words -----------------------------------------------------------------------------


def test_refused_places_of_a_file_are_named_each() -> None:
    torn = TREE.replace("mtu: 9216", "mtu: 100").replace("lossless}", "lossles}")
    torn = torn.replace("enable: on", "state: enabled").replace("swp1-2", "swp4-5")
    with pytest.raises(InputError) as refused:
        switch(torn)
    found = [(str(p.location), p.message) for p in refused.value.problems]
    assert [place.split(":")[1] for place, _ in found] == ["5", "9", "9", "1"]
    assert all(place.startswith("leaf01/nvue.yaml:") for place, _ in found)
    assert "swp5: there is no such port" in found[-1][1]


def test_a_file_of_commands_is_refused_line_by_line() -> None:
    box = Cumulus(Plate("leaf01", "nvidia_cumulus", "5.14", ports=PORTS), Clock())
    text = "# by hand\nnv set qos pfc P tx on\nnv set qos pfc P tx enable\nnv add bond\n"
    with pytest.raises(InputError) as refused:
        box.load({"nvue-commands.txt": text})
    assert [str(p.location).split(":")[1] for p in refused.value.problems] == ["2", "4"]


@pytest.mark.parametrize(
    ("version", "line", "taken"),
    [
        ("5.14", "nv set qos roce enable on", True),
        ("5.14", "nv set qos roce state enabled", False),
        ("5.15", "nv set qos roce state enabled", True),
        ("5.15", "nv set qos roce enable on", False),
        ("5.11", "nv set qos roce mode lossless-single-ipool", False),
        ("5.12", "nv set qos roce mode lossless-single-ipool", True),
        ("5.2", "nv set qos roce cable-length 50", True),
        ("5.3", "nv set qos roce cable-length 50", False),
        ("5.5", "nv set interface swp1 qos pfc-watchdog", False),
        ("5.6", "nv set interface swp1 qos pfc-watchdog", True),
        ("5.14", "nv set interface swp1 link mtu 9217", False),
        ("5.14", "nv set qos mapping M dscp 64 switch-priority 3", False),
        ("5.14", "nv set qos mapping M dscp 10,21-23 switch-priority 3", True),
        ("5.14", "nv set qos pfc P switch-priority 3,4", True),
        ("5.14", "nv set interface swp1 qos pfc", False),
        ("5.14", "nv set interface swp1 qos foo bar", False),
        ("5.14", "nv set interface swp1 ip address 192.0.2.1/31", True),
        ("5.14", "nv set", False),
        ("5.14", "nv frobnicate", False),
    ],
)
def test_each_release_takes_its_own_words(version: str, line: str, taken: bool) -> None:
    box = Cumulus(Plate("leaf01", "nvidia_cumulus", version, ports=PORTS), Clock())
    screen = box.execute(line, "cumulus")
    assert (screen.status == 0) is taken
    assert screen.text == ("created [rev_id: 2]\n" if taken else "")
    assert screen.errors.startswith("Error: ") is not taken
    assert (box.pending("cumulus") is not None) is taken


# --- revisions -----------------------------------------------------------------------------------


def test_a_pending_revision_is_apart_until_it_is_applied() -> None:
    box = switch()
    assert told(box, "nv set interface swp1 link mtu 1500") == "created [rev_id: 2]\n"
    assert told(box, "nv set interface swp2 link mtu 1500") == ""
    assert "9216" in told(box, "nv config show")
    assert told(box, "nv config diff") == (
        "- set:\n    interface:\n      swp1-2:\n        link:\n          mtu: 1500\n"
    )
    assert told(box, "nv config diff -o commands") == "nv set interface swp1-2 link mtu 1500\n"
    assert told(box, "nv config diff", user="other") == ""
    assert told(box, "nv config apply -y -m trial") == "applied_and_saved [rev_id: 2]\n"
    assert "mtu: 1500" in told(box, "nv config show", "cat /etc/nvue.d/startup.yaml")
    assert "rev-id: 2.0" in told(box, "nv config show")
    assert "trial" in told(box, "nv config history")


def test_until_5_9_what_is_applied_is_not_saved() -> None:
    box = switch(version="5.8.0")
    told(box, "nv set interface swp1 link mtu 1500")
    assert told(box, "nv config apply -y") == "applied [rev_id: 2]\n"
    assert "1500" not in told(box, "cat /etc/nvue.d/startup.yaml")
    assert told(box, "nv config save") == "saved [rev_id: applied]\n"
    assert "1500" in told(box, "cat /etc/nvue.d/startup.yaml")


def test_two_people_do_not_take_back_what_the_other_applied() -> None:
    box = switch()
    told(box, "nv set interface swp1 link mtu 1500")
    told(box, "nv set interface swp2 link mtu 4000", user="other")
    told(box, "nv config apply -y", user="other")
    told(box, "nv config apply -y")
    assert box.applied["interface"]["swp1"]["link"]["mtu"] == "1500"
    assert box.applied["interface"]["swp2"]["link"]["mtu"] == "4000"


@pytest.mark.parametrize(
    ("word", "seconds"), [("", 600), (" 5m", 300), (" 90s", 90), (" 60", 3600), ("=1h", 3600)]
)
@pytest.mark.parametrize("end", ["nothing", "late", "--confirm-yes", "--confirm-no"])
def test_what_is_not_confirmed_in_time_is_taken_back(word: str, seconds: int, end: str) -> None:
    clock = Clock()
    box = switch(clock=clock)
    told(box, "nv set interface swp1 link mtu 1500")
    assert "[rev_id: 2]" in told(box, f"nv config apply --confirm{word} -y")
    assert f"{seconds // 60}:{seconds % 60:02} left" in told(
        box, "nv config apply --confirm-status"
    )
    assert json.loads(told(box, "nv config revision -o json"))["2"]["state"] == "confirm"
    told(box, "nv set interface swp2 link mtu 1500")
    assert "waits to be confirmed" in told(box, "nv config apply -y")
    told(box, "nv config detach")
    clock.now += seconds - 1
    if end == "late":
        clock.now += 1
    elif end != "nothing":
        assert box.execute(f"nv config apply {end}", "cumulus").status == 0
        clock.now += 10_000
    kept = end in ("nothing", "--confirm-yes")
    assert ("mtu: 1500" in told(box, "nv config show")) is kept
    assert ("mtu: 1500" in told(box, "cat /etc/nvue.d/startup.yaml")) is kept
    assert box.execute("nv config apply --confirm-yes", "cumulus").status == int(end != "nothing")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("nv set interface swp1 qos pfc profile NONE", "profile 'NONE' does not exist"),
        ("nv set interface swp9 link mtu 9000", "swp9: there is no such port"),
        ("nv set interface bond1 qos pfc-watchdog", "on physical ports only"),
        ("nv set qos traffic-pool default-lossy memory-percent 60", "110 % of the memory"),
        ("nv set interface swp1 qos link-pause profile L", "exclude each other"),
        ("nv set interface bond1 bond member swp1", "on the bond and not on its members"),
    ],
)
def test_a_configuration_that_is_not_valid_is_not_applied(line: str, why: str) -> None:
    box = switch(LINES + "nv set qos link-pause L rx enable\n")
    before = box.snapshot()
    told(box, line)
    screen = box.execute("nv config apply -y", "cumulus")
    assert screen.status == 1
    assert screen.errors.startswith("Invalid config [rev_id: 2]\n")
    assert why in screen.errors
    assert box.snapshot() == before
    assert json.loads(told(box, "nv config revision -o json"))["2"]["state"] == "invalid"


def test_an_older_revision_comes_back_by_its_number() -> None:
    box = switch()
    before = box.snapshot()
    told(box, "nv unset qos roce", "nv config apply -y")
    assert "roce" not in box.snapshot()
    assert told(box, "nv config diff 1 applied -o commands") == (
        "nv unset qos roce enable\nnv unset qos roce mode\n"
    )
    assert "[rev_id: 3]" in told(box, "nv config apply 1 -y")
    assert box.snapshot() == before
    assert "Unknown revision" in told(box, "nv config apply 77 -y")


def test_files_are_patched_in_whole_or_not_at_all() -> None:
    box = switch()
    told(box, "cat > /tmp/a.yaml <<'END'\n- set:\n    qos:\n      roce:\n        mode: lossy\nEND")
    assert told(box, "nv config patch /tmp/a.yaml") == "created [rev_id: 2]\n"
    assert told(box, "nv config diff") == "- set:\n    qos:\n      roce:\n        mode: lossy\n"
    text = "nv set qos roce mode lossless\nnv set qos roce mode none\n"
    told(box, f"printf x; echo '{text}' > /tmp/b.txt")
    before = told(box, "nv config diff")
    assert "/tmp/b.txt:2 'nv set qos roce mode none' failed" in told(
        box, "nv config patch /tmp/b.txt"
    )
    assert told(box, "nv config diff") == before
    assert "no such file" in told(box, "nv config patch /tmp/none.yaml")
    told(box, "nv config replace /tmp/a.yaml")
    assert "nv unset system hostname" in told(box, "nv config diff -o commands")


def test_a_difference_has_a_wrong_exit_status_on_one_release() -> None:
    for version, status in (("5.14.0", 1), ("5.14.1", 0), ("5.15.0", 0)):
        box = switch(TREE.replace("enable: on, ", ""), version)
        told(box, "nv set interface swp1 link mtu 1500")
        assert box.execute("nv config diff", "cumulus").status == status


# --- the shell -----------------------------------------------------------------------------------


def test_a_login_at_the_shell() -> None:
    box = switch()
    login = box.session("cumulus")
    assert login.prompt == "cumulus@leaf01:mgmt:~$ "
    assert box.session("root").prompt == "root@leaf01:mgmt:~# "
    assert login.feed("frobnicate").status == 127
    login.feed("cat > /tmp/x <<END")
    assert login.prompt == "> "
    login.feed("one")
    login.feed("END")
    assert login.feed("cat /tmp/x | grep one && hostname || echo no").text == "one\nleaf01\n"
    assert login.feed("sudo -n nv config show -o commands | head -n 1").text.startswith("nv set ")
    assert login.feed("exit").closed


@pytest.mark.parametrize(("answer", "applied"), [("y", True), ("n", False), ("", False)])
def test_it_asks_before_the_management_port_changes(answer: str, applied: bool) -> None:
    box = switch()
    login = box.session("cumulus")
    login.feed("nv set interface eth0 ip address 192.0.2.9/24")
    assert "Are you sure? [y/N]" in str(login.feed("nv config apply").ask)
    screen = login.feed(answer)
    assert ("[rev_id: 2]" in screen.text) is applied
    assert ("eth0" in box.applied["interface"]) is applied
    told(box, "nv set interface eth0 ip address 192.0.2.10/24")
    assert box.execute("nv config apply", "cumulus").status == 1


# --- what it shows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "low", "high"),
    [("SN2700", "150.00", "1.44"), ("SN4600", "153.00", "1.43"), ("SN5600", "156.00", "1.44")],
)
def test_a_port_shows_thresholds_as_hardware_rounds_them(model: str, low: str, high: str) -> None:
    shown = told(switch(model=model), "nv show interface swp1 qos roce status")
    assert f"min-threshold     {low} KB" in shown
    assert f"max-threshold     {high} MB" in shown
    assert "min-threshold     146.48 KB" in told(switch(model=model), "nv show qos roce")


def test_what_is_shown_follows_what_is_applied() -> None:
    box = switch()
    assert "pfc-priority      3" in told(box, "nv show interface swp1 qos roce status")
    told(box, "nv set qos roce mode lossy", "nv config apply -y")
    assert "pfc-priority      -" in told(box, "nv show interface swp1 qos roce status")
    assert "roce-reserved-egress" not in told(box, "nv show qos roce")
    told(box, "nv unset qos roce", "nv config apply -y")
    assert told(box, "nv show qos roce").split()[-2:] == ["enable", "off"]
    assert "The requested item does not exist." in told(box, "nv show interface swp9")


@pytest.mark.parametrize("text", [TREE, LINES])
def test_the_platform_reads_all_that_it_shows(text: str) -> None:
    box = switch(text)
    config = Output("nv config show -o yaml", told(box, "nv config show -o yaml"))
    about = ("pfc", "mapping", "congestion-control", "egress-scheduler", "egress-queue-mapping")
    asked = [f"nv show interface swp1 qos {word}" for word in (*about, "pfc-watchdog")]
    asked += ["nv show qos roce", "nv show interface swp1 qos roce status"]
    parsed = PLATFORM.parse([config, *(Output(line, told(box, line)) for line in asked)])
    assert (parsed.unread, parsed.diagnostics) == ((), ())
    assert parsed.facts["model"] == "SN5600"
    assert parsed.operational is not None
    port = parsed.operational.port("swp1")
    assert (port.pfc.send, port.pfc.honour) == (frozenset({3}), frozenset({3}))
    assert dict(port.ecn.queues)[3].enabled is True
    for style in ("json", "commands"):
        other = PLATFORM.parse([Output("nv config show", told(box, f"nv config show -o {style}"))])
        assert other.state == PLATFORM.parse([config]).state


# --- drift ---------------------------------------------------------------------------------------

PLAIN = """format: 1
fabric: plain
extends: nvidia-roce
switches:
  leaf01:
    platform: nvidia_cumulus
    version: "5.14.1"
    model: SN4600
    role: leaf
    ports:
      swp[1-2]: {speed: 200G, role: host, fec: rs544}
      swp3: {speed: 200G, role: fabric, fec: rs544, pfc: {watchdog: {detect: 300ms}}}
"""
ROOT = Path(__file__).resolve().parents[2]
SPECTRUM = str(ROOT / "inventory" / "reference" / "nvidia-spectrum-cumulus")


@functools.cache
def declared() -> dict[str, Device]:
    import tempfile

    with tempfile.TemporaryDirectory() as place:
        plain = Path(place) / "plain.yaml"
        plain.write_text(PLAIN)
        one = built(str(plain)).fabric.devices["leaf01"]
    spectrum = built(SPECTRUM).fabric.devices
    return {"plain": one, "leaf08": spectrum["leaf08"], "spine01": spectrum["spine01"]}


@functools.cache
def pristine(name: str) -> Box:
    device = declared()[name]
    return _boxes({device.name: device})[device.name]


def differences(name: str, box: Box) -> list[Leaf]:
    device = declared()[name]
    captures: list[Capture] = []
    for asked in PLATFORM.commands(device):
        screen = box.execute(asked.text, "cumulus")
        assert screen.status == 0
        captures.append(Capture(asked.text, screen.text, f"{name}/{len(captures)}", True))
    shown = Shown(device.name, tuple(captures), ("nvidia_cumulus",), device.version, device.model)
    (seen,) = gather({device.name: device}, Snapshot("lab", {device.name: shown})).values()
    assert seen.faults == ()
    return [leaf for leaf in against_declared(device, seen) if leaf.kind is not Kind.NOT_CHECKED]


def explains(change: Change, leaf: Leaf) -> bool:
    """Say whether a change is why a leaf differs."""
    ports = (change.port,) if change.port is not None else (*change.ports, None)
    fields = (change.field, *change.also, *{"mtu.native": ("mtu.",)}.get(change.field, ()))
    fields = (*fields, "pfc.") if change.field == "pfc.send" else fields
    return leaf.port in ports and ".".join(map(str, leaf.path)).startswith(fields)


@pytest.mark.parametrize("name", ["plain", "leaf08", "spine01"])
def test_as_declared_nothing_differs(name: str) -> None:
    assert differences(name, pristine(name)) == []


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(["plain", "leaf08", "spine01"]), st.integers(0, 2**32))
def test_every_change_is_found_and_nothing_else(name: str, seed: int) -> None:
    box, twin = (copy.deepcopy(pristine(name)) for _ in range(2))
    change = box.drift(random.Random(seed))
    assert change is not None
    assert change == twin.drift(random.Random(seed))
    assert box.snapshot() == twin.snapshot() != pristine(name).snapshot()
    leaves = differences(name, box)
    found = [leaf for leaf in leaves if ".".join(map(str, leaf.path)).startswith(change.field)]
    assert found, f"{change} was not found in {leaves[:5]}"
    assert [leaf for leaf in leaves if not explains(change, leaf)] == [], str(change)


@settings(max_examples=20, deadline=None)
@given(st.integers(), st.integers(2, 4))
def test_drifts_follow_one_another_and_can_be_mended(seed: int, number: int) -> None:
    box, chance = switch(LINES), random.Random(seed)
    before = box.snapshot()
    assert None not in [box.drift(chance) for _ in range(number)]
    switch(LINES).load({"x": "- set:\n" + textwrap.indent(box.snapshot(), "    ")})
    told(box, "nv config apply 1 -y")
    assert box.snapshot() == before


def test_a_box_without_anything_does_not_drift() -> None:
    assert Cumulus(Plate("x", "nvidia_cumulus"), Clock()).drift(random.Random(1)) is None


# --- over SSH ------------------------------------------------------------------------------------


def test_lossless_asks_it_over_ssh(tmp_path: Path) -> None:
    pytest.importorskip("netmiko")
    box = switch()
    device = Device(name="leaf01", kind="switch", platform="nvidia_cumulus")
    with Lab([box]) as lab:
        files = ways.write(lab, tmp_path, ways.Names({"leaf01": "192.0.2.11"}))
        policy = Policy(ssh_config=str(files.ssh_config), agent=False)
        target = Target(name="leaf01", address="192.0.2.11", session=PLATFORM.session)
        with connect(target, Credentials(), policy) as session:
            replies = {
                c.text: session.run(c.text, privileged=c.privileged)
                for c in PLATFORM.commands(device)
            }
            refused = session.run("nv show nonsense")
    assert refused.exit == 1
    assert "Error: " in refused.text
    assert all(reply.complete and reply.exit == 0 for reply in replies.values())
    parsed = PLATFORM.parse([Output(text, reply.text) for text, reply in replies.items()])
    assert (parsed.unread, parsed.diagnostics) == ((), ())
    assert parsed.state.system.macro == "roce-lossless"
