"""Secrets planted wherever devices show them are gone, and the rest reads as before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lossless.platforms import registry
from lossless.platforms.arista_eos import PLATFORM as EOS
from lossless.platforms.cisco_nxos import PLATFORM as NXOS
from lossless.platforms.collective_env import PLATFORM as ENV
from lossless.platforms.contract import Output, Platform
from lossless.platforms.nvidia_cumulus import PLATFORM as CUMULUS
from lossless.platforms.sonic import PLATFORM as SONIC
from lossless.snapshot.redaction import PLACEHOLDER, redact
from tests.running.shown import FIXED, taken

#: Part of every secret that is planted.
CANARY = "c4n4ry"

EOS_LINES = """\
username admin privilege 15 role network-admin secret sha512 $6$c4n4ry$c4n4ry
username bob secret 0 c4n4ry!x
username eve secret 5 $1$c4n4ry
enable password sha512 $6$c4n4ry
enable secret c4n4ry
aaa root secret sha512 $6$rc4n4ry
snmp-server community c4n4ry ro
snmp-server community "c4n4ry with words" rw
snmp-server host 192.0.2.1 version 2c c4n4ry
snmp-server host 192.0.2.1 vrf MGMT traps version 2c c4n4ry
snmp-server host 192.0.2.1 c4n4ry
snmp-server user ops network-admin v3 localized f5717f00 auth sha 0xc4n4ry priv aes 0xc4n4ry
radius-server key 7 c4n4ry
radius-server host 192.0.2.2 vrf MGMT key 7 c4n4ry
tacacs-server key 8a c4n4ry
tacacs-server host 192.0.2.3 key 0 c4n4ry
ntp authentication-key 1 md5 7 c4n4ry
ntp authentication-key 2 sha1 c4n4ry
router bgp 65001
   neighbor 192.0.2.9 password 7 c4n4ry==
   neighbor SPINES password c4n4ry
interface Ethernet1/1
   ip ospf authentication-key 7 c4n4ry
   ip ospf message-digest-key 1 md5 7 c4n4ry
   isis authentication key 0 c4n4ry
   vrrp 1 peer authentication ietf-md5 key-string 7 c4n4ry
mac security
   profile P
      key 0abcdef0 7 c4n4ry
      key 0abcdef1 7 c4n4ry fallback
daemon TerminAttr
   exec /usr/bin/TerminAttr -cvaddr=192.0.2.5:9910 -cvauth=key,c4n4ry -ingestvrf=MGMT
management security
   ssl profile P
      secret 7 c4n4ry
"""

NXOS_LINES = """\
username admin password 5 $5$c4n4ry$c4n4ry  role network-admin
username bob password 5 c4n4ry role network-operator
enable secret 5 c4n4ry
snmp-server user admin network-admin auth md5 0xc4n4ry priv 0xc4n4ry localizedkey
snmp-server user eve network-admin auth sha 0xc4n4ry priv aes-128 0xc4n4ry localizedkey
snmp-server community c4n4ry group network-operator
snmp-server host 192.0.2.1 traps version 2c c4n4ry
snmp-server host 192.0.2.1 c4n4ry
radius-server key 7 "c4n4ry x"
radius-server host 192.0.2.2 key 7 "c4n4ry" authentication accounting
tacacs-server host 192.0.2.3 key 7 "c4n4ry"
ntp authentication-key 1 md5 c4n4ry 7
router bgp 65001
  neighbor 192.0.2.9
    password 3 c4n4ry
interface Ethernet1/1
  ip ospf authentication-key 3 c4n4ry
  ip ospf message-digest-key 1 md5 3 c4n4ry
  hsrp 1
    authentication md5 key-string c4n4ry
    authentication text c4n4ry
key chain K
  key 1
    key-string 7 c4n4ry
key chain M macsec
  key 10
    key-octet-string 7 c4n4ry cryptographic-algorithm AES_128_CMAC
ldap-server host 192.0.2.4 rootDN "cn=x" password 7 c4n4ry
"""

SONIC_TREE = {
    "SNMP_COMMUNITY": {"c4n4ry": {"TYPE": "RO"}, "c4n4ry2": {"TYPE": "RW"}},
    "SNMP_USER": {
        "ops": {
            "SNMP_USER_AUTH_TYPE": "SHA",
            "SNMP_USER_AUTH_PASSWORD": "c4n4ry",
            "SNMP_USER_ENCRYPTION_PASSWORD": 'c4n4ry "x"',
        }
    },
    "TACPLUS": {"global": {"auth_type": "pap", "passkey": "c4n4ry"}},
    "TACPLUS_SERVER": {"192.0.2.3": {"passkey": "c4n4ry", "priority": "1"}},
    "RADIUS": {"global": {"passkey": "c4n4ry"}},
    "RADIUS_SERVER": {"192.0.2.3": {"passkey": "c4n4ry"}},
    "LDAP": {"global": {"bind_password": "c4n4ry"}},
    "NTP_KEY": {"1": {"type": "md5", "value": "c4n4ry", "trusted": "yes"}},
    "MACSEC_PROFILE": {"m": {"primary_cak": "c4n4ry", "fallback_cak": "c4n4ry"}},
    "BGP_NEIGHBOR": {"192.0.2.9": {"auth_password": "c4n4ry", "asn": "65001"}},
}

CUMULUS_YAML = """\
- set:
    system:
      aaa:
        user:
          cumulus:
            hashed-password: $6$c4n4ry$c4n4ry
          bob:
            password: c4n4ry
        tacacs:
          server:
            '1':
              secret: c4n4ry
        radius:
          server:
            192.0.2.1:
              secret: $nvsec$c4n4ry
      snmp-server:
        readonly-community:
          c4n4ry:
            access:
              any: {}
        username:
          ops:
            auth-sha: c4n4ry
            encrypt-aes: c4n4ry
    vrf:
      default:
        router:
          bgp:
            neighbor:
              swp1:
                password: c4n4ry
"""

CUMULUS_COMMANDS = """\
nv set system aaa user cumulus hashed-password '$6$c4n4ry'
nv set system aaa tacacs server 1 secret c4n4ry
nv set system aaa radius server 192.0.2.1 secret 'c4n4ry x'
nv set system snmp-server readonly-community c4n4ry access any
nv set system snmp-server trap-destination 192.0.2.5 community-password c4n4ry
nv set system snmp-server username ops auth-sha c4n4ry
nv set vrf default router bgp neighbor swp1 password c4n4ry
"""

ENV_LINES = """\
WANDB_API_KEY=c4n4ry
export HF_TOKEN="c4n4ry with words"
AWS_SECRET_ACCESS_KEY='c4n4ry'
# old: DB_PASSWORD=kept
#MY_TOKEN=c4n4ry
http_proxy=http://user:c4n4ry@proxy.example:3128
REGISTRY_AUTH=c4n4ry
MY_TOKEN DEFAULT=c4n4ry
"""

ANYWHERE = """\
-----BEGIN OPENSSH PRIVATE KEY-----
c4n4ryAAAA
c4n4ryBBBB
-----END OPENSSH PRIVATE KEY-----
Authorization: Bearer c4n4ry
token eyJc4n4ryAAAAA.eyJc4n4ryBBBB.c4n4ry
url https://x:c4n4ry@example.net/
"api_key": "c4n4ry"
-----BEGIN RSA PRIVATE KEY-----
c4n4ryCUT
"""

PLANTED: list[tuple[Platform, str]] = [
    (EOS, EOS_LINES),
    (NXOS, NXOS_LINES),
    (SONIC, json.dumps(SONIC_TREE, indent=4)),
    (SONIC, json.dumps(SONIC_TREE)),
    (CUMULUS, CUMULUS_YAML),
    (CUMULUS, json.dumps({"system": {"snmp-server": {"readonly-community": {"c4n4ry": {}}}}})),
    (CUMULUS, CUMULUS_COMMANDS),
    (ENV, ENV_LINES),
    (EOS, ANYWHERE),
]


@pytest.mark.parametrize(("platform", "text"), PLANTED)
def test_a_planted_secret_is_gone(platform: Platform, text: str) -> None:
    left = redact(text, platform.secrets)
    assert [line for line in left.split("\n") if CANARY in line] == []
    assert left.count("\n") == text.count("\n")
    assert PLACEHOLDER[:9] in left


@pytest.mark.parametrize(("platform", "text"), PLANTED)
@pytest.mark.parametrize("shape", ["cut", "crlf", "indented"])
def test_a_secret_in_a_damaged_text_is_gone(platform: Platform, text: str, shape: str) -> None:
    if shape == "crlf":
        texts = [text.replace("\n", "\r\n")]
    elif shape == "indented" and platform is not CUMULUS:
        texts = [text.replace("\n", "\n  ")]
    else:
        # Each canary is the last thing that came before the session broke.
        ends = [n for n in range(len(text)) if text.startswith(CANARY, n)]
        texts = [text[: n + len(CANARY)] for n in ends]
    for damaged in texts:
        left = redact(damaged, platform.secrets)
        assert [line for line in left.split("\n") if CANARY in line] == []


@pytest.mark.parametrize(("platform", "text"), PLANTED)
def test_what_is_redacted_stays(platform: Platform, text: str) -> None:
    once = redact(text, platform.secrets)
    assert redact(once, platform.secrets) == once


def test_json_is_json_still_and_no_row_is_lost() -> None:
    tree = json.loads(redact(json.dumps(SONIC_TREE, indent=4), SONIC.secrets))
    assert {name: len(rows) for name, rows in tree.items()} == {
        name: len(rows) for name, rows in SONIC_TREE.items()
    }
    assert tree["TACPLUS"]["global"] == {"auth_type": "pap", "passkey": PLACEHOLDER}


@pytest.mark.parametrize("name", list(registry.PLATFORMS))
def test_each_platform_says_where_its_secrets_are(name: str) -> None:
    platform = registry.load(name)
    assert platform is not None
    assert platform.secrets
    for secret in platform.secrets:
        assert secret.source


@pytest.mark.parametrize(
    ("platform", "lines", "command"),
    [(EOS, EOS_LINES, "show running-config"), (NXOS, NXOS_LINES, "show running-config")],
)
def test_redaction_keeps_what_is_read(platform: Platform, lines: str, command: str) -> None:
    kept, left = (
        platform.parse([Output(command, text + "end\n")], None)
        for text in (lines, redact(lines, platform.secrets))
    )
    assert (kept.state, kept.coverage, kept.understood) == (
        left.state,
        left.coverage,
        left.understood,
    )
    assert [u.line for u in kept.unread] == [u.line for u in left.unread]


def test_nothing_of_the_demo_is_taken_for_a_secret() -> None:
    for told in taken(FIXED).values():
        for answer in told.answers:
            for name in told.platforms:
                platform = registry.load(name)
                assert platform is not None
                assert redact(answer.text, platform.secrets) == answer.text


@settings(max_examples=40)
@given(
    text=st.text(st.sampled_from('"{}[]:\\ \n$-=<>abTOKENpassword'), max_size=200),
)
def test_redaction_takes_any_text(text: str) -> None:
    for name in registry.PLATFORMS:
        platform = registry.load(name)
        assert platform is not None
        left = redact(text, platform.secrets)
        assert left.count("\n") == text.count("\n")
        assert redact(left, platform.secrets) == left


@pytest.mark.parametrize(
    ("folder", "platform"),
    [("eos", EOS), ("nxos", NXOS), ("azurelocal", NXOS), ("sonic", SONIC), ("cumulus", CUMULUS)],
)
def test_redaction_keeps_what_is_read_of_real_devices(
    captures: Path, folder: str, platform: Platform
) -> None:
    looked = 0
    for path in sorted(p for p in (captures / folder).rglob("*") if p.is_file()):
        text = path.read_text(encoding="utf-8", errors="replace")
        if path.suffix == ".md" or not platform.recognises(text):
            continue
        looked += 1
        kept, left = (
            platform.parse([Output("", one, "file")], None)
            for one in (text, redact(text, platform.secrets))
        )
        assert (kept.state, kept.coverage) == (left.state, left.coverage), path
    assert looked
