"""From a platform, a version and a model to the profile that holds for them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from lossless.hardware.asics import asic, asic_of
from lossless.hardware.datafile import DataFile, Fact, HardwareDataError, fact_names, load, paths
from lossless.hardware.decode import fill
from lossless.hardware.notation import NotationError
from lossless.model.profile import Profile, Source

#: Parts of a profile whose names are the platform's own; what follows is one key.
_OPEN = ("facts.", "trust_by_vlan_mode.")


@cache
def profile_for(
    platform: str, version: str | None = None, model: str | None = None
) -> Profile | None:
    """Return what is known about a platform; `None` for an unknown one and for "none".

    The same facts are the same object, whatever version or model asked for them, so that a rule
    can compare profiles by identity.  A version that is not told, or not in the platform's form,
    counts as the newest; a model that is not told belongs to no family.
    """
    if platform not in paths():
        return None
    file = load(platform)
    key = file.scheme.key(version) if version and file.scheme else None
    chip = asic_of(model) if file.kind == "switch" else None
    families = file.families_of(model, chip)
    chosen = tuple(i for i, f in enumerate(file.facts) if _holds(f, key, families))
    return _build(platform, chosen, chip)


def platform_names(kind: str | None = None) -> tuple[str, ...]:
    """Return the platforms of a kind ("switch" or "nic"), or all, in alphabetical order."""
    return tuple(sorted(name for name in paths() if kind is None or _folder_kind(name) == kind))


def _folder_kind(platform: str) -> str:
    return "switch" if paths()[platform].parent.name == "nos" else "nic"


def _holds(fact: Fact, version: Any, families: frozenset[str]) -> bool:
    in_range = fact.versions is None or fact.versions.holds(version)
    return in_range and (not fact.families or not families.isdisjoint(fact.families))


@cache
def _build(platform: str, chosen: tuple[int, ...], chip: str | None) -> Profile:
    file = load(platform)
    last = {file.facts[i].path: file.facts[i] for i in chosen}  # a later fact overrides
    tree: dict[str, Any] = {}
    try:
        _refuse_nesting(last)
        for fact in last.values():
            _plant(tree, fact.path, fact.value)
        profile: Profile = fill(Profile, {"platform": platform, "kind": file.kind, **tree})
    except NotationError as error:
        raise HardwareDataError(f"{platform}: {error}") from error
    sources = {path: fact.source for path, fact in last.items()}
    return _with_cell(replace(profile, verified=file.verified, sources=sources), chip)


def _plant(tree: dict[str, Any], path: str, value: Any) -> None:
    prefix = next((p for p in _OPEN if path.startswith(p)), None)
    steps = [prefix[:-1], path[len(prefix) :]] if prefix else path.split(".")
    for step in steps[:-1]:
        tree = tree.setdefault(step, {})
    tree[steps[-1]] = value


def _refuse_nesting(paths_told: Iterable[str]) -> None:
    """Refuse a fact beneath another: which of them holds would depend on their order."""
    told = set(paths_told)
    for path in told:
        steps = path.split(".")
        above = {".".join(steps[:n]) for n in range(1, len(steps))} & told
        if above:
            raise NotationError(f"{path}: {sorted(above)[0]} already tells it")


def _with_cell(profile: Profile, chip: str | None) -> Profile:
    """Take the size of a cell from the chip where the platform's own facts do not tell it."""
    known = asic(chip)
    if known is None or known.cell is None or profile.units.cell is not None:
        return profile
    units = replace(profile.units, cell=known.cell)
    sources = {**profile.sources, "units.cell": known.sources["cell"]}
    return replace(profile, units=units, sources=sources)


@dataclass(frozen=True, slots=True)
class FactRow:
    """One fact for a reader: path, value as written, where it comes from, when it holds."""

    path: str
    value: str
    source: Source
    versions: str | None
    families: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Description:
    """A platform's facts for a reader, in the order of its file."""

    platform: str
    kind: str
    title: str
    verified: bool
    families: dict[str, tuple[str, ...]]
    facts: tuple[FactRow, ...]


def describe(platform: str) -> Description:
    """Return a platform's facts with their sources, for the documentation.

    Raises `KeyError` for an unknown platform.
    """
    file = load(platform)
    return Description(
        file.platform,
        file.kind,
        file.title,
        file.verified,
        {name: family.models + family.asics for name, family in file.families.items()},
        tuple(_rows(file)),
    )


def _rows(file: DataFile) -> list[FactRow]:
    return [
        FactRow(f.path, _shown(f.value), f.source, f.versions_text, f.families)
        for path in fact_names(file.facts)
        for f in file.facts
        if f.path == path
    ]


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k}: {_shown(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_shown(v) for v in value) + "]"
    return str(value)
