"""The simulated Nexus over SSH, as the tool itself asks it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lossless.devices import Policy, Target, connect
from lossless.lab import ways
from lossless.lab.server import Lab
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.contract import Output
from tests.lab.test_cisco_nxos import LEAF, started


def test_what_is_asked_over_ssh_is_read(tmp_path: Path) -> None:
    pytest.importorskip("netmiko")
    box = started()
    with Lab([box]) as lab:
        written = ways.write(lab, tmp_path / "lab", ways.Names())
        policy = Policy(ssh_config=str(written.ssh_config), agent=False, attempts=1)
        target = Target(name="leaf1", address="leaf1", session=PLATFORM.session, user="admin")
        with connect(target, policy=policy) as transport:
            asked = PLATFORM.commands(LEAF)
            replies = {c.text: transport.run(c.text, privileged=c.privileged) for c in asked}
            refused = transport.run("show system qos")
            sessions = box.session("admin")
    assert all(reply.complete and reply.refusal is None for reply in replies.values())
    assert refused.refusal == "% Invalid command at '^' marker."
    found = PLATFORM.parse([Output(text, reply.text) for text, reply in replies.items()])
    direct = [Output(text, sessions.feed(text).text) for text in replies]
    assert (found.unread, found.diagnostics) == ((), ())
    assert (found.state, found.operational) == (
        PLATFORM.parse(direct).state,
        PLATFORM.parse(direct).operational,
    )
    assert found.coverage == set(replies)
