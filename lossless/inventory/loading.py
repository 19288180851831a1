"""Reading a declaration: files, YAML, merging, validation, and all that is wrong with any of it."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from lossless import policies
from lossless.findings import InputError, Location, Problem
from lossless.inventory import positions
from lossless.inventory.builder import Document, Shared, build
from lossless.inventory.files import File, read_files
from lossless.inventory.merging import merge
from lossless.inventory.repeats import Repeats
from lossless.inventory.scalars import nearest, printable, show
from lossless.inventory.schema import Inventory, PolicyDecl
from lossless.inventory.secret_keys import looks_secret
from lossless.inventory.sources import Sources

if TYPE_CHECKING:
    from lossless.inventory.boundary import Fault

FORMAT: Final = "1"
#: So many faults are told one by one; the rest are counted.
MOST_TOLD: Final = 500


@dataclass(frozen=True, slots=True, eq=False)
class Declaration:
    """What an inventory declares, and where it says so.  `data` must not be changed in place."""

    data: Inventory
    sources: Sources


def read(paths: Sequence[Path | str]) -> Declaration:
    """Read files and directories (`-`: standard input) as one declaration.

    Raises `InputError` with everything that is wrong.
    """
    with _no_collection():
        data, sources = _load(paths, Inventory)
    return Declaration(cast("Inventory", data), sources)


def read_again(contents: Mapping[str, bytes]) -> Declaration:
    """Read files of given names and contents, as `read` does."""
    files = [File(name, data) for name, data in contents.items()]
    with _no_collection():
        data, sources = _load_files(files, Inventory)
    return Declaration(cast("Inventory", data), sources)


def read_policy(name: str) -> tuple[PolicyDecl, Sources]:
    """Read a named policy that is shipped with the tool.

    Raises `InputError` where there is none of that name.
    """
    try:
        path = policies.path(name)
    except KeyError:
        raise InputError([Problem(*_no_policy(name))]) from None
    data, sources = _load([path], PolicyDecl)
    return cast("PolicyDecl", data), sources


def policy_names() -> tuple[str, ...]:
    """Return the names of the shipped policies, ascending."""
    return policies.names()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Stop the cyclic collector: nothing here makes cycles, and it would take half of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _load(paths: Sequence[Path | str], kind: Any) -> tuple[Any, Sources]:
    return _load_files(read_files(paths), kind)


def _load_files(files: Sequence[File], kind: Any) -> tuple[Any, Sources]:
    shared = Shared()
    documents = [build(file, shared) for file in files]
    sources = Sources(documents)
    _check_format(documents)
    problems = [problem for document in documents for problem in document.problems]
    if any(document.data is None and document.problems for document in documents):
        raise InputError(_sorted(problems, documents))
    raw, conflicts = merge(documents, sources)
    problems += conflicts + sources.comment_problems()
    if not raw and not problems:
        problems.append(_empty(documents[0].file.name))
    untold = 0
    if not conflicts and raw:
        data, faults, untold = _validate(kind, raw, sources)
        problems += faults
    if problems:
        raise InputError(_sorted(problems, documents, untold))
    return data, sources


def _check_format(documents: Sequence[Document]) -> None:
    """A number that is not ours says that nothing else can be judged."""
    for document in documents:
        given = document.data.get("format") if isinstance(document.data, dict) else None
        if given is not None and given != FORMAT:
            message = f"format {show(given)} is not known: this version of lossless reads {FORMAT}"
            where = Sources([document]).find(("format",))
            hint = f"write `format: {FORMAT}`, or install the version that the file was written for"
            raise InputError([Problem(message, where, hint)])


def _empty(name: str) -> Problem:
    hint = "begin with `format: 1`; `lossless init DIR` writes an example"
    return Problem("nothing is written here", Location(name, 1, 1), hint)


def _sorted(
    problems: Sequence[Problem], documents: Sequence[Document], untold: int = 0
) -> list[Problem]:
    order = {document.file.name: number for number, document in enumerate(documents)}

    def place(problem: Problem) -> tuple[int, int, int]:
        at = problem.location
        return (0, 0, 0) if at is None else (order.get(at.file, -1), at.line, at.column)

    told = sorted(dict.fromkeys(problems), key=place)
    more = len(told[MOST_TOLD:]) + untold
    return [*told[:MOST_TOLD], *([Problem(f"and {more} more problems")] if more else [])]


def _validate(kind: Any, raw: dict[str, Any], sources: Sources) -> tuple[Any, list[Problem], int]:
    """Return typed data, what is wrong with it, and how many faults more there are."""
    from lossless.inventory import boundary

    data, faults = boundary.validate(kind, raw)
    repeats = Repeats(raw)
    problems = [
        _problem(fault, repeats, sources) for fault in faults[:MOST_TOLD] if not _is_told(fault)
    ]
    if data is not None and data.get("extends"):
        problems += _check_extends(("extends",), data["extends"], sources)
    for name, fabric in (data or {}).get("fabrics", {}).items():
        if fabric.get("extends"):
            path = ("fabrics", name, "extends")
            problems += _check_extends(path, fabric["extends"], sources)
    return data, problems, len(faults[MOST_TOLD:])


def _is_told(fault: Fault) -> bool:
    """The builder tells of secrets and merge keys; that they are unknown keys says no more."""
    if not fault.path or not fault.message.startswith("unknown key"):
        return False
    key = str(fault.path[-1])
    return key == "<<" or looks_secret(key)


def _problem(fault: Fault, repeats: Repeats, sources: Sources) -> Problem:
    where = sources.find_key(fault.path) if fault.key else sources.find(fault.path)
    if where is None and sources.files:
        where = Location(sources.files[0], 1, 1)
    field = ".".join(map(printable, fault.path))
    message = f"{field}: {fault.message}" if field else fault.message
    more = repeats.of(fault.path) - 1
    if more > 0:
        message += f" (and at {more} more {'place' if more == 1 else 'places'} that say the same)"
    return Problem(message, where, fault.hint)


def _no_policy(name: str) -> tuple[str, None, str]:
    close = nearest(name, policies.names())
    hint = f"did you mean {close!r}?" if close else f"known: {', '.join(policies.names())}"
    return f"there is no policy named {show(name)}", None, hint


def _check_extends(path: positions.Path, name: str, sources: Sources) -> list[Problem]:
    if name in policies.names():
        return []
    message, _, hint = _no_policy(name)
    return [Problem(f"{'.'.join(map(str, path))}: {message}", sources.find(path), hint)]
