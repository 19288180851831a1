"""Every shipped data file is whole: read strictly, each fact with its source."""

from __future__ import annotations

import dataclasses
import datetime
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from lossless.hardware import asics, datafile, lookup, platform_names, profile_for
from lossless.hardware.datafile import DataFile, Fact, HardwareDataError
from lossless.model.effective import leaves
from lossless.model.profile import Grade, Profile
from lossless.model.settings import Settings, System

SWITCHES = {
    "arista_eos",
    "aruba_aoscx",
    "cisco_nxos",
    "dell_os10",
    "dell_sonic",
    "h3c_comware",
    "huawei_vrp",
    "juniper_junos",
    "nvidia_cumulus",
    "nvidia_onyx",
    "sonic",
}
FILES = sorted(datafile.ROOT.glob("**/*.yaml"))
PLATFORMS = platform_names()


def _identify(value: object) -> str:
    return value.stem if isinstance(value, Path) else str(value)


def test_every_switch_system_has_its_facts() -> None:
    assert set(platform_names("switch")) == SWITCHES


@pytest.mark.parametrize("path", FILES, ids=_identify)
def test_no_key_stands_twice(path: Path) -> None:
    # YAML readers keep the last of two equal keys and say nothing.
    root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    for node in _mappings(root):
        keys = [key.value for key, _ in node.value]
        assert len(keys) == len(set(keys)), f"{path.name}:{node.start_mark.line + 1}: {keys}"


def _mappings(node: Any) -> Iterator[yaml.MappingNode]:
    if isinstance(node, yaml.MappingNode):
        yield node
        for _, value in node.value:
            yield from _mappings(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _mappings(value)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_fact_says_where_it_was_read_and_when(platform: str) -> None:
    for fact in datafile.load(platform).facts:
        source = fact.source
        assert len(source.text) > 5, fact.path
        assert datetime.date.fromisoformat(source.verified_on).year >= 2026, fact.path


@pytest.mark.parametrize("path", FILES, ids=_identify)
def test_no_source_is_named_in_vain(path: Path) -> None:
    raw = datafile.load_yaml(path)
    rows = list(_rows(raw))
    used = {row[key] for row in rows for key in ("source", "speed_source") if key in row}
    assert used == set(raw["sources"]), path.name


def _rows(thing: Any) -> Iterator[dict[str, Any]]:
    if isinstance(thing, dict):
        yield thing
        for value in thing.values():
            yield from _rows(value)
    elif isinstance(thing, list):
        for value in thing:
            yield from _rows(value)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_fact_is_hidden_by_a_later_one(platform: str) -> None:
    file = datafile.load(platform)
    for path in datafile.fact_names(file.facts):
        rows = [f for f in file.facts if f.path == path]
        for earlier, later in itertools.combinations(rows, 2):
            assert not _always(later), f"{path}: the first fact never holds"
            assert _when(earlier) != _when(later), f"{path}: told twice for one case"


def _always(fact: Fact) -> bool:
    return fact.versions is None and not fact.families


def _when(fact: Fact) -> tuple[object, ...]:
    return fact.versions_text, fact.families


@pytest.mark.parametrize("platform", PLATFORMS)
def test_each_fact_alone_fills_its_field(platform: str) -> None:
    # Facts of old versions and rare models are read too, not only what a default look-up selects.
    file = datafile.load(platform)
    for number in range(len(file.facts)):
        profile = lookup._build(platform, (number,), None)
        assert list(profile.sources) == [file.facts[number].path]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_case_gives_a_profile_whose_every_leaf_has_a_source(platform: str) -> None:
    file = datafile.load(platform)
    for version, model in _cases(file):
        profile = profile_for(platform, version, model)
        assert profile is not None
        for path in _told(profile):
            assert profile.source(path) is not None, f"{platform} {version} {model}: {path}"


def _cases(file: DataFile) -> Iterator[tuple[str | None, str | None]]:
    bounds = {
        word.lstrip("<>=") for fact in file.facts for word in (fact.versions_text or "").split()
    }
    models = [m.replace("*", "") for f in file.families.values() for m in f.models]
    chips = {m.asic: m.name for m in map(asics.find_model, asics.model_names()) if m}
    models += [
        name
        for family in file.families.values()
        for chip, name in chips.items()
        if chip in family.asics
    ]
    yield from itertools.product([None, "0.0", *sorted(bounds)], [None, *models])


def _told(profile: Profile) -> Iterator[str]:
    for spec in dataclasses.fields(profile):
        held = getattr(profile, spec.name)
        if spec.name in ("platform", "kind", "verified", "sources"):
            continue
        if spec.name == "macros":
            for name, macro in held.items():
                yield from _leaves(macro, f"macros.{name}")
        elif isinstance(held, dict):
            yield from (f"{spec.name}.{key}" for key in held)
        elif isinstance(held, (Settings, System)):
            yield from _leaves(held, spec.name)
        elif dataclasses.is_dataclass(held):
            fresh: Any = type(held)
            fresh = fresh()
            yield from (
                f"{spec.name}.{f.name}"
                for f in dataclasses.fields(held)
                if getattr(held, f.name) != getattr(fresh, f.name)
            )
        elif held not in (None, frozenset()):
            yield spec.name


def _leaves(thing: Settings | System, name: str) -> Iterator[str]:
    for path, value in leaves(thing):
        if value is not None and value != ():
            yield ".".join([name, *map(str, path)])


@pytest.mark.parametrize("platform", PLATFORMS)
def test_memory_stays_a_small_part(platform: str) -> None:
    # What nobody looked up is never the ground of an error; a file full of it would be no ground
    # for anything.
    facts = datafile.load(platform).facts
    memory = [f.path for f in facts if f.source.grade is Grade.MEMORY]
    assert len(memory) <= len(facts) / 3, memory


def test_every_chip_of_a_model_is_described() -> None:
    for name in asics.model_names():
        model = asics.find_model(name)
        assert model is not None
        assert model.asic is None or asics.asic(model.asic) is not None, name


def test_chips_that_families_name_exist() -> None:
    for platform in platform_names("switch"):
        for family in datafile.load(platform).families.values():
            assert set(family.asics) <= set(asics.asic_names()), platform


def _one(path: str = "limits.queues", **row: object) -> dict[str, Any]:
    return {path: {"value": "8", "source": "a", **row}}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"facts": _one("limits.queue")}, "queue"),
        ({"facts": _one(value="many")}, "limits.queues"),
        ({"facts": _one(source="b")}, "b"),
        ({"facts": _one(garde="M")}, "garde"),
        ({"facts": _one() | {"limits.groups": {"value": "8", "source": "a", "for": ["x"]}}}, "x"),
        ({"facts": _one(versions=">=1")}, "version"),
        ({"version": r"(\d+)", "facts": _one(versions="1")}, "'1'"),
        ({"facts": _one("limits", value={}) | _one()}, "limits"),
        ({"platform": "other"}, "platform"),
        ({"verified": "yes"}, "verified"),
    ],
)
def test_a_wrong_file_is_refused_and_named(
    change: dict[str, Any], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole: dict[str, Any] = {
        "platform": "acme",
        "kind": "switch",
        "title": "Acme",
        "verified": "false",
        "sources": {"a": {"text": "manual", "grade": "V", "verified_on": "2026-11-30"}},
        "facts": {"limits.queues": {"value": "8", "source": "a"}},
    }
    path = tmp_path / "acme.yaml"
    path.write_text(yaml.safe_dump(whole | change), encoding="utf-8")
    monkeypatch.setattr(datafile, "_paths", lambda: {"acme": path})
    monkeypatch.setattr(datafile, "FOLDERS", {"switch": tmp_path})
    _forget()
    with pytest.raises(HardwareDataError, match="acme") as refused:
        lookup._build("acme", tuple(range(len(datafile.load("acme").facts))), None)
    assert told in str(refused.value)
    _forget()


def _forget() -> None:
    for memo in (profile_for, lookup._build, datafile.load):
        memo.cache_clear()
