"""What an inventory cannot state: what a device would start with, and members of aggregates."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lossless.findings import Severity
from lossless.model.classes import Place, PortRole
from lossless.model.device import Device, DeviceState
from lossless.model.link import LinkSettings
from lossless.model.settings import NOTHING, Settings
from lossless.model.values import OFF, Switch
from lossless.rules.engine import lint
from lossless.rules.inv import bond_members_differ, port_shut_down, unsaved_configuration
from tests.rules.engine.build import Accepted, Written, clos, pfc
from tests.rules.views import faults, port

RUNS = {name: pfc(3) for name in ("d1", "d2")}


def _started(device: Device, **ports: Settings) -> Device:
    return replace(device, startup=DeviceState(ports={**RUNS, **ports}))


@pytest.mark.parametrize(
    ("saved", "speaks"),
    [
        (pfc(3), False),
        (pfc(4), True),
        (NOTHING, False),  # only what both tell of is compared
    ],
)
def test_what_is_not_saved(saved: Settings, speaks: bool) -> None:
    builder = clos()
    builder.devices["spine2"] = _started(builder.devices["spine2"], d2=saved)
    report = lint(builder.fabric(), [unsaved_configuration.check], Written(), Accepted())
    assert [f.objects for f in report.findings] == ([("spine2",)] if speaks else [])
    assert [entry.objects for entry in report.not_applicable], "the others told nothing"


def test_members_of_one_aggregate_are_named_one_by_one() -> None:
    builder = clos(leaves=1, spines=3, settings={"leaf1:u2": pfc(4)})
    leaf = builder.devices["leaf1"]
    intent = next(p for p in builder.devices["gpu1"].ports).intent
    builder.devices["leaf1"] = replace(
        leaf,
        ports=tuple(
            replace(port, bond="po1" if port.name[0] == "u" else None, intent=intent)
            for port in leaf.ports
        ),
    )
    report = lint(builder.fabric(), [bond_members_differ.check], Written(), Accepted())
    assert [(f.objects, f.field) for f in report.findings] == [(("leaf1:u2",), "pfc.priorities")]


@pytest.mark.parametrize(
    ("role", "up", "linked", "level"),
    [
        (PortRole.HOST, OFF, True, Severity.WARNING),
        (PortRole.HOST, OFF, False, None),  # nothing is plugged in
        (PortRole.HOST, True, True, None),
        (PortRole.HOST, None, True, None),
        (PortRole.MANAGEMENT, OFF, True, None),
        (PortRole.UNUSED, True, False, Severity.INFO),
        (PortRole.UNUSED, OFF, False, None),
    ],
)
def test_a_port_that_is_shut_down(
    role: PortRole, up: Switch, linked: bool, level: Severity | None
) -> None:
    place = Place(role=role, owner_role="leaf", lossless=True)
    view = port(link=LinkSettings(admin_up=up), place=place, linked=linked)
    rule = port_shut_down.check
    assert [f.severity or rule.severity for f in faults(rule, view)] == ([level] if level else [])
