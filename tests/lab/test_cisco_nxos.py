"""The simulated Nexus: it prints what public sessions show, and people change it."""

from __future__ import annotations

import random

import pytest

from lossless.findings import InputError
from lossless.lab.cisco_nxos import box as make_box
from lossless.lab.cisco_nxos.drift import changes, make
from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import Refused
from lossless.lab.cisco_nxos.terminal import Terminal
from lossless.lab.contract import Box, Change, Plate, Port
from lossless.model.compare import compare_states
from lossless.model.device import Device, DeviceState
from lossless.model.facet import row
from lossless.model.pfc import PfcMode
from lossless.model.units import in_bytes
from lossless.model.values import OFF
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.cisco_nxos.session import SESSION
from lossless.platforms.contract import Output, Parsed
from tests.platforms.cisco_nxos.samples import AI, AZURE

LEAF = Device(name="leaf1", kind="switch", platform="cisco_nxos")
PORT = "Ethernet1/1/1"


def box_of(text: str = AI) -> Nexus:
    """A box that was given what the platform writes for a configuration."""
    state = PLATFORM.parse([Output("show running-config", text)]).state
    box = Nexus.of(state.ports)
    box.speeds = dict.fromkeys(box.ports, 200 * 10**9)
    box.type(PLATFORM.render(PLATFORM.plan(state), LEAF)[0].text)
    box.save()
    return box


def read(box: Nexus) -> Parsed:
    """What a box answers to everything that the platform asks."""
    terminal = Terminal(box)
    asked = PLATFORM.commands(LEAF)
    found = PLATFORM.parse([Output(c.text, terminal.answer(c.text)) for c in asked])
    assert found.unread == ()
    assert {d.kind for d in found.diagnostics} <= {"unattached_object"}
    assert found.coverage == {command.text for command in asked}
    return found


@pytest.mark.parametrize("text", [AI, AZURE], ids=["Cisco AI/ML", "Azure Local"])
def test_what_was_written_is_read_back(text: str) -> None:
    wanted = PLATFORM.canonical(PLATFORM.parse([Output("show running-config", text)]).state)
    found = read(box_of(text))
    assert found.state == wanted
    assert found.facts == {"hostname": "leaf1", "version": "10.4(3)", "model": "N9K-C9332D-GX2B"}


def test_what_runs_is_told_by_its_tables() -> None:
    found = read(box_of()).operational
    assert found is not None
    port = found.port(PORT)
    assert (port.pfc.mode, port.pfc.send) == (PfcMode.ON, frozenset({3}))
    assert (port.link.speed, port.watchdog.enabled) == (200 * 10**9, True)
    room = row(port.buffers.groups, 3)
    assert room is not None
    assert (room.limit, room.xon) == (in_bytes(340704), in_bytes(336672))
    assert row(found.system.settings.mtu.per_class, 3) == 4200


def test_a_configuration_that_it_does_not_know_is_refused() -> None:
    box = Nexus.of([PORT])
    for text in (
        "interface Ethernet9/9\n",
        f"interface {PORT}\n  mtu 9217\n",
        f"interface {PORT}\n  priority-flow-control mode maybe\n",
        "system qos\n  service-policy type network-qos NET\n",
        "policy-map type network-qos NET\n  class type network-qos c-8q-nq9\n",
        "class-map type qos match-any RDMA\n  match dscp 64\n",
        "hardware qos ecn\n",
    ):
        with pytest.raises(Refused):
            box.type(text)
    with pytest.raises(Refused, match="in use"):
        box_of().type("no policy-map type qos LOSSLESS-CLASSIFICATION\n")


# --- the command line ----------------------------------------------------------------------------


def session(*typed: str, box: Nexus | None = None) -> list[str]:
    """The prompts that a person sees."""
    terminal = Terminal(box or box_of())
    seen = []
    for line in typed:
        terminal.answer(line)
        seen.append(terminal.prompt)
    return seen


def test_prompts_tell_where_one_is() -> None:
    assert session(
        "configure terminal",
        f"interface {PORT}",
        "system qos",
        "policy-map type queuing LOSSLESS-QUEUING",
        "class type queuing c-out-8q-q3",
        "exit",
        "policy-map type network-qos LOSSLESS-NETWORK-QOS",
        "end",
    ) == [
        "leaf1(config)# ",
        "leaf1(config-if)# ",
        "leaf1(config-sys-qos)# ",
        "leaf1(config-pmap-que)# ",
        "leaf1(config-pmap-c-que)# ",
        "leaf1(config-pmap-que)# ",
        "leaf1(config-pmap-nqos)# ",
        "leaf1# ",
    ]


def test_the_caret_stands_below_the_word_that_is_not_known() -> None:
    terminal = Terminal(box_of())
    refused = terminal.answer("show foo")
    caret, words = refused.splitlines()
    assert words == "% Invalid command at '^' marker."
    assert caret.index("^") == len("leaf1# show ")
    assert terminal.answer("mtu 9216") == "       ^\n% Invalid command at '^' marker.\n"
    terminal.answer("conf t")
    assert terminal.answer("bogus") == "               ^\n% Invalid command at '^' marker.\n"


def test_what_is_refused_is_told_in_words_that_a_session_knows() -> None:
    import re

    terminal = Terminal(box_of())
    terminal.answer("conf t")
    for line in ("nonsense", "no policy-map type qos LOSSLESS-CLASSIFICATION"):
        before = terminal.box.running_config()
        said = terminal.answer(line)
        assert any(re.search(error, said, re.M) for error in SESSION.errors), said
        assert terminal.box.running_config() == before


def test_sections_pipes_and_short_words() -> None:
    terminal = Terminal(box_of())
    full = terminal.answer(f"show running-config interface {PORT}")
    assert terminal.answer("sh run int e1/1/1") == full
    assert full.splitlines()[7:9] == [f"interface {PORT}", "  switchport"]
    section = terminal.answer("show running-config | section system").splitlines()
    assert section == [
        "system qos",
        "  service-policy type network-qos LOSSLESS-NETWORK-QOS",
        "  service-policy type queuing output LOSSLESS-QUEUING",
    ]
    lines = terminal.answer("show running-config | include dscp|qos-group").splitlines()
    assert "  match dscp 24,26" in lines
    assert "    set qos-group 3" in lines


def test_policies_of_the_system_are_shown_by_type() -> None:
    terminal = Terminal(box_of())
    network = terminal.answer("show policy-map system type network-qos")
    assert "      match qos-group 3\n      mtu 4200\n      pause pfc-cos 3\n" in network
    queues = terminal.answer("show policy-map system type queuing")
    assert "Service-policy (queuing) output:   LOSSLESS-QUEUING" in queues
    assert "network-qos" not in queues
    assert network.strip() in terminal.answer("show policy-map system")
    assert "c-out-8q-q3 (match-any)" in terminal.answer("show policy-map interface e1/1/1")
    assert "policy-map type qos LOSSLESS-CLASSIFICATION" in terminal.answer(
        "show policy-map type qos"
    )


def test_what_was_not_saved_is_not_in_the_startup_configuration() -> None:
    terminal = Terminal(box_of())
    for line in ("conf t", f"interface {PORT}", "mtu 1500", "end"):
        assert "Invalid" not in terminal.answer(line)
    assert "show startup-config" in terminal.answer("show startup-config")
    assert terminal.answer("show startup-config").count("  mtu 9216") == 3
    assert terminal.answer("show running-config").count("  mtu 9216") == 2
    assert terminal.answer("copy run start").endswith("Copy complete.\n")
    assert terminal.answer("show startup-config").count("  mtu 9216") == 2


def test_a_checkpoint_leads_back() -> None:
    terminal = Terminal(box_of())
    before = terminal.box.running_config()
    assert terminal.answer("checkpoint before-push") == "Done\n"
    same = "show diff rollback-patch checkpoint before-push running-config"
    assert "Rollback Patch is Empty" in terminal.answer(same)
    for line in ("conf t", f"interface {PORT}", "priority-flow-control mode off", "end"):
        terminal.answer(line)
    assert "  no priority-flow-control mode on\n" in terminal.answer(same)
    assert "1) before-push:" in terminal.answer("show checkpoint summary")
    done = terminal.answer("rollback running-config checkpoint before-push atomic")
    assert "Rollback completed successfully." in done
    assert terminal.box.running_config() == before
    assert "does not exist" in terminal.answer("rollback running-config checkpoint other")
    assert "exists already" in terminal.answer("checkpoint before-push")


# --- drift ---------------------------------------------------------------------------------------


def wanted_of(box: Nexus) -> DeviceState:
    return read(box).state


@pytest.mark.parametrize("text", [AI, AZURE], ids=["Cisco AI/ML", "Azure Local"])
def test_every_change_by_hand_is_seen_and_nothing_else(text: str) -> None:
    """Each is asked of a box of its own: what is read differs there, and only there."""
    for change in changes(box_of(text)):
        box = box_of(text)
        before = wanted_of(box)
        make(box, change)
        found = read(box).state
        paths = {d.path for d in compare_states(before, found)}
        assert paths, change
        assert all(_belongs(path, change) for path in paths), (change, paths)


def _belongs(path: tuple[object, ...], change: Change) -> bool:
    facets = {name.split(".", 1)[0] for name in (change.field, *change.also)}
    here = change.port is None or path[:2] == ("ports", change.port)
    return here and not facets.isdisjoint(path) and (change.key is None or change.key in path)


def test_a_seed_changes_the_same_every_time() -> None:
    chosen = [random.Random(7).sample(changes(box_of()), 4) for _ in range(2)]
    assert chosen[0] == chosen[1]
    assert len({change.kind for change in changes(box_of())}) == 11


def test_taking_pfc_back_gives_auto_and_not_off() -> None:
    box = box_of()
    (first, *_) = [c for c in changes(box) if c.kind == "pfc-taken-back" and c.port == PORT]
    make(box, first)
    running = read(box).operational
    assert running is not None
    assert (running.port(PORT).pfc.mode, running.port(PORT).pfc.send) == (PfcMode.AUTO, OFF)


# --- as the lab runs it --------------------------------------------------------------------------


def started(text: str = AI) -> Box:
    """A box that was started from files, as the lab starts it."""
    state = PLATFORM.parse([Output("show running-config", text)]).state
    ports = tuple(Port(name, 200 * 10**9) for name in state.ports)
    plate = Plate("leaf1", "cisco_nxos", "10.4(3)", "N9K-C9332D-GX2B", ports)
    held = make_box(plate, lambda: 0.0)
    files = PLATFORM.render(PLATFORM.plan(state), LEAF)
    held.load({file.name: file.text for file in files})
    return held


def test_each_line_that_is_not_known_is_named() -> None:
    with pytest.raises(InputError) as caught:
        started().load({"running.cfg": "! a remark\nhardware qos ecn\nsystem qos\n  mtu 9216\n"})
    places = [str(problem.location) for problem in caught.value.problems]
    assert places == ["running.cfg:2:1", "running.cfg:4:1"]


def test_a_login_has_a_pager_until_it_says_otherwise() -> None:
    login = started().session("admin")
    assert (login.prompt, login.page, login.more) == ("leaf1# ", 24, "--More--")
    assert login.feed("terminal length 0").text == ""
    assert login.page == 0
    assert login.feed("show version").text.startswith("Cisco Nexus Operating System")
    assert login.feed("exit").closed


def test_one_command_without_a_terminal() -> None:
    held = started()
    assert held.execute("show hostname", "admin").text == "leaf1 \n"
    refused = held.execute("show nothing", "admin")
    assert (refused.status, refused.paged) == (1, False)
    held.execute(f"conf t ; interface {PORT} ; mtu 1500", "admin")
    assert held.snapshot() != started().snapshot()


@pytest.mark.parametrize("seed", range(12))
def test_any_seed_changes_one_thing_after_another_and_tells_what(seed: int) -> None:
    first, second = started(), started()
    chances = random.Random(seed), random.Random(seed)
    for _ in range(6):
        before = first.snapshot()
        change = first.drift(chances[0])
        assert change is not None
        assert change == second.drift(chances[1])
        assert change.device == "leaf1"
        assert first.snapshot() != before
        assert change.before == "" or change.before in before
    assert first.snapshot() == second.snapshot()


def test_a_box_at_its_defaults_has_nothing_to_change() -> None:
    held = make_box(Plate("leaf1", "cisco_nxos", ports=(Port("Ethernet1/1"),)), lambda: 0.0)
    assert held.drift(random.Random(1)) is None
