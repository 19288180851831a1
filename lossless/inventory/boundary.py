"""The boundary: plain data in, a typed declaration or every fault with its place out."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final, cast

from lossless.findings import Problem
from lossless.inventory.positions import Path
from lossless.inventory.scalars import nearest, show
from lossless.inventory.schema import Inventory, PolicyDecl
from lossless.inventory.shape import keys_at
from lossless.inventory.sources import Sources

#: Steps that are in the data and not in the file.
_NOT_WRITTEN: Final = frozenset({"[key]", "ids"})


def inventory(data: dict[str, Any], sources: Sources) -> tuple[Inventory, list[Problem]]:
    """Check a whole declaration."""
    made, problems = _check(Inventory, data, sources)
    return cast("Inventory", made), problems


def policy(data: dict[str, Any], sources: Sources) -> tuple[PolicyDecl, list[Problem]]:
    """Check a named policy."""
    made, problems = _check(PolicyDecl, data, sources)
    return cast("PolicyDecl", made), problems


@cache
def _adapter(kind: type) -> Any:
    from pydantic import ConfigDict, TypeAdapter

    # In a container: pydantic hands a configuration on to typed dicts but takes none for one.
    return TypeAdapter(tuple[kind], config=ConfigDict(strict=True, extra="forbid"))


def _check(kind: Any, data: Any, sources: Sources) -> tuple[Any, list[Problem]]:
    from pydantic import ValidationError

    try:
        (made,) = _adapter(kind).validate_python((data,), context={"memo": {}})
    except ValidationError as error:
        faults = error.errors(include_url=False)
        return {}, list(_problems(kind, faults, sources))
    return made, []


def _problems(kind: Any, faults: list[Any], sources: Sources) -> Iterator[Problem]:
    for fault in faults:
        path = tuple(step for step in fault["loc"][1:] if step not in _NOT_WRITTEN)
        message, hint = _said(kind, fault, path)
        at_key = fault["type"] == "extra_forbidden" or "[key]" in fault["loc"]
        place = sources.find_key(path) if at_key else sources.find(path)
        within = ".".join(str(step) for step in path)
        yield Problem(f"{within}: {message}" if within else message, place, hint)


def _said(kind: Any, fault: Any, path: Path) -> tuple[str, str | None]:
    read = fault["input"]
    match fault["type"]:
        case "scalar":
            return fault["ctx"]["said"], fault["ctx"].get("hint")
        case "extra_forbidden":
            known = keys_at(kind, path[:-1])
            near = nearest(str(path[-1]), known)
            hint = f"did you mean {near!r}?" if near else f"known here: {', '.join(known)}"
            return f"unknown key {str(path[-1])!r}", hint
        case "missing":
            return f"the key {str(path[-1])!r} is missing", "add it"
        case "dict_type":
            known = keys_at(kind, path)
            hint = f"keys here: {', '.join(known)}" if known else None
            return f"{show(read)} where a mapping was expected", hint
        case "list_type":
            return f"{show(read)} where a list was expected", "begin each element with `- `"
        case _:
            return f"{show(read)}: {fault['msg']}", None
