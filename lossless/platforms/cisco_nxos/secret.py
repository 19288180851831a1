"""Where NX-OS shows secrets."""

from __future__ import annotations

from typing import Final

from lossless.snapshot.redaction import VALUE, Confidential

#: How a secret is encrypted, or that it is not.
_HOW: Final = r"(?:(?:0|3|5|6|7|8|9|encrypted|cleartext)[ \t]+)?"
_SECURITY: Final = "NX-OS Security Configuration Guide, "
_SYSTEM: Final = "NX-OS System Management Configuration Guide, "
_ROUTING: Final = "NX-OS Unicast Routing Configuration Guide, "

SECRETS: Final = (
    Confidential(
        rf"^.*?\b(?:password|secret)[ \t]+{_HOW}(?!(?:strength-check|secure-mode|prompt)\b){VALUE}",
        _SECURITY + '"Configuring User Accounts"; BGP, MSDP and LDP passwords; LDAP rootDN',
    ),
    Confidential(rf"\bsnmp-server community[ \t]+{VALUE}", _SYSTEM + '"Configuring SNMP"'),
    Confidential(
        r"\bsnmp-server host[ \t]+\S+[ \t]+(?:(?:traps|informs)[ \t]+)?version (?:1|2c)[ \t]+"
        + VALUE,
        _SYSTEM + '"Configuring SNMP": the community of a receiver',
    ),
    Confidential(
        r"\bsnmp-server host[ \t]+\S+[ \t]+(?:(?:traps|informs)[ \t]+)?"
        r"(?!version\b|traps\b|informs\b|use-vrf\b|filter-vrf\b|source-interface\b|udp-port\b)"
        + VALUE,
        _SYSTEM + '"Configuring SNMP": a receiver without a version',
    ),
    Confidential(
        r"\bsnmp-server user\b.*?\bauth[ \t]+(?:md5|sha(?:-\d+)?)[ \t]+" + VALUE,
        _SYSTEM + '"Configuring SNMP": digests of users',
    ),
    Confidential(
        r"\bsnmp-server user\b.*?\bpriv[ \t]+(?:(?:aes-128|des)[ \t]+)?" + VALUE,
        _SYSTEM + '"Configuring SNMP": digests of users',
    ),
    Confidential(
        rf"\b(?:radius|tacacs|ldap)-server\b.*?\bkey[ \t]+{_HOW}{VALUE}",
        _SECURITY + '"Configuring RADIUS", "Configuring TACACS+"',
    ),
    Confidential(
        rf"\bntp authentication-key[ \t]+\S+[ \t]+\S+[ \t]+{VALUE}",
        _SYSTEM + '"Configuring NTP"',
    ),
    Confidential(
        rf"^.*?\b(?:authentication-key|message-digest-key[ \t]+\S+[ \t]+\S+|key-string|"
        rf"key-octet-string|pre-shared-key|passphrase|shared-secret)[ \t]+{_HOW}{VALUE}",
        _ROUTING + "OSPF, HSRP, key chains; MACsec keys",
    ),
    Confidential(
        rf"^[ \t]*authentication (?:text|ah-md5)[ \t]+{_HOW}{VALUE}",
        _ROUTING + "HSRP, VRRP and GLBP: authentication text",
    ),
    Confidential(
        rf"^.*?\bhello-authentication ah-md5[ \t]+{_HOW}{VALUE}",
        "NX-OS Multicast Routing Configuration Guide: ip pim hello-authentication",
    ),
)
