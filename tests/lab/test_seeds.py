"""Any seed: each change of the lab is found by the tool, at its place, and nothing else.

The lab imports no platform and the platforms know nothing of the lab; here they meet.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Mapping

from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.cli.lab import _boxes
from lossless.lab.contract import Box, Change
from lossless.lab.drifting import drift
from lossless.model.device import Device
from lossless.platforms import registry
from lossless.platforms.components import components
from lossless.running import Kind, Leaf, against_declared, gather
from lossless.snapshot.format import Capture, Shown, Snapshot
from tests.running.shown import FIXED, built


@functools.cache
def declared() -> dict[str, Device]:
    devices = built(FIXED).fabric.devices
    return {name: devices[name] for name in ("leaf01", "spine01", "gpu01", "gpu02")}


@functools.cache
def _pristine() -> dict[str, Box]:
    return _boxes(declared())


def boxes() -> dict[str, Box]:
    """The demo's devices as they are declared."""
    return copy.deepcopy(_pristine())


def shown(device: Device, box: Box) -> Shown:
    """What a device answers to what its platforms ask."""
    user = "admin" if device.kind == "switch" else "root"
    names = [part.platform for part in components(device)]
    captures: list[Capture] = []
    for name in names:
        platform = registry.load(name)
        assert platform is not None
        for asked in platform.commands(device):
            screen = box.execute(asked.text, user)
            text = screen.text + (screen.errors if screen.status else "")
            captures.append(Capture(asked.text, text, f"{device.name}/{len(captures)}", True))
    return Shown(device.name, tuple(captures), tuple(names), device.version, device.model)


def differences(held: Mapping[str, Box]) -> list[Leaf]:
    devices = declared()
    snapshot = Snapshot("lab", {name: shown(devices[name], box) for name, box in held.items()})
    seen = gather(devices, snapshot)
    assert not [fault for one in seen.values() for fault in one.faults]
    leaves = (leaf for name, one in devices.items() for leaf in against_declared(one, seen[name]))
    return [leaf for leaf in leaves if leaf.kind is not Kind.NOT_CHECKED]


#: What one change is bound to change besides the field that is meant, by its kind: both sides of
#: PFC are one line; without its profile a port loses all that the profile says; without any
#: priority left there is nothing to pause for.
ALONG: Mapping[str, tuple[str, ...]] = {
    "priority-off": ("pfc.",),
    "priority-added": ("pfc.",),
    "profile-taken-off": ("pfc.", "ecn.", "ets.", "watchdog.", "classification."),
    "small-frames": ("mtu.",),
    "speed-forced": ("link.",),
    "other-trust": ("classification.",),
    "other-share": ("ets.",),
    "no-marks": ("ecn.",),
    "watchdog-off": ("watchdog.",),
}


def explains(change: Change, leaf: Leaf) -> bool:
    """Say whether a change is why a leaf differs."""
    ports = (change.port,) if change.port is not None else (*change.ports, None)
    path = ".".join(map(str, leaf.path))
    fields = (change.field, *change.also, *ALONG.get(change.kind, ()))
    there = leaf.device == change.device and (leaf.port in ports or change.port == leaf.port)
    return there and path.startswith(fields)


def test_as_declared_nothing_differs() -> None:
    assert differences(boxes()) == []


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32))
def test_every_change_is_found_and_nothing_else(seed: int) -> None:
    held = boxes()
    changes = drift(held.values(), seed, len(held))
    assert len(changes) == len(held)
    leaves = differences(held)
    for change in changes:
        found = [leaf for leaf in leaves if leaf.device == change.device]
        assert any(explains(change, leaf) and _named(change, leaf) for leaf in found), (
            f"{change} was not found in {found}"
        )
        strange = [leaf for leaf in found if not explains(change, leaf)]
        assert strange == [], f"{change} does not explain these"


def _named(change: Change, leaf: Leaf) -> bool:
    return ".".join(map(str, leaf.path)).startswith(change.field)
