"""`lossless.toml` beside an inventory: what a team agrees on once.

Flags win over the environment, and the environment over the file.  Every fault of the file is
told with its line.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

import click

from lossless.findings import InputError, Location, Problem
from lossless.rules.declare import Rule
from lossless.rules.profiles import PROFILES

NAME: Final = "lossless.toml"
LEVELS: Final = ("error", "warning", "info", "never")
_META: Final = "lossless.configuration"

Key: TypeAlias = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Configuration:
    """What a file says: defaults of command-line options, and options of rules in base units."""

    defaults: Mapping[str, Any] = field(default_factory=dict)
    rules: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


class _WrongError(ValueError):
    """A value that cannot be used: what was expected, and what was probably meant."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        self.hint = hint
        super().__init__(message)


def configure(ctx: click.Context, param: click.Parameter, paths: Any) -> Any:
    """Take the defaults of a command from the file beside its paths (an eager callback)."""
    del param
    if ctx.resilient_parsing or not paths:
        return paths
    file = find(paths)
    found = Configuration() if file is None else read(file)
    ctx.meta[_META] = found
    ctx.default_map = {**(ctx.default_map or {}), **found.defaults}
    return paths


def current() -> Configuration:
    """Return the configuration of the running command."""
    found: Configuration = click.get_current_context().meta.get(_META, Configuration())
    return found


def find(paths: Sequence[str]) -> Path | None:
    """Return the file beside an inventory: in a directory given, or next to a file given.

    For standard input it is the one in the working directory.  Raises `InputError` where the
    paths have several.
    """
    folders = (_folder(path) for path in paths)
    # A link that leads nowhere is told when it is read: what a team agrees on is not left out.
    found = {
        os.path.realpath(file): file for folder in folders if os.path.lexists(file := folder / NAME)
    }
    if len(found) > 1:
        listed = ", ".join(map(str, found.values()))
        hint = "keep one, and lint the directories apart where they differ"
        raise InputError([Problem(f"several configurations for one run: {listed}", None, hint)])
    return next(iter(found.values()), None)


def _folder(path: str) -> Path:
    if path == "-":
        return Path()
    return Path(path) if Path(path).is_dir() else Path(path).parent


def read(file: Path) -> Configuration:
    """Read a configuration.  Raises `InputError` with everything that is wrong in it."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InputError([Problem(f"cannot be read: {why}", Location(str(file), 1, 1))]) from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError([_syntax(str(file), str(error))]) from error
    except (RecursionError, ValueError) as error:  # ten thousand brackets, or digits
        why = "it is nested or counts beyond reason"
        raise InputError([Problem(f"cannot be read: {why}", Location(str(file), 1, 1))]) from error
    return _Reader(file, text).configuration(data)


def _syntax(file: str, said: str) -> Problem:
    where = re.search(r" \(at line (\d+), column (\d+)\)", said)
    place = Location(file, int(where[1]), int(where[2])) if where else Location(file, 1, 1)
    return Problem(f"not TOML: {re.sub(r' [(]at .*[)]$', '', said)}", place, "see toml.io")


class _Reader:
    """Reads one file, and gathers what is wrong."""

    def __init__(self, file: Path, text: str) -> None:
        self._file = file
        self._lines = _lines(text)
        self._problems: list[Problem] = []

    def configuration(self, data: Mapping[str, Any]) -> Configuration:
        defaults: dict[str, Any] = {}
        readers = self._readers()
        for key, value in data.items():
            if key == "rules":
                continue
            if key not in readers:
                self._unknown((key,), f"unknown key {key!r}", (*readers, "rules"))
                continue
            name, reader = readers[key]
            with self._told((key,)):
                defaults[name] = reader(value)
        rules = self._rules(data.get("rules", {}))
        if self._problems:
            raise InputError(sorted(self._problems, key=lambda p: p.location.line))  # type: ignore[union-attr]
        return Configuration(defaults, rules)

    def _readers(self) -> dict[str, tuple[str, Callable[[Any], Any]]]:
        return {
            "fail-on": ("fail_on", lambda value: _choice(value, LEVELS)),
            "profile": ("profile", lambda value: _choice(value, PROFILES)),
            "select": ("select", _rule_words),
            "ignore": ("ignore", _rule_words),
            "baseline": ("baseline", lambda value: str(self._file.parent / _text(value))),
        }

    def _rules(self, data: Any) -> dict[str, dict[str, Any]]:
        if not isinstance(data, Mapping):
            self._problem(("rules",), "rules must be tables", "write [rules.PFC001]")
            return {}
        known = {key: rule for rule in _all_rules() for key in (rule.id, rule.name)}
        out: dict[str, dict[str, Any]] = {}
        for named, options in data.items():
            rule = known.get(named)
            if rule is None:
                self._unknown(("rules", named), f"there is no rule {named!r}", known)
            elif not isinstance(options, Mapping):
                message = f"{named} must be a table of options"
                self._problem(("rules", named), message, f"write [rules.{named}]")
            else:
                out.setdefault(rule.id, {}).update(self._options(named, rule, options))
        return out

    def _options(self, named: str, rule: Rule, options: Mapping[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, value in options.items():
            key = ("rules", named, name)
            if name not in rule.options:
                none = None if rule.options else f"{rule.id} has no options"
                self._unknown(key, f"{rule.id} has no option {name!r}", rule.options, none)
                continue
            with self._told(key):
                out[name] = option(rule, name, value)
        return out

    def _unknown(
        self, key: Key, message: str, known: Iterable[str], hint: str | None = None
    ) -> None:
        words = list(known)
        near = difflib.get_close_matches(key[-1], words, n=1)
        listed = f"known: {', '.join(sorted(words))}" if len(words) < 12 else "see `lossless rules`"
        self._problem(key, message, hint or (f"did you mean {near[0]!r}?" if near else listed))

    def _problem(self, key: Key, message: str, hint: str | None) -> None:
        line, column = next(
            (self._lines[key[:n]] for n in range(len(key), 0, -1) if key[:n] in self._lines), (1, 1)
        )
        self._problems.append(Problem(message, Location(str(self._file), line, column), hint))

    @contextmanager
    def _told(self, key: Key) -> Iterator[None]:
        try:
            yield
        except _WrongError as wrong:
            self._problem(key, f"{'.'.join(key)}: {wrong}", wrong.hint)


def option(rule: Rule, name: str, value: Any) -> Any:
    """Return an option of a rule in base units.  Raises `ValueError` for what it cannot be."""
    from lossless.inventory import scalars

    default = rule.options[name]
    kind = rule.units.get(name)
    if kind is not None:
        try:
            found = getattr(scalars, kind)(value if isinstance(value, str) else scalars.Raw(value))
        except scalars.ScalarError as error:
            raise _WrongError(error.message, error.hint) from error
        return _bytes(found) if kind == "size" else found
    alike = isinstance(value, bool) == isinstance(default, bool)
    if default is not None and not (alike and isinstance(value, _accepted(default))):
        raise _WrongError(f"{value!r} is no {type(default).__name__}", f"its default is {default}")
    return value


def _bytes(found: Any) -> int:
    size: int | None = found.to_bytes()
    if size is None:
        raise _WrongError(f"{found} depends on the platform", "write bytes: 150KB, 1MiB")
    return size


def _accepted(default: Any) -> tuple[type, ...]:
    return (int, float) if isinstance(default, float) else (type(default),)


def _all_rules() -> tuple[Rule, ...]:
    from lossless.cli.catalogue import all_rules

    return all_rules()


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise _WrongError(f"{value!r} where a text was expected", "write it in quotes")
    return value


def _choice(value: Any, words: Iterable[str]) -> str:
    known = list(words)
    if value in known:
        return str(value)
    near = difflib.get_close_matches(str(value), known, n=1)
    meant = f"did you mean {near[0]!r}?" if near else f"known: {', '.join(known)}"
    raise _WrongError(f"{value!r} is not one of {', '.join(known)}", meant)


def _rule_words(value: Any) -> str:
    """Return rules and families as the command line writes them, with commas between."""
    from lossless.rules import catalogue

    words = [value] if isinstance(value, str) else value
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise _WrongError(f"{value!r} is not a list of rules", 'write ["PFC", "MTU001"]')
    try:
        catalogue.selection(_all_rules(), words)
    except InputError as error:
        first = error.problems[0]
        raise _WrongError(first.message, first.hint) from error
    return ",".join(words)


_PART: Final = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*(?:\.|$)""")
_HEADER: Final = re.compile(r"\s*\[\[?([^\[\]]+)\]\]?\s*(?:#.*)?$")
_ASSIGNED: Final = re.compile(r"(\s*)([^=#\[\]]+?)\s*=")


def _lines(text: str) -> dict[Key, tuple[int, int]]:
    """Return where each key is written; of keys inside inline tables, only what holds them."""
    places: dict[Key, tuple[int, int]] = {}
    table: Key = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = tuple(_parts(header[1]))
            places.setdefault(table, (number, header.start(1) + 1))
        elif assigned := _ASSIGNED.match(line):
            key = (*table, *_parts(assigned[2]))
            places.setdefault(key, (number, assigned.start(2) + 1))
    return places


def _parts(dotted: str) -> Iterator[str]:
    for part in _PART.finditer(dotted):
        yield next(word for word in part.groups() if word is not None)
