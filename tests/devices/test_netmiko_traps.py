"""What netmiko would do unasked, and what is done instead.  The versions change; the traps stay."""

from __future__ import annotations

import inspect
import logging
from pathlib import Path

import netmiko
import pytest
from netmiko.ssh_dispatcher import CLASS_MAPPER

from lossless.devices import HostKey, Policy, Session, Target, connect
from lossless.platforms.registry import PLATFORMS, load

from .server import Device, serving


def sessions() -> list[tuple[str, Session]]:
    found = []
    for name in PLATFORMS:
        platform = load(name)
        assert platform is not None
        found.append((name, platform.session))
    return found


def test_each_command_line_is_one_that_netmiko_has() -> None:
    """There is no device type for community SONiC or Onyx under the names one would guess."""
    types = {session.cli for _, session in sessions() if session.cli is not None}
    assert types <= set(CLASS_MAPPER)
    assert not {"sonic", "nvidia_onyx"} & set(CLASS_MAPPER)


def test_hosts_without_a_command_line_ask_for_rights_without_waiting() -> None:
    for name, session in sessions():
        assert session.privileged == ("sudo -n" if session.cli is None else ""), name


def test_each_command_line_tells_refusals() -> None:
    """netmiko tells a refused command from an answer only where it is given a pattern."""
    assert inspect.signature(netmiko.BaseConnection.send_config_set).parameters[
        "error_pattern"
    ].default in ("", None)
    for name, session in sessions():
        if session.cli is not None:
            assert session.refusal("            ^\n% Invalid input") is not None, name


def at(tmp_path: Path, port: int, session: Session) -> tuple[Target, Policy]:
    known = tmp_path / "known_hosts"
    target = Target(name="dev", address="127.0.0.1", port=port, session=session, user="operator")
    policy = Policy(ssh_config="/dev/null", known_hosts=(str(known),), agent=False)
    return target, policy


def test_an_unknown_host_key_is_no_timeout(tmp_path: Path) -> None:
    """netmiko takes any key unless told otherwise, and then reports a timeout."""
    assert inspect.signature(netmiko.BaseConnection).parameters["ssh_strict"].default is False
    with serving(Device()) as (port, _):
        target, policy = at(tmp_path, port, Session(cli="cisco_nxos"))
        with pytest.raises(HostKey, match="is not known") as raised, connect(target, None, policy):
            pass
    assert not raised.value.transient


def test_a_host_whose_prompt_looks_like_root_s_does_not_hang(tmp_path: Path) -> None:
    """netmiko tries to leave the root that it takes a "#" for, and waits ten seconds."""
    device = Device(mark="#", execute=lambda command: (f"ran {command}\n", "", 0))
    with serving(device) as (port, line):
        target, policy = at(tmp_path, port, Session(privileged="sudo -n"))
        Path(policy.known_hosts[0]).write_text(line)
        with connect(target, None, policy) as session:
            assert session.run("uptime").text == "ran uptime\n"
            assert session.run("uptime", privileged=True).text == "ran sudo -n uptime\n"
    assert device.asked == ["uptime", "sudo -n uptime"]
    assert device.logins == 1


def test_no_filter_with_a_secret_stays_behind(tmp_path: Path) -> None:
    """netmiko hangs a filter that holds the password on its logger, for each session."""
    with serving(Device(answer=lambda command: "x\n")) as (port, line):
        target, policy = at(tmp_path, port, Session(cli="arista_eos"))
        Path(policy.known_hosts[0]).write_text(line)
        with connect(target, None, policy) as session:
            assert session.run("show version").text == "x\n"
    assert logging.getLogger("netmiko").filters == []
