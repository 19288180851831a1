"""What the tool says: findings, what it could not check, and where things are written.

A finding names the objects and fields in the inventory's vocabulary; its location is found only
when there is a finding, through a `Provenance`.
"""

from __future__ import annotations

import enum
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol


class Severity(enum.IntEnum):
    """How bad a finding is; comparable, `ERROR` highest."""

    INFO = 1
    WARNING = 2
    ERROR = 3

    @property
    def word(self) -> str:
        """The word used in reports and on the command line."""
        return self.name.lower()


class Confidence(enum.Enum):
    """How sure a finding is.  An estimate is never an error."""

    CERTAIN = "certain"
    LIKELY = "likely"
    ESTIMATE = "estimate"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file; `line` and `column` count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that can be written somewhere: a device, a port of it, or a link.

    Exactly one of `device` and `link` is set; `link` is the number of an expanded link.  With
    neither, the target is the fabric itself.
    """

    device: str | None = None
    port: str | None = None
    link: int | None = None

    def __str__(self) -> str:
        if self.link is not None:
            return f"link {self.link}"
        if self.port is not None:
            return f"{self.device}:{self.port}"
        return self.device or "fabric"


@dataclass(frozen=True, slots=True)
class Beneath:
    """What a field would say if the statement in force were not written, and who says so.

    `value` is the text that stands there, or that of a list's members; `height` orders the
    statements in force on one target, the most particular highest.
    """

    value: str | tuple[str, ...]
    location: Location
    height: int


class Provenance(Protocol):
    """Finds where a value was written.

    For `Target()` (the fabric itself) the field is an absolute path in the inventory
    ("policy.overrides.0").
    """

    def locate(self, target: Target, field: str) -> Location | None:
        """Return the place of a field in force on a target.

        `field` is a dotted path in the inventory's vocabulary ("pfc.priorities",
        "classes.roce.priority", "speed", "cable").  Where the leaf itself is written nowhere, the
        nearest enclosing key that is; `None` where nothing about it is written.  The empty field
        asks for the target itself.
        """

    def written(self, target: Target, field: str) -> Location | None:
        """Return the place of the leaf itself; `None` where only a key around it is written."""

    def beneath(self, target: Target, field: str) -> Beneath | None:
        """Return what the statement in force overrides.

        `None` where the leaf is not written, where nothing is beneath it, or where that says the
        same.
        """


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a reader of a finding wants to see."""

    location: Location
    message: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one scalar (or list) that would mend a finding.  `safe`: may be made unasked."""

    description: str
    location: Location | None
    path: str
    value: Any
    safe: bool = True


@dataclass(frozen=True, slots=True)
class InlineIgnore:
    """A comment `# lossless: ignore[PFC002,MTU001] reason` in a file of the inventory.

    It covers findings located on its own line or, where the comment stands alone on its line, on
    the next line that holds anything else; `covers` is that line.
    """

    rules: tuple[str, ...]
    reason: str
    location: Location
    covers: int


@dataclass(frozen=True, slots=True)
class KeyedIgnore:
    """An entry of `lint: {ignore: {PFC002: reason}}` in force on an object."""

    rule: str
    reason: str
    path: str  # absolute dotted path in the inventory: its identity, for "unused" reports


@dataclass(frozen=True, slots=True)
class Maintenance:
    """A mark `maintenance: {until: 2026-12-31, reason: …}` in force on an object.

    Findings about it are accepted up to and including that day, in UTC.
    """

    until: date
    reason: str
    path: str  # absolute dotted path in the inventory


class Suppressions(Protocol):
    """Where the inventory says that a finding is accepted."""

    def inline(self) -> Sequence[InlineIgnore]:
        """Return the comments that suppress, over all files."""

    def all_keyed(self) -> Sequence[KeyedIgnore]:
        """Return every keyed entry that is written anywhere."""

    def keyed(self, target: Target) -> Sequence[KeyedIgnore]:
        """Return the keyed entries in force on a target."""

    def all_maintenance(self) -> Sequence[Maintenance]:
        """Return every mark of maintenance that is written anywhere."""

    def maintenance(self, target: Target) -> Sequence[Maintenance]:
        """Return the marks of maintenance in force on a target."""


class Accepted(Protocol):
    """Findings that were accepted beforehand, by what they say (see `lossless.baseline`)."""

    def accepts(
        self, rule: str, field: str | None, expected: Any, actual: Any, objects: Sequence[str]
    ) -> bool:
        """Say whether a finding about all of some objects is accepted, and note that it was."""


@dataclass(frozen=True, slots=True)
class Suppression:
    """Why a finding is not reported: who said so, where, and the reason given."""

    kind: str  # "inline", "keyed", "maintenance" or "baseline"
    reason: str
    location: Location | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault, folded over every object that shares its cause.

    `objects` are folded names ("leaf[01-02]:Ethernet[1-8]/1"); `count` is how many objects they
    stand for; `touches` says what suffers ("hosts gpu[01-08]", "rail 2").
    """

    rule: str
    name: str
    severity: Severity
    message: str
    objects: tuple[str, ...]
    field: str | None = None
    expected: Any = None
    actual: Any = None
    location: Location | None = None
    related: tuple[Related, ...] = ()
    confidence: Confidence = Confidence.CERTAIN
    edit: Edit | None = None
    touches: tuple[str, ...] = ()
    count: int = 1
    suppressed: Suppression | None = None

    @property
    def fingerprint(self) -> str:
        """A name of the fault that survives moved lines: rule, objects, field and values."""
        said = [self.rule, self.objects, self.field, self.expected, self.actual]
        text = json.dumps(said, default=str, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class NotChecked:
    """A question that could not be asked, because something was not told."""

    rule: str
    objects: tuple[str, ...]
    missing: tuple[str, ...]
    count: int = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with the input itself: what was read, what was expected, what to do."""

    message: str
    location: Location | None = None
    hint: str | None = None
    related: tuple[Related, ...] = ()

    def __str__(self) -> str:
        where = f"{self.location}: " if self.location else ""
        return f"{where}{self.message}" + (f" ({self.hint})" if self.hint else "")


class InputError(Exception):
    """Bad input: every problem that was found, not only the first.  The command exits 2."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


@dataclass(frozen=True, slots=True)
class Summary:
    """How much was looked at."""

    devices: int = 0
    ports: int = 0
    links: int = 0


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a lint: what every output format is made from.

    `internal` holds findings of the linter about itself (a rule that crashed): exit code 2.
    """

    findings: tuple[Finding, ...] = ()
    not_checked: tuple[NotChecked, ...] = ()
    not_applicable: tuple[NotChecked, ...] = ()
    summary: Summary = field(default_factory=Summary)

    def count(self, severity: Severity) -> int:
        """Return the number of findings of one severity that are not suppressed."""
        return sum(1 for f in self.findings if f.severity is severity and f.suppressed is None)

    @property
    def internal(self) -> bool:
        """Say whether a rule crashed."""
        return any(f.rule.startswith("INT") for f in self.findings)
