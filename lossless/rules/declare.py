"""How a rule is declared, and the vocabulary it answers in.

A rule is one pure function in one file.  It is handed *views* that hold only the facets it asked
for, returns no names, and never formats output: the engine asks it once per distinct combination
of facets and binds the answer to every object that shares them.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from lossless.findings import Confidence, Severity
from lossless.rules.views import PortView


class Scope(enum.Enum):
    """What a rule is asked about: the type of its only positional argument (see `views`)."""

    PORT = "port"  # PortView
    LINK = "link"  # LinkView
    PATH = "path"  # PathView: one class, one sender, hop by hop
    DEVICE = "device"  # DeviceView
    FABRIC = "fabric"  # FabricView


class Status(enum.Enum):
    """How settled a rule is.  Preview rules run only when selected by name or profile."""

    STABLE = "stable"
    PREVIEW = "preview"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Something wrong.

    `message` may hold `{here}` and `{there}`, which become the folded names of the object at fault
    and of its peer.  `at` is the view at fault where the subject has several (an end of a link, a
    hop, a port of a device); `peer` the view to point at as related, with `peer_field`.  `field`
    and `peer_field` are dotted paths in the inventory's vocabulary; `or_fields` are asked in turn
    where `field` is written nowhere; a fault of the fabric itself gives an absolute path.
    `restore` names fields of which one was overridden wrongly: the fix puts the most particular
    one that overrides something back to what it overrides.  `severity` only ever lowers the rule's
    own.
    """

    message: str
    field: str | None = None
    or_fields: tuple[str, ...] = ()
    expected: Any = None
    actual: Any = None
    at: PortView | None = None
    peer: PortView | None = None
    peer_field: str | None = None
    severity: Severity | None = None
    confidence: Confidence = Confidence.CERTAIN
    fix: Any = None  # the value that mends `field`; `None`: no single value does
    restore: tuple[str, ...] = ()  # fields whose overridden value may mend it, before `fix`
    fix_safe: bool = True


@dataclass(frozen=True, slots=True)
class Missing:
    """The question cannot be asked: these fields were not told.  Reported as not checked."""

    fields: tuple[str, ...]
    at: PortView | None = None


@dataclass(frozen=True, slots=True)
class NotApplicable:
    """The question makes no sense here, and why."""

    reason: str


Answer: TypeAlias = Fault | Missing | NotApplicable
#: A rule's function.  The view's type is fixed by the scope; options come by keyword.
Check: TypeAlias = Callable[..., Iterable[Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A declared rule."""

    id: str
    name: str
    severity: Severity
    scope: Scope
    needs: tuple[str, ...]
    check: Check
    sources: tuple[str, ...]
    status: Status = Status.STABLE
    since: str = "0.1"
    options: Mapping[str, Any] = field(default_factory=dict)  # name → default
    units: Mapping[str, str] = field(default_factory=dict)  # option → what it measures, see UNITS

    @property
    def family(self) -> str:
        """The letters of the id: "PFC" of "PFC001"."""
        return self.id[:-3]

    @property
    def module(self) -> str:
        """The module that holds the function; its page lies beside it as `<module>.md`."""
        return self.check.__module__

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (self.check.__doc__ or "").strip().splitlines()[0]


_ID = re.compile(r"[A-Z]{2,4}[0-9]{3}\Z")
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
#: What an option may measure: bit/s, ns, mm, ppm of a whole, bytes.
UNITS = frozenset({"rate", "time", "length", "share", "size"})
_NEEDS = frozenset(PortView.__slots__) | {"cable", "system"}


def rule(
    id: str,
    *,
    name: str,
    severity: Severity,
    scope: Scope,
    needs: tuple[str, ...],
    sources: tuple[str, ...],
    status: Status = Status.STABLE,
    since: str = "0.1",
    options: Mapping[str, Any] | None = None,
    units: Mapping[str, str] | None = None,
) -> Callable[[Check], Rule]:
    """Declare a rule.  Raises `ValueError` at import where the declaration is not whole.

    `options` gives the default of each option, in base units; `units` says which of them measure
    something, so that a person writes them with a unit ("200ms").
    """

    def declare(check: Check) -> Rule:
        _refuse(not _ID.match(id), f"{id!r} is not a rule id such as PFC001")
        _refuse(not _NAME.match(name), f"{id}: {name!r} is not a kebab-case name")
        _refuse(not needs, f"{id}: a rule must say which facets it needs")
        _refuse(not set(needs) <= _NEEDS, f"{id}: unknown needs {set(needs) - _NEEDS}")
        _refuse(not sources, f"{id}: a rule must name its source")
        _refuse(not set(units or {}) <= set(options or {}), f"{id}: units of no option")
        _refuse(not set((units or {}).values()) <= UNITS, f"{id}: units are {sorted(UNITS)}")
        _refuse(not (check.__doc__ or "").strip(), f"{id}: a rule must have a docstring")
        return Rule(
            id=id,
            name=name,
            severity=severity,
            scope=scope,
            needs=needs,
            check=check,
            sources=sources,
            status=status,
            since=since,
            options=dict(options or {}),
            units=dict(units or {}),
        )

    return declare


def _refuse(bad: bool, why: str) -> None:
    if bad:
        raise ValueError(why)
