"""Several files are one declaration: maps merge, `links` join, anything else stands in one file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lossless.findings import Location, Problem, Related
from lossless.inventory.builder import Document
from lossless.inventory.positions import Path
from lossless.inventory.scalars import printable
from lossless.inventory.sources import LINKS, Sources

#: Written in every file that likes to say it, as long as all agree.
_REPEATED = "format"


def merge(documents: Sequence[Document], sources: Sources) -> tuple[dict[str, Any], list[Problem]]:
    """Return the files as one mapping, and what is written in two of them.

    What the builder made is never changed in place: it may be shared.
    """
    problems: list[Problem] = []
    whole: dict[str, Any] = {}
    for document in documents:
        data = document.data
        if data is None:
            continue
        if not isinstance(data, dict):
            where = Location(document.file.name, 1, 1)
            hint = "begin with `format: 1`; `lossless init DIR` writes an example"
            problems.append(Problem("the file is not a mapping of keys", where, hint))
            continue
        sections = {k: v for k, v in data.items() if v is not None or k not in whole}
        whole = _join(whole, sections, (), sources, problems) if whole else sections
    return whole, problems


def _join(
    one: dict[str, Any],
    other: dict[str, Any],
    path: Path,
    sources: Sources,
    problems: list[Problem],
) -> dict[str, Any]:
    out = dict(one)
    for key, value in other.items():
        if key not in out:
            out[key] = value
            continue
        here = (*path, key)
        mine = out[key]
        if isinstance(mine, dict) and isinstance(value, dict):
            out[key] = _join(mine, value, here, sources, problems)
        elif here == (LINKS,) and isinstance(mine, list) and isinstance(value, list):
            out[key] = mine + value
        elif not path and mine is None:
            out[key] = value
        elif here != (_REPEATED,) or mine != value:
            problems.append(_twice(here, sources))
    return out


def _twice(path: Path, sources: Sources) -> Problem:
    places = sources.find_all(path)
    related = tuple(Related(place, "also here") for place in places[:-1])
    others = f": also at {', '.join(map(str, places[:-1]))}" if related else ""
    return Problem(
        f"{'.'.join(map(printable, path))!r} is written in two files{others}",
        places[-1] if places else None,
        "keep one of them; only maps and `links` of several files are joined",
        related,
    )
