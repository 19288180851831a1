"""Switch models and the chips in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from lossless.hardware.datafile import ROOT, load_yaml
from lossless.hardware.notation import number
from lossless.model.profile import Grade, Source


@dataclass(frozen=True, slots=True)
class Asic:
    """A switching chip.  Cell and buffer in bytes; `None` where nobody knows."""

    name: str
    vendor: str
    cell: int | None
    buffer: int | None
    sources: Mapping[str, Source]


@dataclass(frozen=True, slots=True)
class Model:
    """A switch model: its chip, and the fastest speed of a port in bit/s.

    `source` tells of the chip, or of the model where the chip is not known; `speed_source` of the
    speed.
    """

    name: str
    asic: str | None
    max_speed: int | None
    source: Source
    speed_source: Source | None


def asic_of(model: str | None) -> str | None:
    """Return the name of the chip in a switch model; `None` where it is not known."""
    found = find_model(model)
    return None if found is None else found.asic


def model_known(model: str | None) -> bool:
    """Say whether a switch model stands in the data."""
    return find_model(model) is not None


def asic(name: str | None) -> Asic | None:
    """Return what is known about a chip."""
    return _asics().get(name) if name else None


def find_model(model: str | None) -> Model | None:
    """Find a model by its name in any case.

    A suffix after a dash that the data does not know (airflow, licence, supply: `-F`, `-R`) is
    taken off, from the right, until a model is found.
    """
    name = (model or "").strip().lower()
    models = _models() if name else {}
    while name:
        if name in models:
            return models[name]
        name = name.rpartition("-")[0]
    return None


def model_names() -> tuple[str, ...]:
    """Return the names of all switch models, as their vendors write them."""
    return tuple(dict.fromkeys(model.name for model in _models().values()))


def asic_names() -> tuple[str, ...]:
    """Return the names of all chips."""
    return tuple(_asics())


@cache
def _asics() -> dict[str, Asic]:
    raw = load_yaml(ROOT / "asics.yaml")
    sources = _sources(raw["sources"])
    found: dict[str, Asic] = {}
    for name, row in raw["asics"].items():
        told = {key: sources[row[key]["source"]] for key in ("cell", "buffer") if key in row}
        told["vendor"] = sources[row["source"]]
        sizes = {key: number(row[key]["value"]) for key in ("cell", "buffer") if key in row}
        found[name] = Asic(name, row["vendor"], sizes.get("cell"), sizes.get("buffer"), told)
    return found


@cache
def _models() -> dict[str, Model]:
    raw = load_yaml(ROOT / "models.yaml")
    sources = _sources(raw["sources"])
    found: dict[str, Model] = {}
    for name, row in raw["models"].items():
        model = _model(name, row, sources)
        for spelling in (name, *row.get("also", ())):
            found[spelling.lower()] = model
    return found


def _model(name: str, row: Mapping[str, str], sources: Mapping[str, Source]) -> Model:
    told = "max_speed" in row
    return Model(
        name,
        row.get("asic"),
        number(row["max_speed"]) if told else None,
        sources[row["source"]],
        sources[row["speed_source"]] if told else None,
    )


def _sources(raw: Mapping[str, Mapping[str, str]]) -> dict[str, Source]:
    return {
        name: Source(row["text"], Grade(row["grade"]), row["verified_on"])
        for name, row in raw.items()
    }
