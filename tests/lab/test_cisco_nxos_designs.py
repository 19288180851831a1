"""Published designs, as they are rendered, run on simulated Nexus switches."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

from lossless.cli import cli
from lossless.intent import build
from lossless.inventory import read
from lossless.lab import registry
from lossless.lab.contract import Box, Plate, Port
from lossless.model.device import Device
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.contract import Output, Parsed

DESIGNS = Path(__file__).parents[2] / "inventory" / "reference"


def seen(box: Box, switch: Device) -> Parsed:
    """What the platform reads when it asks a box."""
    login = box.session("admin")
    asked = PLATFORM.commands(switch)
    return PLATFORM.parse([Output(c.text, login.feed(c.text).text) for c in asked])


def started(switch: Device, folder: Path) -> Box:
    """A box with a switch's ports that was given its rendered files."""
    ports = tuple(Port(port.name, 400 * 10**9) for port in switch.ports)
    plate = Plate(switch.name, "cisco_nxos", switch.version, switch.model, ports)
    box = registry.make(plate, lambda: 0.0)
    box.load({file.name: file.read_text(encoding="utf-8") for file in folder.iterdir()})
    return box


@pytest.mark.parametrize("design", ["cisco-ai-ml", "azure-local-nexus"])
def test_a_design_starts_runs_and_drifts(design: str, tmp_path: Path) -> None:
    told = CliRunner().invoke(cli, ["render", str(DESIGNS / design), "--out", str(tmp_path)])
    assert told.exit_code == 0, told.output
    fabric = build(read([str(DESIGNS / design)])).fabric
    switches = [device for device in fabric.devices.values() if device.platform == "cisco_nxos"]
    assert switches
    for switch in switches[:3]:
        box = started(switch, tmp_path / switch.name)
        before = seen(box, switch)
        assert (before.unread, before.diagnostics) == ((), ())
        assert before.facts["hostname"] == switch.name
        assert before.facts["model"] == switch.model
        assert PLATFORM.plan(before.state, before.state, before.native) == ()
        assert box.drift(random.Random(switch.name)) is not None
        assert seen(box, switch).state != before.state
