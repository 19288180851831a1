"""The strict boundary: plain data in, typed declaration out, every fault with its path.

The TypedDicts of `schema` are compiled into validators of pydantic-core, the engine of pydantic v2.
They are compiled here and not by `pydantic.TypeAdapter`, because importing pydantic and building
its models took 180 ms of every command, this takes a third; because a word may stand for a mapping
(`watchdog: on`) without the faults of one being told in terms of the other; and because equal
subtrees, which the builder made one object, must be validated once and come out as one object.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, get_args, get_origin, is_typeddict

from pydantic_core import SchemaValidator, ValidationError, core_schema

from lossless.inventory.kinds import Before, Keys, Reader, Shorthand
from lossless.inventory.positions import Path
from lossless.inventory.scalars import ScalarError, nearest, show
from lossless.inventory.schema import BondDecl, LinkDecl
from lossless.inventory.settings import HeadroomPoolDecl
from lossless.inventory.shape import (
    hints,
    is_nullable,
    is_required,
    known_keys,
    metadata,
    plain,
)

_FAILED: Final = object()
_UNKNOWN_KEY: Final = "extra_forbidden"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong: where (`key`: at the key itself), what, and what to do."""

    path: Path
    message: str
    hint: str | None = None
    key: bool = False


def validate(kind: Any, data: Mapping[str, Any]) -> tuple[Any, list[Fault]]:
    """Return data as a TypedDict of the schema, or `None` and all its faults.

    Equal subtrees that are one object are validated once; a fault in one is told at its first
    place.  What comes out shares its subtrees likewise.
    """
    node = _Compiler().node(kind)
    try:
        return node(data), []
    except ValidationError as error:
        return None, [_fault(kind, said) for said in error.errors(include_url=False)]


def _fault(kind: Any, said: Any) -> Fault:
    loc = said["loc"]
    at_key = bool(loc) and loc[-1] == "[key]"
    path = tuple(step for step in (loc[:-1] if at_key else loc) if step != "ids")
    error = said.get("ctx", {}).get("error")
    if isinstance(error, ScalarError):
        return Fault(path, error.message, error.hint, at_key)
    if said["type"] == _UNKNOWN_KEY:
        return Fault(path, *_unknown(kind, loc), key=True)
    if said["type"] == "missing":
        return Fault(path[:-1], f"the key {path[-1]!r} is missing", "add it", key=True)
    return Fault(path, f"{show(said['input'])}: {said['msg']}", key=at_key)


def _unknown(kind: Any, loc: Path) -> tuple[str, str]:
    name = str(loc[-1])
    if ":" in name:
        return f"unknown key {show(name)}", "write a space after the colon"
    known = known_keys(kind, loc[:-1])
    close = nearest(name, known)
    hint = f"did you mean {close!r}?" if close else f"known here: {', '.join(known)}"
    return f"unknown key {show(name)}", hint


class _Compiler:
    """Makes validators; one lives as long as one validation, since it remembers identities."""

    def __init__(self) -> None:
        self._nodes: dict[Any, _Node] = {}

    def node(self, kind: Any) -> Callable[[Any], Any]:
        """Return the validator of a TypedDict, a `dict[…]` or a `list[…]`."""
        whole = plain(kind)
        found = self._nodes.get(whole)
        if found is None:
            found = self._nodes[whole] = _Node(whole)
            found.check = SchemaValidator(self._inner(whole)).validate_python
        return found

    def _inner(self, kind: Any) -> core_schema.CoreSchema:
        if is_typeddict(kind):
            fields = {
                key: core_schema.typed_dict_field(self._field(held), required=is_required(held))
                for key, held in hints(kind).items()
            }
            return core_schema.typed_dict_schema(fields, extra_behavior="forbid", strict=True)
        if get_origin(kind) is dict:
            key, held = get_args(kind)
            keys = next(said for said in metadata(key) if isinstance(said, Keys))
            names = core_schema.no_info_plain_validator_function(keys.read)
            return core_schema.dict_schema(names, self._field(held), strict=True)
        return core_schema.list_schema(self._field(get_args(kind)[0]), strict=True)

    def _field(self, kind: Any) -> core_schema.CoreSchema:
        said = list(metadata(kind))
        reader = next((m for m in said if isinstance(m, Reader)), None)
        read = reader.read if reader else self._collection(kind, said)
        made: core_schema.CoreSchema = core_schema.no_info_plain_validator_function(read)
        return core_schema.nullable_schema(made) if is_nullable(kind) else made

    def _collection(self, kind: Any, said: list[Any]) -> Callable[[Any], Any]:
        read = self.node(kind)
        for mark in said:
            if isinstance(mark, Before):
                read = _changed(mark.change, read)
            elif isinstance(mark, Shorthand):
                read = _or_word(mark.words, read)
        return read


class _Node:
    """Validates one kind of mapping or list, each object once."""

    def __init__(self, kind: Any) -> None:
        self.check: Callable[[Any], Any]
        self._after = _AFTER.get(kind)
        self._type = list if get_origin(kind) is list else dict
        self._what = _describe(kind)
        self._seen: dict[int, Any] = {}
        self._remembers = kind is not LinkDecl  # no two links are alike

    def __call__(self, value: Any) -> Any:
        if not self._remembers:
            return self._validate(value)
        found = self._seen.get(id(value))
        if found is None:
            self._seen[id(value)] = _FAILED
            found = self._seen[id(value)] = self._validate(value)
        return value if found is _FAILED else found

    def _validate(self, value: Any) -> Any:
        if type(value) is not self._type:
            if value is not None:
                raise ScalarError(f"{show(value)} where {self._what} was expected")
            value = self._type()  # a key with nothing below it
        out = self.check(value)
        if self._after is not None:
            self._after(out)
        return out


def _describe(kind: Any) -> str:
    if is_typeddict(kind):
        known = known_keys(kind, ())
        some = ", ".join(known[:8]) + (", …" if len(known) > 8 else "")
        return f"a mapping ({some})"
    return "a list" if get_origin(kind) is list else "a mapping of names"


def _changed(
    change: Callable[[dict[str, Any]], dict[str, Any]], read: Callable[[Any], Any]
) -> Callable[[Any], Any]:
    kept: dict[int, Any] = {}  # the changed mapping must live as long as its identity is remembered

    def changed(value: Any) -> Any:
        if type(value) is not dict:
            return read(value)
        if id(value) not in kept:
            kept[id(value)] = change(value)
        return read(kept[id(value)])

    return changed


def _or_word(words: Mapping[str, Any], read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def choose(value: Any) -> Any:
        if isinstance(value, str):
            if value in words:
                return words[value]
            close = nearest(value, words)
            hint = f"did you mean {close!r}?" if close else f"the words are {', '.join(words)}"
            raise ScalarError(f"{show(value)} where a mapping or a word was expected", hint)
        return read(value)

    return choose


def _link(link: dict[str, Any]) -> None:
    if "for" not in link and ("{" in link["a"] or "{" in link["b"]):
        raise ScalarError("an expression in { } without `for`", "add for: {n: 1-8}")


def _bond(bond: dict[str, Any]) -> None:
    written = [bond.get("rdma"), *_listed(bond.get("members"))]
    if "for" not in bond and any("{" in text for text in written if text):
        raise ScalarError("an expression in { } without `for`", "add for: {i: 1-4}")


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]


def _headroom_pool(pool: dict[str, Any]) -> None:
    if len(pool) != 1:
        raise ScalarError(
            f"a headroom pool with {len(pool)} keys", "write one of size, oversubscription, cells"
        )


_AFTER: Final[Mapping[Any, Callable[[Any], None]]] = {
    LinkDecl: _link,
    BondDecl: _bond,
    HeadroomPoolDecl: _headroom_pool,
}
