"""The environment files of collective libraries, both ways."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.findings import InputError
from lossless.model.device import Device, DeviceState
from lossless.model.facet import table
from lossless.model.rdma import Environment, Variable
from lossless.model.settings import System
from lossless.model.values import DEFAULT, OFF
from lossless.platforms.collective_env import PLATFORM
from lossless.platforms.contract import Output, Parsed

HOST = Device(name="gpu01", kind="host")
ALL = PLATFORM.commands(HOST)[0].text
PATHS = {
    "nccl.conf": "/etc/nccl.conf",
    "ucx.conf": "/etc/ucx/ucx.conf",
    "environment.sh": "/etc/profile.d/lossless-collectives.sh",
}
Files = dict[str, str]


def state(variables: dict[str, Any]) -> DeviceState:
    rows = {
        name: told if isinstance(told, Variable) else Variable(value=told)
        for name, told in variables.items()
    }
    return DeviceState(system=System(environment=Environment(variables=table(rows))))


def values(found: DeviceState) -> dict[str, Any]:
    return {name: variable.value for name, variable in found.system.environment.variables}


def look(files: Files) -> Parsed:
    """Read a host that has these files and no others."""
    blocks = [f"==> {path} <==\n{files[path]}" for path in PATHS.values() if path in files]
    missing = [
        f"head: cannot open '{path}' for reading: No such file or directory\n"
        for path in PATHS.values()
        if path not in files
    ]
    return PLATFORM.parse([Output(ALL, "\n".join(blocks) + "".join(missing))])


def write(files: Files, after: DeviceState, seen: Parsed | None = None) -> None:
    """Carry out a plan on a dictionary of files."""
    before, native = (seen.state, seen.native) if seen is not None else (None, None)
    for file in PLATFORM.render(PLATFORM.plan(after, before, native), HOST):
        files[PATHS[file.name]] = file.text


def nccl_reads(text: str) -> dict[str, str]:
    """What NCCL makes of its file: its setEnvFile, line by line."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("#") or "=" not in line:
            continue
        name, _, value = line.partition("=")
        found.setdefault(name, value)
    return found


names = st.one_of(
    st.sampled_from(["NCCL_IB_TC", "NCCL_IB_HCA", "NCCL_IB_GID_INDEX", "NCCL_DEBUG"]),
    st.sampled_from(["UCX_IB_TRAFFIC_CLASS", "UCX_NET_DEVICES", "UCX_TLS"]),
    st.sampled_from(["HCCL_RDMA_TC", "HCCL_RDMA_SL", "NVSHMEM_IB_TRAFFIC_CLASS", "OMP_X"]),
)
texts = st.text(
    alphabet=st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), max_size=20
).filter(str.isprintable)
environments = st.dictionaries(names, texts).filter(
    lambda told: PLATFORM.inexpressible(state(told)) == ()
)


@given(environments)
def test_round_trip_from_nothing(told: dict[str, str]) -> None:
    files: Files = {}
    write(files, state(told))
    found = look(files)
    assert found.state == PLATFORM.canonical(state(told))
    assert (found.unread, found.diagnostics) == ((), ())
    assert PLATFORM.plan(state(told), found.state, found.native) == ()


@given(environments, environments, st.sets(names))
def test_circular_and_rollback(
    first: dict[str, str], second: dict[str, str], gone: set[str]
) -> None:
    files: Files = {}
    write(files, state(first))
    seen = look(files)
    after = {**second, **dict.fromkeys(gone, OFF)}
    write(files, state(after), seen)
    expected = {n: v for n, v in {**first, **after}.items() if v is not OFF}
    now = look(files)
    assert now.state == PLATFORM.canonical(state(expected))
    back = {n: first.get(n, OFF) for n in {*first, *expected}}
    write(files, state(back), now)
    assert look(files).state == seen.state


@given(environments)
def test_libraries_and_shells_read_what_was_meant(told: dict[str, str]) -> None:
    files: Files = {}
    write(files, state(told))
    wanted = {n: v for n, v in told.items() if n.startswith("NCCL_")}
    assert nccl_reads(files.get("/etc/nccl.conf", "")) == wanted


def test_a_real_shell_reads_hostile_values_as_they_are(tmp_path: Path) -> None:
    value = 'a\'b "c" $(touch pwned) `id` \\ ; & | * é'
    files: Files = {}
    write(files, state({"HCCL_RDMA_TC": "132", "NVSHMEM_X": value}))
    path = tmp_path / "environment.sh"
    path.write_text(files[PATHS["environment.sh"]])
    script = f'. {path}; printf "%s|%s" "$HCCL_RDMA_TC" "$NVSHMEM_X"'
    done = subprocess.run(
        ["sh", "-eu", "-c", script], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert (done.stdout, done.stderr) == (f"132|{value}", "")
    assert not (tmp_path / "pwned").exists()


def test_each_variable_goes_to_its_library_s_file() -> None:
    told = {"NCCL_IB_TC": "106", "UCX_IB_TRAFFIC_CLASS": "106", "HCCL_RDMA_TC": "132"}
    files: Files = {}
    write(files, state(told))
    assert files["/etc/nccl.conf"].splitlines()[1:] == ["NCCL_IB_TC=106"]
    assert files["/etc/ucx/ucx.conf"].splitlines()[1:] == ["UCX_IB_TRAFFIC_CLASS=106"]
    assert files[PATHS["environment.sh"]].splitlines()[1:] == ["export HCCL_RDMA_TC=132"]
    assert all(text.startswith("# ") and text.endswith("\n") for text in files.values())


NCCL = """\
# set by hand after the move
NCCL_IB_HCA==mlx5_0,mlx5_1

NCCL_IB_TC=41
CUDA_DEVICE_ORDER=PCI_BUS_ID
NCCL_IB_TC=106
NCCL_IB_GID_INDEX = 3
export NCCL_DEBUG=INFO
"""


def test_the_grammar_of_nccl() -> None:
    found = look({"/etc/nccl.conf": NCCL})
    assert values(found.state) == {
        "CUDA_DEVICE_ORDER": "PCI_BUS_ID",
        "NCCL_IB_HCA": "=mlx5_0,mlx5_1",
        "NCCL_IB_TC": "41",  # the first of two wins
    }
    assert [(u.text, u.line) for u in found.unread] == [
        ("NCCL_IB_GID_INDEX = 3", 8),
        ("export NCCL_DEBUG=INFO", 9),
    ]
    assert [(d.kind, d.line) for d in found.diagnostics] == [("duplicate", 7)]
    assert found.lines["system", "environment", "variables", "NCCL_IB_TC", "value"] == (ALL, 5)
    assert "/etc/nccl.conf" not in found.coverage
    assert "/etc/ucx/ucx.conf" in found.coverage


def test_other_lines_stay_where_they_are() -> None:
    files = {"/etc/nccl.conf": NCCL}
    write(files, state({"NCCL_IB_TC": "106", "NCCL_SOCKET_IFNAME": "eth0"}), look(files))
    assert files["/etc/nccl.conf"].splitlines() == [
        "# set by hand after the move",
        "NCCL_IB_HCA==mlx5_0,mlx5_1",
        "",
        "NCCL_IB_TC=106",
        "CUDA_DEVICE_ORDER=PCI_BUS_ID",
        "NCCL_IB_GID_INDEX = 3",
        "export NCCL_DEBUG=INFO",
        "NCCL_SOCKET_IFNAME=eth0",
    ]
    assert set(files) == {"/etc/nccl.conf"}


def test_the_environment_of_the_process_wins_and_moves_home() -> None:
    files = {
        "/etc/nccl.conf": "NCCL_IB_TC=106\n",
        PATHS["environment.sh"]: "export NCCL_IB_TC=41\n",
    }
    found = look(files)
    assert values(found.state) == {"NCCL_IB_TC": "41"}
    assert [d.kind for d in found.diagnostics] == ["duplicate"]
    write(files, state({"NCCL_IB_TC": "106"}), found)
    assert values(look(files).state) == {"NCCL_IB_TC": "106"}
    assert "NCCL_IB_TC" not in files[PATHS["environment.sh"]]


def test_ucx_is_an_ini_file() -> None:
    text = "; shipped\n[global]\n UCX_TLS = rc,sm \nUCX_NET_DEVICES=mlx5_0:1 ; rail 1\n"
    found = look({"/etc/ucx/ucx.conf": text})
    assert values(found.state) == {"UCX_TLS": "rc,sm", "UCX_NET_DEVICES": "mlx5_0:1"}
    assert [u.text for u in found.unread] == ["[global]"]


def test_what_a_shell_would_expand_is_not_known() -> None:
    found = look({PATHS["environment.sh"]: "export A=$HOME\nexport B='$x'\nexport C=1 D=2\nE=3\n"})
    assert values(found.state) == {"B": "$x"}
    assert [u.line for u in found.unread] == [2, 4, 5]


def test_files_by_name_by_command_and_by_text() -> None:
    for output in (
        Output("cat /etc/nccl.conf", "NCCL_IB_TC=106\n"),
        Output("", "NCCL_IB_TC=106\n", "hosts/gpu01/nccl.conf"),
        Output("", "# x\nNCCL_IB_TC=106\n"),
    ):
        assert values(PLATFORM.parse([output]).state) == {"NCCL_IB_TC": "106"}
    assert PLATFORM.recognises("UCX_TLS=rc\n")
    assert not PLATFORM.recognises("hostname leaf01\n")
    assert not PLATFORM.parse([Output("show version", "NCCL_IB_TC=106")]).understood


def test_absent_and_default_are_taken_out_and_untold_is_left_alone() -> None:
    files = {"/etc/nccl.conf": "NCCL_IB_TC=106\nNCCL_DEBUG=INFO\nNCCL_ALGO=Ring\n"}
    write(files, state({"NCCL_DEBUG": OFF, "NCCL_ALGO": DEFAULT, "NCCL_IB_SL": None}), look(files))
    assert files["/etc/nccl.conf"] == "NCCL_IB_TC=106\n"


def test_a_file_that_nobody_looked_at_is_not_written() -> None:
    seen = PLATFORM.parse([Output("cat /etc/nccl.conf", "NCCL_IB_TC=106\n")])
    with pytest.raises(ValueError, match=r"/etc/ucx/ucx\.conf was not looked at"):
        PLATFORM.plan(state({"UCX_TLS": "rc"}), seen.state, seen.native)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NCCL IB", "1"),
        ("A;B", "1"),
        ("1A", "1"),
        ("", "1"),
        ("NCCL_X", "a\nNCCL_Y=b"),
        ("HCCL_X", "a\x00b"),
        ("NCCL_X", "x" * 2000),
        ("UCX_TLS", " rc"),
        ("UCX_TLS", "rc ; sm"),
    ],
)
def test_what_a_file_cannot_carry(name: str, value: str) -> None:
    told = state({name: value})
    assert len(PLATFORM.inexpressible(told)) == 1
    with pytest.raises(InputError):
        PLATFORM.render(PLATFORM.plan(told), HOST)


def test_templates_of_a_user(tmp_path: Path) -> None:
    place = tmp_path / "collective_env"
    place.mkdir()
    (place / "macros.j2").write_text(
        "{% macro set_nccl_conf(op) %}{% for l in op.new if l is not string %}"
        "{{ l[0] }}={{ l[1] }}\n{% endfor %}{% endmacro %}"
    )
    files = PLATFORM.render(PLATFORM.plan(state({"NCCL_IB_TC": "106"})), HOST, tmp_path)
    assert [(f.name, f.text, f.mode) for f in files] == [("nccl.conf", "NCCL_IB_TC=106\n", 0o644)]


@given(st.text(max_size=200), st.sampled_from([ALL, "cat /etc/nccl.conf", "", "cat x"]))
def test_anything_at_all(text: str, command: str) -> None:
    PLATFORM.recognises(text)
    found = PLATFORM.parse([Output(command, text)])
    once = PLATFORM.canonical(found.state)
    assert PLATFORM.canonical(once) == once
    assert once == found.state
