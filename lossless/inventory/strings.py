"""Kinds of text that the inventory's schema is written in: names, addresses, what people read."""

from __future__ import annotations

import re
from datetime import date
from typing import Annotated, Any, Final, TypeAlias

from lossless.inventory import grammar as g
from lossless.inventory import scalars
from lossless.inventory.kinds import (
    UNKNOWN,
    Breakout,
    Keys,
    Off,
    Pcie,
    Reader,
    Unknown,
    _any,
    _numbers,
    _pattern,
    _text,
    _whole,
    _zipped,
)
from lossless.inventory.scalars import ScalarError, show, text_of
from lossless.model.values import OFF

_NAMES_HINT: Final = "use letters, digits, '_', '.' and '-'"
_name = _text(g.NAME, "a name", _NAMES_HINT, number=True)
_slug = _text(g.SLUG, "a name", _NAMES_HINT, number=True)
_devices_hint = "use letters, digits, '_', '.', '-' and [a-b] for a set"
_names_hint = "use letters, digits, '_', '.', '-', '/' and [a-b] for a set"


def _keys(pattern: str, what: str, hint: str) -> Keys:
    return Keys(g.matching(pattern, what, hint), pattern)


def _words(kind: Reader, words: dict[str, Any]) -> Reader:
    return Reader(scalars.either(words, kind.read), _any({"enum": list(words)}, kind.json))


# What people read ---------------------------------------------------------------------------------
Description: TypeAlias = Annotated[
    str, Reader(g.description, {"type": ["string", "number", "boolean"]})
]
_words_hint = "use letters, digits, spaces and _ . , ( ) + ~ / : -"
Model: TypeAlias = Annotated[str, _text(g.WORDS, "a model name", _words_hint, number=True)]
Version: TypeAlias = Annotated[str, _text(g.WORDS, "a version", _words_hint, number=True)]
Name: TypeAlias = Annotated[str, _name]
Slug: TypeAlias = Annotated[str, _slug]
PlatformName: TypeAlias = Annotated[
    str | Off | Unknown, _words(_slug, {"none": OFF, "unknown": UNKNOWN})
]
ClassName: TypeAlias = Annotated[str, _slug]

# Names and what zips with them --------------------------------------------------------------------
NameOrNames: TypeAlias = Annotated[str | list[str], _zipped(_name, g.DEVICES)]
RdmaNames: TypeAlias = Annotated[str | list[str], _zipped(_name, g.DEVICES)]
_plane = _text(g.SLUG, "a plane", _NAMES_HINT, number=True)
Planes: TypeAlias = Annotated[str | list[str], _zipped(_plane, g.DEVICES)]
_rail = _whole(0, 65535, "a rail")
RailNumbers: TypeAlias = Annotated[int | list[int] | str, _zipped(_rail, g.NUMBERS)]
_pci = _text(g.PCI, "a PCI address", "write 0000:17:00.0")
PciAddresses: TypeAlias = Annotated[str | list[str], _zipped(_pci, g.PCI_SET)]
_alias = _text(
    g.ALIAS, "an alias", "use letters, digits, spaces and _ . , / : ( ) # + -", number=True
)
Aliases: TypeAlias = Annotated[str | list[str], _zipped(_alias, g.ALIASES)]
_address = Reader(g.address, _pattern(g.ADDRESS, ["192.0.2.11", "2001:db8::11"]))
Addresses: TypeAlias = Annotated[str | list[str], _zipped(_address, g.ADDRESSES)]
_length = Reader(scalars.length, _pattern(r"[0-9]+(?:\.[0-9]+)? ?(?:mm|cm|m|km)", ["3m"]))
Lengths: TypeAlias = Annotated[int | list[int] | str, _zipped(_length, g.LENGTHS)]

User: TypeAlias = Annotated[str, _text(g.USER, "a user name", _NAMES_HINT)]
Jump: TypeAlias = Annotated[str, _text(g.HOST, "a Host of ssh_config", _NAMES_HINT)]
Vrf: TypeAlias = Annotated[str, _name]
PeerLink: TypeAlias = Annotated[
    str | Off, _words(_text(g.PORTS, "a port", _names_hint), {"none": OFF})
]
_end_hint = "write device:port, with 'device:?' where an external's port is unknown"
_end = _text(g.END, "an end of a link", _end_hint)
_plain_end = re.compile(r"[A-Za-z0-9_.-]{1,128}:[A-Za-z0-9_./:-]{1,128}").fullmatch


def _read_end(value: Any) -> str:
    if type(value) is str and _plain_end(value):  # the fabric written out in full: be quick
        return value
    return str(_end.read(value))


LinkEnd: TypeAlias = Annotated[str, Reader(_read_end, _end.json)]
EnvironmentValue: TypeAlias = Annotated[
    str,
    _text(
        g.SETTING,
        "the value of an environment variable",
        "use letters, digits and _ . , : = ^ / + % @ ~ * [ ] -, without spaces",
        number=True,
    ),
]
Reason: TypeAlias = Annotated[str, Reader(g.description, {"type": "string", "minLength": 1})]


def _day(value: Any) -> date:
    text = text_of(value, "a day")
    try:
        if re.fullmatch(_DAY, text):
            return date.fromisoformat(text)
    except ValueError:  # a day that no month has
        pass
    raise ScalarError(f"{show(value)} is not a day", "write year-month-day: 2026-12-31")


_DAY: Final = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
Day: TypeAlias = Annotated[date, Reader(_day, _pattern(_DAY, ["2026-12-31"]))]


def _raw_lines(value: Any) -> list[str]:
    items = value if isinstance(value, list) else [value]
    return [g.description(item) for item in items]


RawLines: TypeAlias = Annotated[
    list[str],
    Reader(_raw_lines, _any({"type": "string"}, {"type": "array", "items": {"type": "string"}})),
]


def _several(pattern: str, what: str) -> Reader:
    one = _text(pattern, what, _names_hint)

    def read(value: Any) -> str | list[str]:
        if isinstance(value, list):
            return [one.read(item) for item in value]
        return str(one.read(value))

    listed = {"type": "array", "items": one.json, "minItems": 1}
    return Reader(read, _any(one.json, listed))


#: Ports as a node set or a list, with `{expr}` where a `for` stands beside.
Members: TypeAlias = Annotated[
    str | list[str], _several(g.NAME_OR_TEMPLATE, "a port or a set of ports")
]
RdmaTemplate: TypeAlias = Annotated[str, _text(g.NAME_OR_TEMPLATE, "an RDMA device", _names_hint)]


def _selector(pattern: str, what: str) -> Reader:
    one = _text(pattern, what, _words_hint, number=True)

    def read(value: Any) -> str | list[str]:
        if isinstance(value, list):
            if not value:
                raise ScalarError(
                    "an empty list matches nothing", "leave the key out to match everything"
                )
            return [one.read(item) for item in value]
        return str(one.read(value))

    return Reader(read, _any(one.json, {"type": "array", "items": one.json, "minItems": 1}))


Selector: TypeAlias = Annotated[str | list[str], _selector(g.WORDS, "a name to match")]
DeviceSelector: TypeAlias = Annotated[str | list[str], _selector(g.DEVICES, "a set of devices")]
RailSelector: TypeAlias = Annotated[frozenset[int], _numbers(0, 65535, "a rail")]

# Small structures written as one word -------------------------------------------------------------
_PCIE = re.compile(r"gen([1-7]) ?x(1|2|4|8|16|32)")


def _read_pcie(value: Any) -> Pcie:
    text = text_of(value, "a PCIe slot such as gen5x16")
    match = _PCIE.fullmatch(text)
    if match is None:
        raise ScalarError(f"{show(text)} is not a PCIe slot", "write generation and width: gen5x16")
    return Pcie(int(match[1]), int(match[2]))


PcieSlot: TypeAlias = Annotated[Pcie, Reader(_read_pcie, _pattern(_PCIE.pattern, ["gen5x16"]))]
_BREAKOUT = re.compile(r"([1-9]|1[0-6])x([0-9]+(?:\.[0-9]+)?[GMT])(?:\(([1-9]|1[0-6])\))?")


def _read_breakout(value: Any) -> Breakout:
    text = text_of(value, "a breakout such as 2x400G")
    match = _BREAKOUT.fullmatch(text)
    if match is None:
        raise ScalarError(
            f"{show(text)} is not a breakout", "write 2x400G, or 2x400G(4) with the lanes"
        )
    lanes = int(match[3]) if match[3] else None
    return Breakout(int(match[1]), scalars.rate(match[2]), lanes)


_breakout = Reader(_read_breakout, _pattern(_BREAKOUT.pattern, ["2x400G"]))
BreakoutValue: TypeAlias = Annotated[Breakout | Off, _words(_breakout, {"none": OFF})]

# Keys of mappings ---------------------------------------------------------------------------------
DeviceKey: TypeAlias = Annotated[
    str, _keys(g.DEVICES, "a device name or a set of them", _devices_hint)
]
PortKey: TypeAlias = Annotated[str, _keys(g.PORTS, "a port name or a set of them", _names_hint)]
NameKey: TypeAlias = Annotated[str, _keys(g.SLUG, "a name", _NAMES_HINT)]
VariableKey: TypeAlias = Annotated[
    str, _keys(g.VARIABLE, "the name of an environment variable", "use letters, digits and '_'")
]
IndexKey: TypeAlias = Annotated[str, _keys(g.INDEX, "the name of an index", "write {n: 1-8}")]
RuleKey: TypeAlias = Annotated[str, _keys(g.RULE, "the id of a rule", "write PFC002")]
ApplicationKey: TypeAlias = Annotated[
    str, _keys(g.APPLICATION, "an application", "write 'udp 4791' or 'ethertype 0x8915'")
]
RoleKey: TypeAlias = Annotated[
    str,
    _keys(
        r"leaf|spine|super-spine|host|fabric|peer|management|other|unused",
        "a role of a device or port",
        "one of leaf, spine, super-spine, host, fabric, peer, management, other, unused",
    ),
]
VlanKey: TypeAlias = Annotated[str, _keys(r"[1-9][0-9]{0,3}", "a VLAN id", "write 711")]
PriorityKey: TypeAlias = Annotated[str, _keys(r"[0-7]", "a priority (0 to 7)", "write 4")]
SourceKey: TypeAlias = Annotated[
    str, _keys(r"[A-Za-z0-9_.-]{1,200}", "a dotted path", "write classes.roce.dscp")
]
