"""The table of public cases: read, and held to its form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

TABLE = Path(__file__).parent / "cases.yaml"

#: How many cases there are; each is in the table once.
CASES = tuple(f"C{number:02}" for number in range(1, 61))

_FATES = ("shown", "views", "waits", "never")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Facts over a base that a rule finds, and facts that it does not mind.

    A guard has no wrong facts.  Views have neither text: their facts are Python.
    """

    rule: str
    level: str
    text: str
    base: str | None
    wrong: str | None
    right: str | None


@dataclass(frozen=True, slots=True)
class PublicCase:
    """One case, and what becomes of it."""

    id: str
    symptom: str
    sources: tuple[str, ...]
    shown: tuple[Evidence, ...]
    views: tuple[Evidence, ...]
    waits: str | None
    never: str | None
    beside: str | None

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that find it."""
        return tuple(dict.fromkeys(e.rule for e in (*self.shown, *self.views)))


@cache
def _read() -> Any:
    return yaml.safe_load(TABLE.read_text(encoding="utf-8"))


def parts() -> dict[str, str]:
    """Return the parts of the catalogue that cases wait for, with their description."""
    return dict(_read()["parts"])


def cases() -> list[PublicCase]:
    """Return the cases in order.  Raises `ValueError` where a row is not in form."""
    return [_case(row) for row in sorted(_read()["cases"], key=lambda row: row["id"])]


def _case(row: dict[str, Any]) -> PublicCase:
    fates = [fate for fate in _FATES if fate in row]
    if not fates or (("waits" in row or "never" in row) and len(fates) > 1):
        raise ValueError(f"{row['id']}: one of {', '.join(_FATES)} must say what becomes of it")
    if not row["sources"] or not row["symptom"].endswith("."):
        raise ValueError(f"{row['id']}: it needs a source, and its symptom is a sentence")
    return PublicCase(
        id=row["id"],
        symptom=row["symptom"],
        sources=tuple(row["sources"]),
        shown=tuple(_evidence(one) for one in row.get("shown", ())),
        views=tuple(_evidence(one) for one in row.get("views", ())),
        waits=row.get("waits"),
        never=row.get("never"),
        beside=row.get("beside"),
    )


def _evidence(row: dict[str, Any]) -> Evidence:
    return Evidence(
        rule=row["rule"],
        level=row.get("level", "error"),
        text=row.get("text", ""),
        base=row.get("base"),
        wrong=row.get("wrong"),
        right=row.get("right"),
    )
