"""The simulated host: its shell, the NIC script, refusals, drift; and the project's own client."""

from __future__ import annotations

import difflib
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.devices import Credentials, Policy, Target, connect
from lossless.findings import InputError
from lossless.lab import ways
from lossless.lab.contract import Plate
from lossless.lab.contract import Port as PortPlate
from lossless.lab.linux_host import LinuxHost
from lossless.lab.server import Lab
from lossless.model.device import Device, Port
from lossless.platforms import collective_env, nvidia_mlnx_qos
from lossless.platforms.contract import Output

SCRIPT = """#!/usr/bin/env bash
set -euo pipefail

nic_1() {
  nic ens1np0 mlx5_0
  want_pause off off
  want_dcb_owner os
  want_mtu 9000
  want_pfc 0,0,0,1,0,0,0,0
  want_points np 0,0,0,1,0,0,0,0
  want_ets x,x,x,x,x,x,x,x x,ets,x,ets,x,x,strict,x x,40,x,60,x,x,0,x
  want_trust dscp
  want_dscp 26:3 48:6
  want_cm_tos 106
}

main "$@"
"""
FILES = {"gpu01/lossless-nic": SCRIPT, "gpu01/nccl.conf": "# by hand\nNCCL_IB_TC=106\n"}
PLATE = Plate(
    "gpu01",
    "linux_host",
    ports=(
        PortPlate("ens1np0", 400 * 10**9, "mlx5_0", "0000:17:00.0", "nvidia_mlnx_qos"),
        PortPlate("ens2np0", 400 * 10**9, "mlx5_1", None, "nvidia_mlnx_qos"),
    ),
)


def host() -> LinuxHost:
    box = LinuxHost(PLATE, lambda: 0.0)
    box.load(FILES)
    return box


@pytest.mark.parametrize(
    ("command", "out", "status"),
    [
        ("hostname", "gpu01\n", 0),
        ("cat /sys/class/net/ens1np0/mtu", "9000\n", 0),
        ("cat /sys/class/net/ens1np0/mtu /nowhere", "9000\n", 1),
        ("sudo -n mlnx_qos -i ens1np0 | grep trust", "Priority trust state: dscp\n", 0),
        ("true && echo a; false || echo b", "a\nb\n", 0),
        ("test -e /etc/nccl.conf && echo yes", "yes\n", 0),
        ("cat /nowhere 2>/dev/null; echo end", "end\n", 0),
        ("cat /nowhere 2>&1 | wc -l", "1\n", 0),
        ("PATH=$PATH:/sbin; export PATH; hostname", "gpu01\n", 0),
        ("echo x > /tmp/f; echo y >> /tmp/f; cat /tmp/f", "x\ny\n", 0),
        ("head -n 1 /etc/nccl.conf", "# by hand\n", 0),
        ("ls -d /sys/class/infiniband/*/device/net/*", None, 0),
        ("frobnicate", "", 127),
        ("mlnx_qos -i ens1np0 -a", "", 1),
        ("echo 'torn", "", 2),
    ],
)
def test_the_shell_knows_its_words(command: str, out: str | None, status: int) -> None:
    screen = host().execute(command, "ops")
    assert screen.status == status
    assert out is None or screen.text == out
    if out is None:
        assert screen.text.splitlines() == [
            "/sys/class/infiniband/mlx5_0/device/net/ens1np0",
            "/sys/class/infiniband/mlx5_1/device/net/ens2np0",
        ]


def test_head_shows_what_is_there_and_names_what_is_not() -> None:
    screen = host().execute("head -v -n 9 /etc/nccl.conf /none /sys/class/net/ens2np0/mtu", "ops")
    assert screen.text == (
        "==> /etc/nccl.conf <==\n# by hand\nNCCL_IB_TC=106\n\n"
        "==> /sys/class/net/ens2np0/mtu <==\n1500\n"
    )
    assert "'/none'" in screen.errors
    assert screen.status == 1


def test_refused_lines_are_named() -> None:
    torn = SCRIPT.replace("want_trust dscp", "want_trust sometimes").replace(
        "want_mtu 9000", "wants_mtu 9000"
    )
    with pytest.raises(InputError) as told:
        LinuxHost(PLATE, lambda: 0.0).load(
            {"gpu01/lossless-nic": torn, "gpu01/nccl.conf": "NCCL_IB_TC\n", "gpu01/x": ""}
        )
    places = [str(problem.location) for problem in told.value.problems]
    assert [place.rsplit(":", 1)[0] for place in places] == [
        "gpu01/lossless-nic:8",
        "gpu01/lossless-nic:12",
        "gpu01/nccl.conf:1",
        "gpu01/x:1",
    ]


def test_the_script_checks_and_mends() -> None:
    box = host()
    script = "/usr/local/sbin/lossless-nic"
    assert box.execute(f"sudo -n {script} --check", "ops").status == 0
    box.execute("sudo -n ip link set dev ens1np0 mtu 1500", "ops")
    checked = box.execute(f"bash {script} --check", "root")
    assert (checked.status, checked.errors) == (1, "lossless-nic: ens1np0: differs\n")
    assert box.file("/sys/class/net/ens1np0/mtu") == "1500\n"
    assert box.execute(f"sudo {script}", "ops").status == 0
    assert box.file("/sys/class/net/ens1np0/mtu") == "9000\n"


@settings(max_examples=60)
@given(st.integers())
def test_drift_changes_one_thing_and_tells_it(seed: int) -> None:
    box, twin = host(), host()
    before = box.snapshot().splitlines()
    change = box.drift(random.Random(seed))
    assert change is not None
    assert change == twin.drift(random.Random(seed))
    assert change.before != change.after
    lines = [x for x in difflib.ndiff(before, box.snapshot().splitlines()) if x[0] in "+-"]
    assert lines
    if change.kind == "other-traffic-class":
        assert lines == ["- NCCL_IB_TC=106", "+ NCCL_IB_TC=0"]
    if change.kind == "small-frames":
        assert sorted(lines) == sorted([f"- mtu {change.before}", "+ mtu 1500"])
    other = {"ens1np0": "ens2np0", "ens2np0": "ens1np0"}.get(change.port or "")
    if other is not None:
        assert box.state["nics"][other] == host().state["nics"][other]
    assert box.snapshot() == twin.snapshot()


def test_lossless_asks_it_over_ssh(tmp_path: Path) -> None:
    box = host()
    ports = tuple(Port(name=p.name, rdma=p.rdma, pci=p.pci) for p in PLATE.ports)
    device = Device(name="gpu01", kind="host", ports=ports)
    for platform in (nvidia_mlnx_qos.PLATFORM, collective_env.PLATFORM):
        with Lab([box]) as lab:
            files = ways.write(lab, tmp_path, ways.Names())
            policy = Policy(ssh_config=str(files.ssh_config), agent=False)
            target = Target(name="gpu01", address="gpu01", session=platform.session)
            with connect(target, Credentials(), policy) as session:
                answers = [
                    (c, session.run(c.text, privileged=c.privileged))
                    for c in platform.commands(device)
                ]
        assert all(r.refusal is None for c, r in answers if c.needed)
        parsed = platform.parse([Output(c.text, r.text) for c, r in answers])
        assert parsed.understood
        assert not parsed.unread
        assert not [d for d in parsed.diagnostics if d.kind == "damaged"]


def test_a_person_at_its_shell() -> None:
    session = host().session("ops")
    assert session.prompt == "ops@gpu01:~$ "
    assert session.feed("hostname").text == "gpu01\n"
    assert session.feed("").text == ""
    assert session.feed("exit").closed
