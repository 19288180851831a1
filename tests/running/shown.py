"""What the devices of a declaration would show, had they been configured as it says.

Switches show the configuration that is rendered for them; hosts are the fake ones, to which the
planned operations are applied and which are then asked the platform's own questions.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lossless import intent, inventory
from lossless.intent import Built
from lossless.model.device import Device
from lossless.platforms import registry
from lossless.platforms.collective_env.files import KINDS
from lossless.platforms.components import Component, components
from lossless.snapshot import Answer, Taken, write
from tests.platforms.nvidia_mlnx_qos import apply, fake_host

ROOT = Path(__file__).resolve().parent.parent.parent
DEMO, FIXED = ROOT / "inventory" / "demo", ROOT / "inventory" / "demo-fixed"
TIME = "2026-01-31T12:00:00Z"


@cache
def built(path: Path) -> Built:
    return intent.build(inventory.read([path]))


@cache
def taken(path: Path) -> dict[str, Taken]:
    """Return what each device of an inventory would show."""
    return {name: device(one) for name, one in built(path).fabric.devices.items()}


def snapshot(place: Path, devices: dict[str, Taken]) -> Path:
    write(place, devices, TIME, "0")
    return place


def device(one: Device) -> Taken:
    """Return what one device would show."""
    parts = list(components(one))
    answers = tuple(answer for part in parts for answer in _component(one, part))
    return Taken(answers, tuple(part.platform for part in parts), one.version, one.model)


def _component(device: Device, part: Component) -> list[Answer]:
    platform = registry.load(part.platform)
    assert platform is not None
    ops = platform.plan(part.state, None, None, part.profile)
    if part.platform == "nvidia_mlnx_qos":
        state = fake_host.host(*((p.name, fake_host.nic(p.rdma)) for p in device.ports))
        apply.apply(state, [op for op in ops if op.object != "boot_unit"])
        asked = [command.text for command in platform.commands(device)]
        return [Answer(text, fake_host.answer(state, text)) for text in asked]
    files = {file.name: file.text for file in platform.render(ops, device)}
    if part.platform == "collective_env":
        shown = [
            f"==> {kind.path} <==\n{files[kind.rendered]}"
            if kind.rendered in files
            else f"head: cannot open '{kind.path}' for reading: No such file or directory\n"
            for kind in KINDS
        ]
        return [Answer(platform.commands(device)[0].text, "\n".join(shown))]
    return [Answer("show running-config", "".join(files.values()) + "end\n")]
