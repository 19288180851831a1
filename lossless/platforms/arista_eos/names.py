"""Names on EOS: interfaces, ranges of them, and what may be written to a device.

Interfaces are named in full (`Ethernet1/1`), as EOS's own configuration and JSON do; text tables
shorten them (`Et1/1`).
"""

from __future__ import annotations

import re
from typing import Final

#: Ports that carry traffic and hence settings of ours.
PORT: Final = re.compile(r"(?:Ethernet|Port-Channel)\d{1,4}(?:/\d{1,3}){0,2}")
#: Names of profiles that we write.  EOS accepts more; what it prints and we do not accept is
#: refused rather than quoted, because its command line has no quoting for names.
NAME: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.:/@+-]{0,127}")

_SHORT: Final = {
    "et": "Ethernet",
    "eth": "Ethernet",
    "ethernet": "Ethernet",
    "po": "Port-Channel",
    "port-channel": "Port-Channel",
}
_SPELLED: Final = re.compile(r"(?i)(ethernet|eth|et|port-channel|po)\s*([\d/,\-\s]+)")
_PART: Final = re.compile(r"((?:\d{1,4}/){0,2})(\d{1,4})(?:-((?:\d{1,4}/){0,2})(\d{1,4}))?")
_MOST: Final = 4096  # no EOS box has as many ports; a range beyond it is damage


def is_port(name: str) -> bool:
    """Say whether a name is one port in EOS's own spelling."""
    return PORT.fullmatch(name) is not None


def is_name(name: str) -> bool:
    """Say whether a name of a profile may be written to a device."""
    return NAME.fullmatch(name) is not None


def full_name(name: str) -> str:
    """Return a port's full name (`Et1/1` → `Ethernet1/1`); anything else as it is."""
    found = _SPELLED.fullmatch(name.strip())
    if found is None:
        return name.strip()
    return _SHORT[found[1].lower()] + re.sub(r"\s", "", found[2])


def expand(spelled: str) -> tuple[str, ...]:
    """Return the ports that an `interface` line names, in order; `()` where it names none of ours.

    Accepts one port, comma lists and ranges whose ends share all but the last number
    (`Ethernet1/1-4`, `Ethernet 3/1-3/4,7`).
    """
    found = _SPELLED.fullmatch(spelled.strip())
    if found is None:
        return ()
    kind = _SHORT[found[1].lower()]
    names: list[str] = []
    for part in re.sub(r"\s", "", found[2]).split(","):
        numbers = _expand_part(part)
        if not numbers:
            return ()
        names += [kind + number for number in numbers]
        if len(names) > _MOST:
            return ()
    return tuple(names) if all(is_port(name) for name in names) else ()


def _expand_part(part: str) -> list[str]:
    found = _PART.fullmatch(part)
    if found is None:
        return []
    prefix, low, other, high = found[1], int(found[2]), found[3], found[4]
    if high is None:
        return [f"{prefix}{low}"]
    if other and other != prefix:
        return []  # which of several numbers runs is not told by the text
    if not 0 <= int(high) - low < _MOST:
        return []
    return [f"{prefix}{number}" for number in range(low, int(high) + 1)]
