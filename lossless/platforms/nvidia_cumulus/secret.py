"""Where NVUE shows secrets, in trees and in commands."""

from __future__ import annotations

from typing import Final

from lossless.snapshot.redaction import VALUE, Confidential

_KEYS: Final = (
    r"(?:hashed-)?password|secret|passphrase|auth-(?:md5|sha|none-pass)|encrypt-(?:aes|des)|"
    r"message-digest-key|md5-key|pre-shared-key|cak|key-string|shared-secret"
)
_MANUAL: Final = "Cumulus Linux User Guide, "

SECRETS: Final = (
    Confidential(
        rf"^[ \t-]*\"?(?:{_KEYS})\"?[ \t]*:[ \t]*(?![{{\[\n]){VALUE}",
        _MANUAL + "User Accounts, TACACS, RADIUS, BGP, OSPF and SNMP: NVUE trees",
    ),
    Confidential(
        rf"\bnv set\b.*?[ \t](?:{_KEYS})[ \t]+(?:(?:md5|sha)[ \t]+)?{VALUE}",
        _MANUAL + "the same as commands",
    ),
    Confidential(
        r"\bnv set system snmp-server (?:readonly|readonly-v6|readwrite)-community[ \t]+" + VALUE,
        _MANUAL + "SNMP: the community is a name in the tree",
    ),
    Confidential(
        r"\bnv set system snmp-server trap-destination[ \t].*?\bcommunity-password[ \t]+" + VALUE,
        _MANUAL + "SNMP traps",
    ),
    Confidential(
        rf"^[ \t]*\"?community-password\"?[ \t]*:[ \t]*(?:\n[ \t]+)?(?![{{\[]){VALUE}",
        _MANUAL + "SNMP traps",
    ),
    Confidential(
        r"^[ \t]+([^\s:{}]+)(?::[ \t]*(?:\{\})?)?[ \t\r]*$",
        _MANUAL + "SNMP: the community is a name in the YAML tree",
        within=(r"(?<=community:)\r?\n(?P<i>[ \t]+)\S[^\n]*(?:\n(?P=i)[ \t]*\S[^\n]*)*"),
    ),
    Confidential(
        r"\"((?:[^\"\\\n]|\\.)*)(?=\"\s*:\s*\{)|\"([^\"{}\n]+)\"?\s*\Z",
        _MANUAL + "SNMP: the community is a name in the JSON tree",
        within=r"(?<=community\")\s*:\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\}?)*\}?)*",
    ),
    Confidential(
        r"\bnv set .*?\bntp (?:\S+[ \t]+)*?key[ \t]+\S+[ \t]+(?:type \S+[ \t]+)?value[ \t]+"
        + VALUE,
        _MANUAL + "NTP authentication",
    ),
    Confidential(rf"^[ \t]*(?:neighbor \S+ )?password[ \t]+{VALUE}", "FRR manual, BGP"),
)
