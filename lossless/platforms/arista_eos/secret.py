"""Where EOS shows secrets."""

from __future__ import annotations

from typing import Final

from lossless.snapshot.redaction import REST, VALUE, Confidential

#: How a secret is encrypted, or that it is not: "0", "5", "7", "8a", "sha512", …
_HOW: Final = r"(?:(?:0|5|7|8a|sha512|sha256|md5|nthash|encrypted)[ \t]+)?"
_MANUAL: Final = "EOS User Manual, "

SECRETS: Final = (
    Confidential(
        rf"^.*?\b(?:password|secret)[ \t]+{_HOW}(?!(?:minimum|policy|encryption|sha512$)\b){VALUE}",
        _MANUAL + '"User Security": username, enable, aaa root; BGP neighbor and LDP passwords',
    ),
    Confidential(
        rf"\bsnmp-server community[ \t]+{VALUE}", _MANUAL + '"SNMP": snmp-server community'
    ),
    Confidential(
        r"\bsnmp-server host[ \t]+(?:(?!version\b)\S+[ \t]+)*version (?:1|2c)[ \t]+" + VALUE,
        _MANUAL + '"SNMP": snmp-server host, whose community is a word without a keyword',
    ),
    Confidential(
        r"\bsnmp-server host[ \t]+\S+[ \t]+(?:(?:vrf \S+|traps|informs)[ \t]+)*"
        r"(?!version\b|vrf\b|traps\b|informs\b)" + VALUE,
        _MANUAL + '"SNMP": snmp-server host without a version',
    ),
    Confidential(
        r"\bsnmp-server user\b.*?\bauth[ \t]+\S+[ \t]+" + VALUE, _MANUAL + '"SNMP": v3 users'
    ),
    Confidential(
        r"\bsnmp-server user\b.*?\bpriv[ \t]+\S+[ \t]+" + VALUE, _MANUAL + '"SNMP": v3 users'
    ),
    Confidential(
        rf"\b(?:radius|tacacs|ldap)-server\b.*?\bkey[ \t]+{_HOW}{VALUE}",
        _MANUAL + '"AAA": radius-server and tacacs-server keys',
    ),
    Confidential(
        rf"\b(?:ntp|sntp) authentication-key[ \t]+\S+[ \t]+\S+[ \t]+{_HOW}{VALUE}",
        _MANUAL + '"NTP": ntp authentication-key',
    ),
    Confidential(
        rf"^.*?\b(?:authentication-key|message-digest-key[ \t]+\S+[ \t]+\S+|key-string|"
        rf"shared-key|shared-secret|pre-shared-key|passphrase)[ \t]+{_HOW}{VALUE}",
        _MANUAL + "OSPF, VRRP, IPsec and 802.1X keys",
    ),
    Confidential(
        r"^[ \t]*(?:isis[ \t]+)?authentication key(?:-id \S+)?(?:[ \t]+algorithm \S+ key)?[ \t]+"
        rf"{_HOW}{VALUE}",
        _MANUAL + '"IS-IS": authentication key',
    ),
    Confidential(
        rf"^[ \t]*key[ \t]+[0-9a-fA-F]{{2,}}[ \t]+(?:0|7|8a)[ \t]+{VALUE}",
        _MANUAL + '"MACsec": key CKN 7 CAK',
    ),
    Confidential(
        r"-(?:cv|ingest)auth[= ](?:key|token-secure)?,?" + VALUE,
        "TerminAttr's help: -cvauth=key,SECRET and -ingestauth=key,SECRET",
    ),
    Confidential(
        rf"^[ \t]*(?:authorization|api-key|auth-token)[ \t]+{REST}",
        _MANUAL + '"Telemetry": tokens of monitoring services',
    ),
)
