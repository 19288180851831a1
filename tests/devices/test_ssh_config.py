"""ssh_config: what OpenSSH would make of it, asked of OpenSSH itself where it is there."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.devices import Credentials, Policy, Session, Target, Unreachable
from lossless.devices.route import way_to
from lossless.devices.ssh_config import load
from lossless.findings import InputError

EXAMPLE = """\
# jump hosts
Host bastion
    HostName 192.0.2.9
    User=jumper
    Port 2200

Host "leaf01" leaf02
    HostName 192.0.2.1
    HostKeyAlias the-leaf
    IdentityFile ~/.ssh/leaf
    ProxyJump bastion

Host leaf* !leaf99
    User admin
    IdentityFile %d/keys/%h-%p-%r
    UserKnownHostsFile ~/known1 "~/known 2"

Host spine??
    HostName %h.example.net
    IdentitiesOnly yes

Match host *.example.net user deploy
    Port 2222

Match originalhost odd,strange
    HostName 192.0.2.3

Host *
    User nobody
    Port 22
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config"
    path.write_text(EXAMPLE)
    return path


def test_the_first_value_wins_and_identities_add_up(config: Path) -> None:
    home = Path.home()
    host = load(str(config)).host("leaf01")
    assert (host.hostname, host.user, host.port) == ("192.0.2.1", "admin", 22)
    assert (host.jump, host.key_alias) == ("bastion", "the-leaf")
    assert host.identities == (f"{home}/.ssh/leaf", f"{home}/keys/192.0.2.1-22-admin")
    assert host.user_known_hosts == (f"{home}/known1", f"{home}/known 2")
    assert not host.identities_only


def test_patterns_negations_and_matches(config: Path) -> None:
    read = load(str(config))
    assert read.host("leaf99").user == "nobody"
    assert read.host("spine01").hostname == "spine01.example.net"
    assert read.host("spine01").identities_only
    assert read.host("spine01").port == 22
    assert read.host("spine01", user="deploy").port == 2222
    assert read.host("strange").hostname == "192.0.2.3"
    assert read.host("192.0.2.77").hostname == "192.0.2.77"


@pytest.mark.parametrize("name", ["leaf01", "leaf02", "leaf99", "spine01", "odd", "bastion", "x"])
def test_openssh_says_the_same(config: Path, name: str) -> None:
    ssh = shutil.which("ssh")
    if ssh is None:
        pytest.skip("ssh is not installed: OpenSSH is not asked")
    words = [ssh, "-G", "-F", str(config), name]
    done = subprocess.run(words, check=True, capture_output=True, text=True)
    said = dict(text.split(" ", 1) for text in done.stdout.splitlines() if " " in text)
    host = load(str(config)).host(name)
    assert (host.hostname, str(host.port), host.user) == (
        said["hostname"],
        said["port"],
        said["user"],
    )
    assert host.jump == said.get("proxyjump")
    assert host.key_alias == said.get("hostkeyalias")
    assert host.identities_only == (said["identitiesonly"] == "yes")


def test_included_files_and_what_stands_after_them(tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "a").write_text("Host leaf01\n  Port 2201\n")
    (tmp_path / "conf.d" / "b").write_text("Host leaf02\n  Port 2202\n")
    (tmp_path / "config").write_text(
        "Host leaf*\n  Include conf.d/*\n  User admin\nHost *\n  Port 2299\n"
    )
    read = load(str(tmp_path / "config"))
    assert (read.host("leaf01").port, read.host("leaf01").user) == (2201, "admin")
    assert (read.host("leaf02").port, read.host("leaf02").user) == (2202, "admin")
    assert (read.host("x").port, read.host("x").user) == (2299, None)


def test_files_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("Include config\n")
    with pytest.raises(InputError, match="too deeply"):
        load(str(tmp_path / "config"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Host leaf01\n  Port ssh\n", r"config:2:3: 'ssh' is not a port"),
        ("Port 70000\n", r"config:1:1: '70000' is not a port"),
        ("Host 'leaf01\n", r"config:1:1: .* cannot be split"),
        ("nonsense\n", r"config:1:1: 'nonsense' is not a setting"),
        ('Match exec "touch /tmp/x"\n  Port 1\n', r"config:1:1: Match exec is not run"),
        ("Match tagged x\n  Port 1\n", r"config:1:1: Match tagged is not understood"),
        ("Match host\n  Port 1\n", r"config:1:1: Match host is not understood"),
    ],
)
def test_what_cannot_be_honoured_is_told_with_its_place(
    tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "config").write_text(text)
    with pytest.raises(InputError, match=said):
        load(str(tmp_path / "config")).host("leaf01")


def test_a_file_that_was_named_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file"):
        load(str(tmp_path / "nowhere"))
    assert load(None).host("leaf01").hostname == "leaf01"  # one's own need not be


def target(address: str, **more: object) -> Target:
    return Target(name="dev", address=address, session=Session(), **more)  # type: ignore[arg-type]


def way(config: Path, device: Target) -> list[str]:
    hops = way_to(device, Credentials(), Policy(ssh_config=str(config)))
    return [f"{hop.user}@{hop}" for hop in hops]


def test_the_way_goes_through_jump_hosts(config: Path) -> None:
    assert way(config, target("leaf01")) == ["jumper@[192.0.2.9]:2200", "admin@192.0.2.1"]
    assert way(config, target("leaf01", jump="none")) == ["admin@192.0.2.1"]
    assert way(config, target("leaf01", jump="a,b@[2001:db8::1]:2022,bastion")) == [
        "nobody@a",
        "b@[2001:db8::1]:2022",
        "jumper@[192.0.2.9]:2200",
        "admin@192.0.2.1",
    ]
    assert way(config, target("2001:db8::7", jump="ssh://b@2001:db8::1")) == [
        "b@2001:db8::1",
        "nobody@2001:db8::7",
    ]


def test_what_the_inventory_says_goes_before_ssh_config(config: Path) -> None:
    device = target("leaf01", port=2022, user="ops", jump="bastion")
    assert way(config, device)[-1] == "ops@[192.0.2.1]:2022"


def test_the_host_key_goes_by_its_alias(config: Path) -> None:
    hops = way_to(target("leaf01", port=2022), Credentials(), Policy(ssh_config=str(config)))
    assert hops[-1].key_name == "the-leaf"
    assert hops[0].key_name == "[192.0.2.9]:2200"


def test_jump_hosts_of_jump_hosts_and_circles(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_text(
        "Host dev\n ProxyJump b\nHost b\n ProxyJump a\nHost c\n ProxyJump d\nHost d\n ProxyJump c\n"
    )
    assert [w.split("@")[1] for w in way(path, target("dev"))] == ["a", "b", "dev"]
    with pytest.raises(Unreachable, match="goes in a circle"):
        way(path, target("c"))
    with pytest.raises(Unreachable, match="'a b' is not a jump host"):
        way(path, target("x", jump="a b"))


def test_a_proxy_command_counts_only_where_it_would_be_run(tmp_path: Path) -> None:
    path = tmp_path / "config"
    path.write_text(
        "Host first\n ProxyJump a\n ProxyCommand x\nHost second\n ProxyCommand x\n ProxyJump a\n"
        "Host none\n ProxyCommand none\n"
    )
    assert len(way(path, target("first"))) == 2
    assert len(way(path, target("none"))) == 1
    assert len(way(path, target("other", jump="first"))) == 3
    with pytest.raises(Unreachable, match="config:5:2 says ProxyCommand"):
        way(path, target("second"))


@settings(max_examples=60)
@given(st.text(st.sampled_from("HostMatch ab*?!\"'%=#\n\tInclude"), max_size=80))
def test_no_text_breaks_the_reading(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "ssh_config_of_anything"
    path.write_text(text, encoding="utf-8")
    with contextlib.suppress(InputError):
        assert load(str(path)).host("leaf01").hostname
