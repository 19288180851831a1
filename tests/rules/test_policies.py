"""No vendor's reference design, on that vendor's own platforms, gives a false alarm."""

from __future__ import annotations

from pathlib import Path

import pytest

from lossless.findings import Severity
from lossless.intent import build
from lossless.inventory import policy_names, read
from lossless.rules import catalogue
from lossless.rules.engine import lint

#: Policy → platforms of the switch and the NIC, the port's name, and what else the design needs.
DESIGNS = {
    "amd-pollara": ("arista_eos", "amd_pollara", "Ethernet{n}/1", ""),
    "arista-ai": ("arista_eos", "nvidia_mlnx_qos", "Ethernet{n}/1", ""),
    "ascend": ("huawei_vrp", "huawei_ascend", "400GE1/0/{n}", ""),
    "azure-local": (
        "cisco_nxos",
        "none",
        "Ethernet1/{n}",
        "vlan_mode: trunk, vlans: {rdma: [711]}",
    ),
    "cisco-ai-ml": ("cisco_nxos", "nvidia_mlnx_qos", "Ethernet1/{n}", ""),
    "juniper-jvd": ("juniper_junos", "broadcom_bnxt", "et-0/0/{n}", ""),
    "nvidia-roce": ("nvidia_cumulus", "nvidia_mlnx_qos", "swp{n}", ""),
    "sonic-default": ("sonic", "nvidia_mlnx_qos", "Ethernet{n}", ""),
}

#: Designs that arm no watchdog where the platform has one.  That is said, and it is true.
WITHOUT_WATCHDOG = frozenset({"azure-local", "nvidia-roce"})

FABRIC = """
format: 1
fabric: pod
extends: {policy}
switches:
  leaf1:
    platform: {switch}
    role: leaf
    ports: {{"{ports}": {{role: host, speed: 400G{more}}}}}
hosts:
  gpu[1-4]:
    nics: {{ens1: {{platform: {nic}, rail: 1, speed: 400G{more}}}}}
links:
  - {{for: {{n: 1-4}}, a: "gpu{{n}}:ens1", b: "leaf1:{port}", cable: 3m, medium: dac}}
"""


def test_every_policy_has_its_platforms_here() -> None:
    assert set(DESIGNS) == set(policy_names())


@pytest.mark.parametrize("policy", DESIGNS)
def test_a_reference_design_gives_no_alarm(policy: str, tmp_path: Path) -> None:
    switch, nic, port, more = DESIGNS[policy]
    text = FABRIC.format(
        policy=policy,
        switch=switch,
        nic=nic,
        port=port,
        ports=port.format(n="[1-4]"),
        more=f", {more}" if more else "",
    )
    (tmp_path / "fabric.yaml").write_text(text)
    built = build(read([str(tmp_path)]))
    rules = catalogue.selection(catalogue.builtin())
    report = lint(built.fabric, rules, built.provenance, built.suppressions)
    assert len(report.not_checked) < len(rules) / 2
    alarms = [f"{f.rule} {f.message}" for f in report.findings if f.severity > Severity.INFO]
    expected = ["WDG001"] if policy in WITHOUT_WATCHDOG else []
    assert [a.partition(" ")[0] for a in alarms] == expected, alarms
