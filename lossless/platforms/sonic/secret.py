"""Where SONiC's CONFIG_DB holds secrets."""

from __future__ import annotations

from typing import Final

from lossless.snapshot.redaction import VALUE, Confidential

_STRING: Final = r"\"((?:[^\"\\\n]|\\.)*)"

SECRETS: Final = (
    Confidential(
        rf"\"(?:passkey|auth_password|bind_password|password|password_hash|hash|"
        rf"primary_cak|fallback_cak|auth_key|shared_secret|psk)\"\s*:\s*{_STRING}",
        "sonic-yang-models: sonic-system-tacacs, -radius, -ldap, sonic-macsec, sonic-bgp-common",
    ),
    Confidential(
        rf"\"SNMP_USER_(?:AUTH|ENCRYPTION)_PASSWORD\"\s*:\s*{_STRING}",
        "sonic-yang-models: sonic-snmp, SNMP_USER",
    ),
    Confidential(
        rf"\"value\"\s*:\s*{_STRING}",
        "sonic-yang-models: sonic-ntp, NTP_KEY",
        within=r"\"NTP_KEY\"\s*:\s*\{(?:[^{}]|\{[^{}]*\}?)*",
    ),
    Confidential(
        rf"{_STRING}(?=\"\s*:\s*\{{)|\"([^\"{{}}\n]+)\"?\s*\Z",
        "sonic-yang-models: sonic-snmp, SNMP_COMMUNITY: the community is the name of the row",
        within=r"(?<=\"SNMP_COMMUNITY\")\s*:\s*\{(?:[^{}]|\{[^{}]*\}?)*",
    ),
    Confidential(rf"\"SNMP_COMMUNITY\|{_STRING}", "CONFIG_DB keys as redis names them: table|row"),
    Confidential(
        r"^[ \t]*(?:neighbor \S+ )?password[ \t]+" + VALUE, "FRR manual, BGP: neighbor password"
    ),
)
