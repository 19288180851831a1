"""The grammar of strings that reach a device, a shell or a file name: one pattern per kind.

No pattern lets through a quote, a backslash, a newline, a control character, `;`, `$`, a backtick,
`&`, `|`, `<` or `>`, and braces only where a template of a `for` stands.  Patterns are written in
the subset that Python's `re` and JSON Schema's ECMA 262 read alike, so that an editor checks the
same.  A text passes only if the whole of it matches.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import Final

from lossless.inventory.scalars import ScalarError, show, text_of

#: A bracketed list of numbers and ranges; the node set module reads it later.
BRACKETS: Final = r"\[[0-9,/ -]*\]"

NAME: Final = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}"
SLUG: Final = r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}"
DEVICES: Final = rf"(?:[A-Za-z0-9_]|{BRACKETS})(?:[A-Za-z0-9_., -]|{BRACKETS}){{0,4000}}"
PORTS: Final = rf"(?:[A-Za-z0-9_]|{BRACKETS})(?:[A-Za-z0-9_.,/: -]|{BRACKETS}){{0,4000}}"
TEMPLATE: Final = r"\{[A-Za-z0-9_+*/%(): -]{1,200}\}"
NAME_OR_TEMPLATE: Final = (
    rf"(?:[A-Za-z0-9_]|{BRACKETS}|{TEMPLATE})(?:[A-Za-z0-9_.,/: -]|{BRACKETS}|{TEMPLATE}){{0,400}}"
)
END: Final = (
    rf"(?:[A-Za-z0-9_.-]|{BRACKETS}|{TEMPLATE}){{1,200}}:"
    rf"(?:\?|(?:[A-Za-z0-9_.,/:-]|{BRACKETS}|{TEMPLATE}){{1,200}})"
)
WORDS: Final = r"[A-Za-z0-9][A-Za-z0-9 _.,()+~/:-]{0,99}"
USER: Final = r"[A-Za-z_][A-Za-z0-9_.-]{0,63}"
HOST: Final = r"[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,252})"
ADDRESS: Final = r"[A-Za-z0-9:](?:[A-Za-z0-9_.:%-]{0,252})"
ADDRESSES: Final = rf"(?:[A-Za-z0-9_.:%, -]|{BRACKETS}){{1,4000}}"
PCI: Final = r"(?:[0-9a-fA-F]{4}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"
PCI_SET: Final = rf"(?:[0-9a-fA-F:.,]|{BRACKETS}){{1,400}}"
VARIABLE: Final = r"[A-Za-z_][A-Za-z0-9_]{0,127}"
SETTING: Final = r"[A-Za-z0-9_.,:=^/+%@~*\[\]-]{1,500}"
ALIAS: Final = r"[A-Za-z0-9](?:[A-Za-z0-9 _.,/:()#+-]{0,127})"
ALIASES: Final = rf"(?:[A-Za-z0-9 _.,/:()#+-]|{BRACKETS}){{1,400}}"
NUMBERS: Final = r"[0-9,/ \[\]-]{1,400}"
LENGTHS: Final = rf"(?:[0-9.,a-z ]|{BRACKETS}){{1,400}}"
RULE: Final = r"[A-Z]{2,4}[0-9]{3}"
INDEX: Final = r"[A-Za-z_][A-Za-z0-9_]{0,31}"
APPLICATION: Final = r"(?:(?:udp|tcp) [0-9]{1,5}|ethertype 0x[0-9a-fA-F]{4})"
#: What people read and devices only keep: anything printable on one line.
LINE: Final = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff]{1,1000}"


def matching(pattern: str, what: str, hint: str) -> Callable[[object], str]:
    """Make a reader of texts that match a pattern as a whole."""

    def read(value: object) -> str:
        text = text_of(value, what)
        if re.fullmatch(pattern, text) is None:  # compiled at first use, kept by `re`
            raise ScalarError(f"{show(text)} is not {what}", hint)
        return text

    return read


_address = matching(ADDRESS, "an IP address or host name", "write 192.0.2.1, 2001:db8::1 or a name")


#: One PCI address.
pci = matching(PCI, "a PCI address", "write 0000:17:00.0")


def address(value: object) -> str:
    """Return one IP address or host name.  Raises `ScalarError` for anything else."""
    text = _address(value)
    plain = text.partition("%")[0]
    looks_numeric = ":" in plain or re.fullmatch(r"[0-9.]+", plain)
    if looks_numeric:
        try:
            ipaddress.ip_address(plain)
        except ValueError:
            raise ScalarError(
                f"{show(text)} is not an IP address", "write 192.0.2.1 or 2001:db8::1"
            ) from None
    elif "%" in text or ".." in text or text.endswith("-"):
        raise ScalarError(
            f"{show(text)} is not a host name", "write a name such as leaf01.example.net"
        )
    return text


def description(value: object) -> str:
    """Return a text for people: printable, on one line."""
    text = text_of(value, "a text")
    if not re.fullmatch(LINE, text) or not all(c.isprintable() for c in text):
        raise ScalarError(
            f"{show(text)} is not a printable text on one line", "remove control characters"
        )
    return text
