"""Reading inventories and named policies: files, data, one declaration, or every fault at once."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from lossless import policies
from lossless.findings import InputError, Problem
from lossless.inventory import boundary
from lossless.inventory.builder import Shared, build
from lossless.inventory.files import read_files
from lossless.inventory.merging import merge
from lossless.inventory.scalars import show
from lossless.inventory.schema import Inventory, PolicyDecl
from lossless.inventory.sources import Sources

#: The version of the format that this program reads.
FORMAT: Final = "1"


@dataclass(frozen=True, slots=True)
class Declaration:
    """A validated inventory: its data, and where everything in it is written."""

    data: Inventory
    sources: Sources


def read(paths: Sequence[Path | str]) -> Declaration:
    """Read files, directories (all YAML below them) or standard input ("-") as one declaration.

    Raises `InputError` with everything that is wrong.
    """
    with _without_collector():
        sources, data, problems = _data(paths)
        wrong = _format(data, sources)
        if wrong is not None:
            raise InputError([wrong])
        made, faults = boundary.inventory(data, sources)
    problems += [*faults, *sources.comment_problems()]
    if problems:
        raise InputError(problems)
    return Declaration(made, sources)


@cache
def read_policy(name: str) -> tuple[PolicyDecl, Sources]:
    """Read a policy that ships with the program.

    Raises `KeyError` for an unknown name, `InputError` for a policy that is not valid.
    """
    sources, data, problems = _data([policies.path(name)])
    made, faults = boundary.policy(data, sources)
    if problems or faults:
        raise InputError([*problems, *faults])
    return made, sources


def policy_names() -> tuple[str, ...]:
    """Return the names that `extends` may give."""
    return policies.names()


def _data(paths: Sequence[Path | str]) -> tuple[Sources, dict[str, Any], list[Problem]]:
    """Return what the files hold; raises `InputError` where one of them is not whole."""
    shared = Shared()
    documents = [build(file, shared) for file in read_files(paths)]
    broken = [problem for document in documents for problem in document.problems]
    if broken:
        raise InputError(broken)
    sources = Sources(documents)
    data, problems = merge(documents, sources)
    return sources, data, problems


def _format(data: dict[str, Any], sources: Sources) -> Problem | None:
    """Return what is wrong with the format number: then nothing else can be judged."""
    hint = f"this program reads format {FORMAT}; write `format: {FORMAT}`"
    if not data:
        return Problem("there is nothing in it", None, hint)
    if "format" not in data:
        first = sources.find_key((next(iter(data)),))
        return Problem("the key 'format' is missing", first, hint)
    if str(data["format"]) != FORMAT:
        said = f"format {show(data['format'])} is not known"
        return Problem(said, sources.find(("format",)), hint)
    return None


@contextmanager
def _without_collector() -> Iterator[None]:
    """Keep Python's cyclic collector from walking millions of new objects that hold no cycles."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()
