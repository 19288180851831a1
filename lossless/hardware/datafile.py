"""One data file: facts about one platform, each with its source."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from lossless.hardware.decode import Raw
from lossless.hardware.versions import Scheme, VersionRange, version_range
from lossless.model.profile import Grade, Source

ROOT = Path(__file__).parent
FOLDERS = {"switch": ROOT / "nos", "nic": ROOT / "nics"}

_FILE_KEYS = {"platform", "kind", "title", "verified", "version", "families", "sources", "facts"}
_FACT_KEYS = {"value", "source", "grade", "detail", "versions", "for"}
_FAMILY_KEYS = {"models", "asics"}


class HardwareDataError(ValueError):
    """A shipped data file is wrong: a fault of the project, not of its user."""


@dataclass(frozen=True, slots=True)
class Family:
    """Models that share facts: shell patterns of model names or ASIC names, any case."""

    models: tuple[str, ...] = ()
    asics: tuple[str, ...] = ()

    def holds(self, model: str, asic: str | None) -> bool:
        """Say whether a model belongs to the family."""
        return any(fnmatchcase(model.lower(), p.lower()) for p in self.models) or (
            asic is not None and any(fnmatchcase(asic.lower(), p.lower()) for p in self.asics)
        )


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: a path in the profile, its value as text, where it comes from, when it holds."""

    path: str
    value: Raw
    source: Source
    versions: VersionRange | None = None
    versions_text: str | None = None
    families: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DataFile:
    """A platform's facts in the order of the file."""

    platform: str
    kind: str
    title: str
    verified: bool
    scheme: Scheme | None
    families: Mapping[str, Family]
    facts: tuple[Fact, ...]

    def families_of(self, model: str | None, asic: str | None) -> frozenset[str]:
        """Return the families that a model belongs to; none where the model is not told."""
        if not model:
            return frozenset()
        return frozenset(n for n, family in self.families.items() if family.holds(model, asic))


def paths() -> Mapping[str, Path]:
    """Return the data file of every platform, by platform name."""
    return _paths()


@cache
def _paths() -> dict[str, Path]:
    found = [f for folder in FOLDERS.values() for f in sorted(folder.glob("*.yaml"))]
    return {file.stem: file for file in found}


def load_yaml(path: Path) -> Any:
    """Read a shipped file with every scalar as text.  PyYAML's C parser is required."""
    with path.open("rb") as stream:
        return yaml.load(stream, Loader=yaml.CBaseLoader)  # noqa: S506 - builds texts only


@cache
def load(platform: str) -> DataFile:
    """Read one platform's file.  Raises `HardwareDataError` where the file is wrong."""
    path = _paths()[platform]
    raw = load_yaml(path)
    try:
        return _file(raw, path)
    except (KeyError, TypeError, ValueError) as error:
        raise HardwareDataError(f"{path.name}: {error!r}") from error


def _file(raw: Any, path: Path) -> DataFile:
    _known(raw, _FILE_KEYS, path.name)
    scheme = Scheme(raw["version"]) if "version" in raw else None
    sources = {name: _source(held, name) for name, held in raw["sources"].items()}
    families = {name: _family(held, name) for name, held in raw.get("families", {}).items()}
    facts = tuple(
        _fact(where, row, sources, scheme)
        for where, held in raw["facts"].items()
        for row in (held if isinstance(held, list) else [held])
    )
    _check(raw, path, facts, families)
    return DataFile(
        raw["platform"],
        raw["kind"],
        raw["title"],
        raw["verified"] == "true",
        scheme,
        families,
        facts,
    )


def _check(raw: Any, path: Path, facts: tuple[Fact, ...], families: Mapping[str, Family]) -> None:
    if raw["platform"] != path.stem or FOLDERS.get(raw["kind"]) != path.parent:
        raise ValueError("platform and kind differ from the file's name and folder")
    if raw["verified"] not in ("true", "false"):
        raise ValueError("verified is neither true nor false")
    for fact in facts:
        missing = set(fact.families) - set(families)
        if missing:
            raise ValueError(f"{fact.path}: no family {sorted(missing)}")


def _known(raw: Any, known: set[str], where: str) -> None:
    unknown = set(raw) - known
    if unknown:
        raise ValueError(f"{where}: unknown key {sorted(unknown)}")


def _source(raw: Any, where: str) -> Source:
    _known(raw, {"text", "grade", "verified_on"}, where)
    return Source(raw["text"], Grade(raw["grade"]), raw["verified_on"])


def _family(raw: Any, where: str) -> Family:
    _known(raw, _FAMILY_KEYS, where)
    return Family(tuple(raw.get("models", ())), tuple(raw.get("asics", ())))


def _fact(where: str, raw: Any, sources: Mapping[str, Source], scheme: Scheme | None) -> Fact:
    _known(raw, _FACT_KEYS, where)
    source = sources[raw["source"]]
    if "grade" in raw or "detail" in raw:
        text = f"{source.text}: {raw['detail']}" if "detail" in raw else source.text
        source = Source(text, Grade(raw.get("grade", source.grade.value)), source.verified_on)
    told = raw.get("versions")
    if told is not None and scheme is None:
        raise ValueError(f"{where}: a version range needs the file's version pattern")
    versions = version_range(told, scheme) if told is not None and scheme else None
    return Fact(where, raw["value"], source, versions, told, tuple(raw.get("for", ())))


def fact_names(facts: tuple[Fact, ...]) -> Iterator[str]:
    """Yield each path once, in the order of the file."""
    yield from dict.fromkeys(fact.path for fact in facts)
