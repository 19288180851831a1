"""Headroom tables by hardware SKU: which lengths of cable a port's speed has a row for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from lossless.hardware.datafile import ROOT, load_yaml
from lossless.hardware.notation import number


@dataclass(frozen=True, slots=True)
class HeadroomTable:
    """The rows of one SKU's table: lengths in millimetres, ascending, by speed in bit/s.

    `dynamic`: headroom is computed on this SKU unless its device is told otherwise, and the table
    is not read.
    """

    lengths: Mapping[int, tuple[int, ...]]
    dynamic: bool


def headroom_table(sku: str | None) -> HeadroomTable | None:
    """Return the table of a SKU, spelt as its device folder is; `None` where it is not known."""
    return None if sku is None else _tables().get(sku)


@cache
def _tables() -> dict[str, HeadroomTable]:
    found: dict[str, HeadroomTable] = {}
    for sku, row in load_yaml(ROOT / "sonic_skus.yaml")["skus"].items():
        lengths = {
            number(speed): tuple(sorted(number(cable) for cable in held["cables"]))
            for held in row["rows"]
            for speed in held["speeds"]
        }
        found[sku] = HeadroomTable(lengths, row.get("dynamic") == "true")
    return found
