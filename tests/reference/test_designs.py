"""The reference designs: what each README says is what the program finds."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from lossless.findings import Report, Severity
from lossless.intent import Built, build
from lossless.inventory import read
from lossless.model.compare import Verdict, compare_states
from lossless.platforms import registry
from lossless.platforms.components import components
from lossless.platforms.contract import Output
from lossless.rules.catalogue import builtin, selection
from lossless.rules.engine import lint
from tests.cli.run import lossless

REFERENCE = Path(__file__).parents[2] / "inventory" / "reference"
#: What `lossless lint` asks unless it is told otherwise.
RULES = selection((*builtin(), *registry.rules()))
DESIGNS = sorted(path.name for path in REFERENCE.iterdir() if path.is_dir())

NUMBERS = re.compile(
    r"\| switches \| hosts \| NICs \| links \|\n[|:-]+\n"
    r"\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|"
)
LINT = re.compile(r"^## What lint says$.*?^```lint\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SOURCES = re.compile(r"^## Sources$(.*?)^## ", re.MULTILINE | re.DOTALL)

#: Design: two ends whose traffic crosses as much of it as there is.
ENDS = {
    "amd-pollara": ("mi355x01:eth1", "mi355x16:eth8"),
    "arista-ai": ("gpu01:ens1np0", "gpu32:ens8np0"),
    "ascend-cloudengine": ("atlas01:npu0", "atlas16:npu7"),
    "cisco-ai-ml": ("gpu01:ens1np0", "gpu16:ens8np0"),
    "juniper-jvd": ("mi300x01:ens1np0", "mi300x16:ens8np0"),
    "mixed-nvidia-ascend": ("npu01:npu0", "npu08:npu7"),
    "nvidia-spectrum-cumulus": ("hgx01:ens1np0", "hgx16:ens8np0"),
    "sonic-tomahawk5": ("gpu01:ens1np0", "gpu32:ens8np0"),
}

#: Design: one slip of a pen, and the rule that must see it.
SLIPS = [
    ("amd-pollara", "cnp_dscp: 46", "cnp_dscp: 26", "NIC002"),
    ("amd-pollara", "mtu: {switch: 9100}", "mtu: {switch: 1500}", "MTU001"),
    ("arista-ai", "max: 768 kbytes", "max: 76 kbytes", "ECN001"),
    ("arista-ai", "NCCL_IB_TC: 98", "NCCL_IB_TC: 24", "MAP009"),
    ("ascend-cloudengine", "{switch: 9000}", "{switch: 4000}", "MTU001"),
    ("ascend-cloudengine", "sends: {rdma: roce,", "sends: {rdma: default,", "INV007"),
    ("azure-local-nexus", "dcb_owner: static", "dcb_owner: fw", "NIC005"),
    ("azure-local-nexus", "role: host, speed: 25G", "role: host, speed: 10G", "RATE001"),
    ("cisco-ai-ml", "NCCL_IB_TC: 98", "NCCL_IB_TC: 106", "MAP009"),
    ("cisco-ai-ml", "role: fabric, speed: 400G", "role: fabric, speed: 100G", "RATE001"),
    ("juniper-jvd", "rail: [1, 2", "pfc: {mode: off}\n    rail: [1, 2", "PFC001"),
    ("juniper-jvd", "et-0/0/[32-39]: {role: fabric, speed: 800G}",
     "et-0/0/[32-39]: {role: fabric, speed: 400G}", "RATE001"),
    ("mixed-nvidia-ascend", "sends: {rdma: ascend,", "sends: {rdma: default,", "INV007"),
    ("mixed-nvidia-ascend", "dscp: [33], priority: 4", "dscp: [34], priority: 4", "MAP009"),
    ("nvidia-spectrum-cumulus", "cm_tos: 106", "cm_tos: 26", "MAP009"),
    ("nvidia-spectrum-cumulus", "watchdog: {detect: 300ms}", "watchdog: off", "WDG001"),
    ("sonic-tomahawk5", "max: 262144B", "max: 26214B", "ECN001"),
    ("sonic-tomahawk5", "configured_cable: 40m", "configured_cable: 5m", "NIC004"),
]  # fmt: skip


@cache
def built(design: str) -> Built:
    return build(read([REFERENCE / design]))


def judged(of: Built) -> Report:
    return lint(of.fabric, RULES, of.provenance, of.suppressions)


def page(design: str) -> str:
    return (REFERENCE / design / "README.md").read_text(encoding="utf-8")


def said(report: Report) -> list[str]:
    """Return findings and open questions, as a README writes them."""
    found = {f"{finding.severity.word} {finding.rule}" for finding in report.findings}
    wanting: dict[str, set[str]] = {}
    for question in report.not_checked:
        wanting.setdefault(question.rule, set()).update(question.missing)
    asked = [f"not checked {rule}: {', '.join(sorted(m))}" for rule, m in sorted(wanting.items())]
    return [*sorted(found), *asked] or ["nothing"]


def test_the_index_names_each_design_and_each_has_its_tests() -> None:
    linked = re.findall(r"\[([\w-]+)\]\(\1/README\.md\)", page("."))
    assert sorted(linked) == DESIGNS
    assert {slip[0] for slip in SLIPS} == set(DESIGNS)
    assert {*ENDS, "azure-local-nexus"} == set(DESIGNS)


@pytest.mark.parametrize("design", DESIGNS)
def test_lint_says_what_the_readme_says(design: str) -> None:
    stated = LINT.search(page(design))
    assert stated is not None
    report = judged(built(design))
    assert said(report) == stated[1].splitlines()
    assert report.count(Severity.ERROR) == 0


@pytest.mark.parametrize("design", DESIGNS)
def test_the_readme_counts_right_and_names_a_public_source(design: str) -> None:
    numbers, sources = NUMBERS.search(page(design)), SOURCES.search(page(design))
    assert numbers is not None
    assert sources is not None
    fabric = built(design).fabric
    hosts = [d for d in fabric.devices.values() if d.kind == "host"]
    switches = [d for d in fabric.devices.values() if d.kind == "switch"]
    counted = (len(switches), len(hosts), sum(len(h.ports) for h in hosts), len(fabric.links))
    assert counted == tuple(int(number) for number in numbers.groups())
    assert re.search(r"<https://[\w./#-]+>", sources[1])


@pytest.mark.parametrize("design", DESIGNS)
def test_no_port_is_cabled_twice_and_every_port_is_cabled(design: str) -> None:
    fabric = built(design).fabric
    both = [((k.a_device.name, k.a.name), (k.b_device.name, k.b.name)) for k in fabric.links]
    ends = [end for pair in both for end in pair]
    cabled = set(ends)
    assert len(ends) == len(cabled)
    for device in fabric.devices.values():
        for port in device.ports:
            assert (device.name, port.name) in cabled


@pytest.mark.parametrize("design", DESIGNS)
def test_what_can_be_rendered_is_and_is_read_back_whole(design: str) -> None:
    seen: set[tuple[str, str | None, str | None]] = set()
    for device in built(design).fabric.devices.values():
        for part in components(device):
            platform = registry.load(part.platform)
            alike = (part.platform, device.role, device.version)
            if platform is None or alike in seen:
                continue
            seen.add(alike)
            ops = platform.plan(part.state, None, None, part.profile)
            files = platform.render(ops, device, None)
            assert files
            assert all(file.text.strip() for file in files)
            if platform.kind == "switch":
                outputs = [Output("", file.text, file.name) for file in files]
                parsed = platform.parse(outputs, part.profile)
                assert parsed.understood
                assert parsed.unread == ()
                wanted = platform.canonical(part.state, part.profile)
                found = compare_states(wanted, parsed.state)
                assert [d for d in found if d.verdict is Verdict.DIFFERENT] == []


@pytest.mark.parametrize("design", ENDS)
def test_traffic_between_far_ends_is_kept_at_every_hop(design: str) -> None:
    ran = lossless("trace", REFERENCE / design, *ENDS[design])
    assert (ran.code, ran.err) == (0, "")
    assert "every hop keeps it as it is meant" in ran.out
    assert len(re.findall(r"^ +(?:in|out) ", ran.out, re.MULTILINE)) == 8


def test_tagged_traffic_is_followed_by_its_priority_code_point() -> None:
    ran = lossless("trace", REFERENCE / "azure-local-nexus", "node01:port1", "node09:port1")
    assert (ran.code, ran.err) == (0, "")
    assert "PCP 3 from class rdma" in ran.out
    assert "every hop keeps it as it is meant" in ran.out


@pytest.mark.parametrize(("design", "right", "wrong", "rule"), SLIPS)
def test_a_slip_of_the_pen_is_found(
    design: str, right: str, wrong: str, rule: str, tmp_path: Path
) -> None:
    text = (REFERENCE / design / "fabric.yaml").read_text(encoding="utf-8")
    assert right in text
    (tmp_path / "fabric.yaml").write_text(text.replace(right, wrong, 1), encoding="utf-8")
    before = {finding.rule for finding in judged(built(design)).findings}
    after = {finding.rule for finding in judged(build(read([tmp_path]))).findings}
    assert rule in after - before
