"""Kinds of scalar that the inventory's schema is written in.

A kind is an `Annotated` type: the static type that readers of a declaration see, and a `Reader`
with the function that makes it from text and the JSON Schema that an editor checks.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from lossless.inventory import grammar, scalars
from lossless.model.classes import PortRole
from lossless.model.classification import Trust
from lossless.model.link import Fec, Medium, VlanMode
from lossless.model.pfc import DcbOwner, PfcMode, WatchdogAction
from lossless.model.rdma import RoceVersion
from lossless.model.scheduling import Algorithm
from lossless.model.units import Alpha, Bandwidth, Cap, Quantity
from lossless.model.values import OFF, Mark

Json: TypeAlias = dict[str, Any]


class Told(enum.Enum):
    """A word about a value: `unknown` is written where nobody can tell."""

    UNKNOWN = "unknown"

    def __repr__(self) -> str:
        return self.name


UNKNOWN: Final = Told.UNKNOWN
Unknown: TypeAlias = Literal[Told.UNKNOWN]
Off: TypeAlias = Literal[Mark.OFF]


class Pcie(NamedTuple):
    """A slot: generation (1-7) and width in lanes."""

    generation: int
    width: int


class Breakout(NamedTuple):
    """How a port is split: how many sub-ports, each in bit/s, over how many lanes in all."""

    ports: int
    speed: int
    lanes: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """How a scalar (or a small list) becomes a value, and what an editor is told about it."""

    read: Callable[[Any], Any]
    json: Json


@dataclass(frozen=True, slots=True, eq=False)
class Shorthand:
    """Words that may stand where a mapping is expected, and what each stands for."""

    words: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Before:
    """A change of shape between what is written and what a mapping holds."""

    change: Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Keys:
    """What the keys of a mapping are."""

    read: Callable[[Any], Any]
    pattern: str


def _pattern(pattern: str, examples: list[str] | None = None) -> Json:
    said: Json = {"type": "string", "pattern": f"^(?:{pattern})$"}
    return {**said, "examples": examples} if examples else said


def _any(*parts: Json) -> Json:
    return {"anyOf": list(parts)}


_YES: Final = {"on": True, "true": True, "yes": True}
_NO: Final = {"off": OFF, "false": OFF, "no": OFF, "none": OFF}
_ON_OFF: Final[Json] = {"enum": [True, False, "on", "off", "yes", "no", "none"]}


def _whole(low: int, high: int, what: str) -> Reader:
    json = {"type": "integer", "minimum": low, "maximum": high}
    return Reader(scalars.whole(low, high, what), json)


def _word(words: Mapping[str, Any], what: str) -> Reader:
    listed: list[Any] = list(words)
    listed += [b for b, name in ((True, "true"), (False, "false")) if name in words]
    return Reader(scalars.word(words, what), {"enum": listed})


def _enum(kind: type[enum.Enum], what: str) -> Reader:
    return _word({str(member.value): member for member in kind}, what)


def _text(pattern: str, what: str, hint: str, *, number: bool = False) -> Reader:
    json = _pattern(pattern)
    return Reader(
        grammar.matching(pattern, what, hint), _any(json, {"type": "number"}) if number else json
    )


def _zipped(one: Reader, within: str) -> Reader:
    listed = {"type": "array", "items": one.json, "minItems": 1}
    json = _any(one.json, listed, _pattern(rf"(?=[^\[]*\[){within}"))
    return Reader(scalars.zipped(one.read, within), json)


_RANGES: Final = r"[0-9]+(?:-[0-9]+(?:/[0-9]+)?)?(?:, ?[0-9]+(?:-[0-9]+(?:/[0-9]+)?)?)*"


def _number_json(low: int, high: int) -> Json:
    one: Json = _any({"type": "integer", "minimum": low, "maximum": high}, _pattern(_RANGES))
    return _any(*one["anyOf"], {"type": "array", "items": one, "uniqueItems": True})


def _numbers(low: int, high: int, what: str) -> Reader:
    return Reader(scalars.numbers(low, high, what), _number_json(low, high))


# Measures -----------------------------------------------------------------------------------------
_RATE: Final = Reader(
    scalars.rate, _pattern(r"[0-9]+(?:\.[0-9]+)? ?[kKmMgGtT](?:b|bit|bps|b/s|bit/s)?", ["400G"])
)
_LENGTH: Final = Reader(scalars.length, _pattern(r"[0-9]+(?:\.[0-9]+)? ?(?:mm|cm|m|km)", ["3m"]))
_SIZE_PATTERN: Final = (
    r"[0-9]+(?:\.[0-9]+)? ?(?:B|bytes?|[kK]B|[MG]B|[KMG]iB|[km]bytes|cells|segments|packets"
    r"|% of (?:queue|pool)"
)
_SHARE_PATTERN: Final = r"[0-9]+(?:\.[0-9]+)? ?(?:%|ppm)"
_SHARE_JSON: Final = _pattern(_SHARE_PATTERN, ["60%"])
_RATIO_JSON: Final = _any(
    {"type": "number", "exclusiveMinimum": 0}, _pattern(r"[0-9]+(?:\.[0-9]+)?/[0-9]+")
)

Rate: TypeAlias = Annotated[int, _RATE]
Time: TypeAlias = Annotated[
    int, Reader(scalars.time, _pattern(r"[0-9]+(?:\.[0-9]+)? ?(?:ns|us|µs|ms|s)", ["200ms"]))
]
Length: TypeAlias = Annotated[int, _LENGTH]
Size: TypeAlias = Annotated[
    Quantity, Reader(scalars.size, _pattern(_SIZE_PATTERN + ")", ["150KB", "10 kbytes"]))
]
Threshold: TypeAlias = Annotated[
    Quantity, Reader(scalars.threshold, _pattern(_SIZE_PATTERN + "|ns|us|µs|ms)", ["150KB"]))
]
Share: TypeAlias = Annotated[int, Reader(scalars.share, _SHARE_JSON)]
_shares: Final[Json] = {
    **dict.fromkeys(("ets", "remaining", "line", "guaranteed"), _SHARE_JSON),
    "weight": {"type": "integer", "minimum": 1, "maximum": 65535},
}
BandwidthValue: TypeAlias = Annotated[
    Bandwidth,
    Reader(
        scalars.bandwidth,
        _any(
            _SHARE_JSON,
            {
                "type": "object",
                "properties": _shares,
                "additionalProperties": False,
                "minProperties": 1,
                "maxProperties": 1,
            },
        ),
    ),
]
CapValue: TypeAlias = Annotated[Cap, Reader(scalars.cap, _any(_SHARE_JSON, _RATE.json))]
AlphaValue: TypeAlias = Annotated[
    Alpha,
    Reader(
        scalars.alpha,
        _any(
            _RATIO_JSON,
            {
                "type": "object",
                "properties": {"index": {"type": "integer", "minimum": 0, "maximum": 255}},
                "required": ["index"],
                "additionalProperties": False,
            },
        ),
    ),
]
Oversubscription: TypeAlias = Annotated[int, Reader(scalars.oversubscription, _RATIO_JSON)]

# Numbers ------------------------------------------------------------------------------------------
Dscps: TypeAlias = Annotated[frozenset[int], _numbers(0, 63, "a DSCP")]
Priorities: TypeAlias = Annotated[frozenset[int], _numbers(0, 7, "a priority")]
Pcps: TypeAlias = Annotated[frozenset[int], _numbers(0, 7, "a PCP")]
Vlans: TypeAlias = Annotated[frozenset[int], _numbers(1, 4094, "a VLAN id")]
Rails: TypeAlias = Annotated[frozenset[int], _numbers(0, 65535, "a rail")]
_also = scalars.either({"rest": "rest"}, scalars.numbers(0, 63, "a DSCP"))
Also: TypeAlias = Annotated[
    frozenset[int] | Literal["rest"], Reader(_also, _any(_number_json(0, 63), {"const": "rest"}))
]
Indexes: TypeAlias = Annotated[
    tuple[int, ...],
    Reader(scalars.ordered(0, 10**9, "an index"), _number_json(0, 10**9)),
]
Priority: TypeAlias = Annotated[int, _whole(0, 7, "a priority")]
Pcp: TypeAlias = Annotated[int, _whole(0, 7, "a PCP")]
Dscp: TypeAlias = Annotated[int, _whole(0, 63, "a DSCP")]
Queue: TypeAlias = Annotated[int, _whole(0, 15, "a queue or traffic class")]
TosByte: TypeAlias = Annotated[int, _whole(0, 255, "a traffic class byte, DSCP x 4 + ECN")]
VlanId: TypeAlias = Annotated[int, _whole(1, 4094, "a VLAN id")]
Bytes: TypeAlias = Annotated[int, _whole(68, 65535, "a size in bytes")]
Lanes: TypeAlias = Annotated[int, _whole(1, 16, "a number of lanes")]
Exponent: TypeAlias = Annotated[int, _whole(0, 31, "an exponent of the average")]
Count: TypeAlias = Annotated[int, _whole(0, 10**9, "a count")]
TcpPort: TypeAlias = Annotated[int, _whole(1, 65535, "a TCP port")]
Format: TypeAlias = Annotated[
    Literal[1], Reader(scalars.word({"1": 1}, "the format number"), {"const": 1})
]

# Words --------------------------------------------------------------------------------------------
Yes: TypeAlias = Annotated[
    Literal[True, Mark.OFF], Reader(scalars.word(_YES | _NO, "on or off"), _ON_OFF)
]
_lossless: Final = {**_YES, **_NO, "unknown": UNKNOWN}
LosslessValue: TypeAlias = Annotated[
    Literal[True, Mark.OFF, Told.UNKNOWN],
    Reader(
        scalars.word(_lossless, "true, false, none or unknown"),
        {"enum": [True, False, "none", "unknown", "on", "off", "yes", "no"]},
    ),
]
_sides = scalars.either(_YES | _NO, scalars.numbers(0, 7, "a priority"))
PrioritySide: TypeAlias = Annotated[
    frozenset[int] | Literal[True, Mark.OFF], Reader(_sides, _any(_ON_OFF, _number_json(0, 7)))
]
_priority_set = scalars.either({"none": frozenset()}, scalars.numbers(0, 7, "a priority"))
PrioritySet: TypeAlias = Annotated[
    frozenset[int], Reader(_priority_set, _any({"const": "none"}, _number_json(0, 7)))
]
Mode: TypeAlias = Annotated[
    PfcMode | Off,
    _word({"on": PfcMode.ON, "true": PfcMode.ON, "auto": PfcMode.AUTO, **_NO}, "a PFC mode"),
]
TrustValue: TypeAlias = Annotated[Trust, _enum(Trust, "what is trusted")]
Action: TypeAlias = Annotated[WatchdogAction, _enum(WatchdogAction, "a watchdog's action")]
Owner: TypeAlias = Annotated[DcbOwner, _enum(DcbOwner, "the owner of DCB settings")]
FecValue: TypeAlias = Annotated[Fec, _enum(Fec, "a FEC")]
MediumValue: TypeAlias = Annotated[Medium, _enum(Medium, "a medium")]
VlanModeValue: TypeAlias = Annotated[VlanMode, _enum(VlanMode, "a VLAN mode")]
PortRoleValue: TypeAlias = Annotated[PortRole, _enum(PortRole, "a port's role")]
Scheduler: TypeAlias = Annotated[Algorithm, _enum(Algorithm, "a scheduler")]
CmMode: TypeAlias = Annotated[RoceVersion, _enum(RoceVersion, "a RoCE version")]
DEVICE_ROLES: Final = ("leaf", "spine", "super-spine")
DeviceRole: TypeAlias = Annotated[
    Literal["leaf", "spine", "super-spine"],
    _word({name: name for name in DEVICE_ROLES}, "a device's role"),
]
_cc: Final = {
    name: name
    for name in ("dcqcn", "spectrum-x", "ztr-rttcc", "programmable", "timely", "dctcp", "hpcc")
}
CongestionControlValue: TypeAlias = Annotated[
    str | Mark | Told,
    _word({**_cc, "none": OFF, "off": OFF, "unknown": UNKNOWN}, "a congestion control"),
]
_mtu = scalars.either({"native-max": "native-max"}, scalars.whole(68, 65535, "a size in bytes"))
MtuValue: TypeAlias = Annotated[
    int | Literal["native-max"],
    Reader(
        _mtu, _any({"type": "integer", "minimum": 68, "maximum": 65535}, {"const": "native-max"})
    ),
]
TunnelDscp: TypeAlias = Annotated[
    Literal["uniform", "pipe"],
    _word({"uniform": "uniform", "pipe": "pipe"}, "a tunnel's DSCP mode"),
]
TunnelEcn: TypeAlias = Annotated[
    Literal["copy", "ignore"], _word({"copy": "copy", "ignore": "ignore"}, "a tunnel's ECN mode")
]
BufferModel: TypeAlias = Annotated[
    Literal["traditional", "dynamic"],
    _word({"traditional": "traditional", "dynamic": "dynamic"}, "a buffer model"),
]
PoolMode: TypeAlias = Annotated[
    Literal["static", "dynamic"], _word({"static": "static", "dynamic": "dynamic"}, "a pool's mode")
]
Direction: TypeAlias = Annotated[
    Literal["ingress", "egress"], _word({"ingress": "ingress", "egress": "egress"}, "a direction")
]
Dialect: TypeAlias = Annotated[
    Literal["ieee", "cee", "cin"],
    _word({"ieee": "ieee", "cee": "cee", "cin": "cin"}, "a DCBX dialect"),
]
