"""The baseline: findings that were there when a team began, so that new ones stand out.

An entry holds what a finding says (rule, field, expected and actual value) and the objects it says
it of, and no line: moving or reformatting the inventory changes nothing.  A finding is accepted
for the objects of its entry and reported for all others.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

from lossless.findings import Finding, InputError, Location, Problem
from lossless.nodeset import NodeSetError, expand, fold, sort_key

FORMAT: Final = 1
REASON: Final = "in the baseline"
_KEYS: Final = ("rule", "field", "expected", "actual", "objects")
_HINT: Final = "write it anew with --write-baseline"

#: What two findings of one entry agree in.
_Key: TypeAlias = tuple[str, str | None, str, str]


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted finding; `objects` are folded names."""

    rule: str
    field: str | None
    expected: Any
    actual: Any
    objects: tuple[str, ...]


class Baseline:
    """Accepted findings, and which of them were met in a run."""

    def __init__(self, entries: Iterable[Entry] = (), file: str = "") -> None:
        self.file = file
        self._objects: dict[_Key, set[str]] = {}
        self._entries: dict[_Key, Entry] = {}
        self._met: dict[_Key, set[str]] = {}
        self._last: tuple[tuple[str, str | None, Any, Any], _Key] | None = None
        for entry in entries:
            key = _key(entry.rule, entry.field, entry.expected, entry.actual)
            self._entries.setdefault(key, entry)
            names = (name for folded in entry.objects for name in expand(folded))
            self._objects.setdefault(key, set()).update(names)

    def accepts(
        self, rule: str, field: str | None, expected: Any, actual: Any, objects: Sequence[str]
    ) -> bool:
        """Say whether a finding about all of some objects is accepted, and note that it was met.

        Values are plain data, as in a report.
        """
        if not self._objects:
            return False
        key = self._memo(rule, field, expected, actual)
        known = self._objects.get(key)
        if known is None or not known.issuperset(objects):
            return False
        self._met.setdefault(key, set()).update(objects)
        return True

    def _memo(self, rule: str, field: str | None, expected: Any, actual: Any) -> _Key:
        """Return a key; one finding is asked about object by object, with the same values."""
        if self._last is not None:
            known, key = self._last
            if known[:2] == (rule, field) and known[2] is expected and known[3] is actual:
                return key
        key = _key(rule, field, expected, actual)
        self._last = ((rule, field, expected, actual), key)
        return key

    def unmet(self) -> Iterator[Entry]:
        """Yield what is left over: entries, or their part, that nothing was found for."""
        for key, entry in self._entries.items():
            left = self._objects[key] - self._met.get(key, set())
            if left:
                objects = tuple(_parts(fold(left)))
                yield Entry(entry.rule, entry.field, entry.expected, entry.actual, objects)


def _key(rule: str, field: str | None, expected: Any, actual: Any) -> _Key:
    return rule, field, _said(expected), _said(actual)


def _said(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _parts(folded: str) -> list[str]:
    """Split a folded text at the commas outside brackets."""
    out, depth = [""], 0
    for char in folded:
        depth += (char == "[") - (char == "]")
        if char == "," and not depth:
            out.append("")
        else:
            out[-1] += char
    return out


def text(findings: Iterable[Finding]) -> str:
    """Return the baseline that accepts some findings, as JSON in a stable order."""
    together: dict[_Key, tuple[Finding, set[str]]] = {}
    for finding in findings:
        key = _key(finding.rule, finding.field, finding.expected, finding.actual)
        held = together.setdefault(key, (finding, set()))[1]
        held.update(finding.objects)
    entries = [
        {
            "rule": finding.rule,
            "field": finding.field,
            "expected": finding.expected,
            "actual": finding.actual,
            "objects": sorted(names, key=sort_key),
        }
        for _, (finding, names) in sorted(together.items(), key=lambda pair: str(pair[0]))
    ]
    document = {"baseline": FORMAT, "entries": entries}
    return json.dumps(document, indent=2, ensure_ascii=False, default=str) + "\n"


def read(file: Path) -> Baseline:
    """Read a baseline.  Raises `InputError` for a file that is none."""
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise _wrong(file, f"not JSON: {error.msg}", error.lineno, error.colno) from error
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise _wrong(file, f"the baseline cannot be read: {why}") from error
    except (RecursionError, ValueError) as error:  # ten thousand brackets, or digits
        raise _wrong(file, "this is no baseline: it is nested or counts beyond reason") from error
    if not isinstance(data, Mapping) or not isinstance(data.get("entries"), list):
        raise _wrong(file, "this is no baseline")
    if data.get("baseline") != FORMAT:
        found = data.get("baseline")
        raise _wrong(file, f"baseline format {found!r} is not known: this version reads {FORMAT}")
    entries = [_entry(file, number, entry) for number, entry in enumerate(data["entries"], 1)]
    return Baseline(entries, str(file))


def _entry(file: Path, number: int, entry: Any) -> Entry:
    if not isinstance(entry, Mapping) or set(entry) != set(_KEYS):
        raise _wrong(file, f"entry {number} must have the keys {', '.join(_KEYS)}")
    objects = entry["objects"]
    listed = isinstance(objects, list) and all(isinstance(name, str) for name in objects)
    if not isinstance(entry["rule"], str) or not listed:
        raise _wrong(file, f"entry {number} needs a rule and a list of objects")
    try:
        for name in objects:
            expand(name)
    except NodeSetError as error:
        raise _wrong(file, f"entry {number}: {error}") from error
    return Entry(entry["rule"], entry["field"], entry["expected"], entry["actual"], tuple(objects))


def _wrong(file: Path, message: str, line: int = 1, column: int = 1) -> InputError:
    return InputError([Problem(message, Location(str(file), line, column), _HINT)])
