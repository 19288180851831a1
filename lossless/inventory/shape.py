"""Walking the types of the schema: what is annotated, which keys a mapping has."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from lossless.inventory.positions import Path

#: A key of the data that is none in the file: what stands there by number is gathered under it.
GATHERED: Final = "ids"


def known_keys(kind: Any, path: Path) -> tuple[str, ...]:
    """Return the keys of the TypedDict that a path of the schema leads to."""
    for step in path:
        kind = plain(kind)
        kind = hints(kind)[str(step)] if is_typeddict(kind) else get_args(kind)[-1]
    kind = plain(kind)
    return tuple(key for key in hints(kind) if key != GATHERED) if is_typeddict(kind) else ()


@cache
def hints(kind: Any) -> dict[str, Any]:
    """Return the annotated types of a TypedDict's keys."""
    return get_type_hints(kind, include_extras=True)


def plain(kind: Any) -> Any:
    """Return the mapping, list or scalar type behind annotations, `None` and words."""
    while True:
        origin = get_origin(kind)
        if origin in (Annotated, Required):
            kind = get_args(kind)[0]
        elif origin in (Union, UnionType):
            kind = next(member for member in get_args(kind) if _is_content(member))
        else:
            return kind


def _is_content(member: Any) -> bool:
    return member is not NoneType and get_origin(member) is not Literal


def metadata(kind: Any) -> Iterator[Any]:
    """Yield what is annotated on a type, outermost first, through `Required` and `None`."""
    origin = get_origin(kind)
    if origin is Annotated:
        yield from kind.__metadata__
        yield from metadata(kind.__origin__)
    elif origin is Required:
        yield from metadata(get_args(kind)[0])
    elif origin in (Union, UnionType):
        contents = [member for member in get_args(kind) if _is_content(member)]
        if len(contents) == 1:
            yield from metadata(contents[0])


def is_nullable(kind: Any) -> bool:
    """Say whether `null` may stand here, to remove what is inherited."""
    origin = get_origin(kind)
    if origin in (Annotated, Required):
        return is_nullable(get_args(kind)[0])
    return origin in (Union, UnionType) and NoneType in get_args(kind)


def is_required(kind: Any) -> bool:
    """Say whether a key must be written."""
    return get_origin(kind) is Required or (
        get_origin(kind) is Annotated and is_required(get_args(kind)[0])
    )
