"""`lossless lint --fix` and `--diff`: making the changes that findings propose.

A change is believed only after the changed declaration was read and linted again: what it was to
mend must be gone, nothing new may be found, and only ports that the finding names may have
changed.  Where changes together fail that, they are tried one by one.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lossless.cli import output

if TYPE_CHECKING:
    from lossless.findings import Finding, Report
    from lossless.intent import Built

#: One change may bring another finding to light; nobody needs so many turns.
_TURNS = 8

_NO_END = "\n\\ No newline at end of file\n"
_ELSEWHERE = "it would also change {names}; --unsafe-fixes makes it all the same"
_NEW = "it would bring {names}"
_STAYS = "the finding would stay"


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """A declaration as bytes, what it declares, and what was found in it."""

    files: Mapping[str, bytes]
    built: Built
    report: Report


#: Reads and lints a declaration again.  Raises `InputError`.
Again = Callable[[Mapping[str, bytes]], State]


@dataclass(slots=True)
class Mended:
    """What came of mending: the last state, findings mended, and why others were not."""

    state: State
    made: list[Finding] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)  # fingerprint → why
    unsafe: int = 0
    unwritten: int = 0


def mend(first: State, again: Again, *, unsafe: bool) -> Mended:
    """Make every change that can be made; `unsafe` ones only where asked for."""
    mended = Mended(first)
    for _ in range(_TURNS):
        made = len(mended.made)
        mended.refused.clear()  # what was refused before the last changes may be right now
        _turn(mended, list(_mendable(mended, unsafe)), again, unsafe)
        if len(mended.made) == made:
            break
    _count(mended, unsafe)
    return mended


def _mendable(mended: Mended, unsafe: bool) -> Iterator[Finding]:
    for finding in mended.state.report.findings:
        edit = finding.edit
        if finding.suppressed is not None or edit is None or edit.location is None:
            continue
        if edit.location.file in mended.state.files and (edit.safe or unsafe):
            yield finding


def _count(mended: Mended, unsafe: bool) -> None:
    """Count what a person may still decide on."""
    for finding in mended.state.report.findings:
        edit = finding.edit
        if finding.suppressed is not None or edit is None:
            continue
        if edit.location is None or edit.location.file not in mended.state.files:
            mended.unwritten += 1
        elif not edit.safe and not unsafe:
            mended.unsafe += 1


def _turn(mended: Mended, todo: Sequence[Finding], again: Again, unsafe: bool) -> None:
    """Make changes together, or one by one where together they are no good."""
    if not todo:
        return
    after, refused = _changed(mended.state, todo, again)
    together = [f for f in todo if f.fingerprint not in refused]
    mended.refused.update(refused)
    if not together:
        return
    if isinstance(after, State) and _objection(mended.state, after, together, unsafe) is None:
        mended.state = after
        mended.made += together
        return
    for finding in together:
        _alone(mended, finding.fingerprint, again, unsafe)


def _alone(mended: Mended, fingerprint: str, again: Again, unsafe: bool) -> None:
    """Make one change, as it stands now: earlier ones may have moved its place."""
    now = [f for f in mended.state.report.findings if f.fingerprint == fingerprint]
    for finding in now[:1]:
        after, refused = _changed(mended.state, [finding], again)
        why = refused.get(fingerprint) or (
            _objection(mended.state, after, [finding], unsafe)
            if isinstance(after, State)
            else after
        )
        if why is not None:
            mended.refused[fingerprint] = why
        elif isinstance(after, State):
            mended.state = after
            mended.made.append(finding)


def _changed(
    state: State, findings: Sequence[Finding], again: Again
) -> tuple[State | str, dict[str, str]]:
    """Return the state after some changes, or why there is none; and which were refused."""
    from lossless.findings import InputError
    from lossless.inventory.edits import Change, edit

    by_file: dict[str, list[tuple[Change, Finding]]] = {}
    for finding in findings:
        if finding.edit is not None and finding.edit.location is not None:
            change = Change(finding.edit.location, finding.edit.value)
            by_file.setdefault(change.location.file, []).append((change, finding))
    files, refused = dict(state.files), dict[str, str]()
    for name, changes in by_file.items():
        edited = edit(state.files[name], [change for change, _ in changes])
        files[name] = edited.data
        for change, finding in changes:
            why = next((why for one, why in edited.refused if one is change), None)
            if why is not None:
                refused[finding.fingerprint] = why
    try:
        return again(files), refused
    except InputError as error:
        return f"the result would not be valid: {error.problems[0].message}", refused


def _objection(before: State, after: State, made: Sequence[Finding], unsafe: bool) -> str | None:
    """Return why a state is worse than the one before, or no better."""
    old, new = _found(before.report), _found(after.report)
    if any(_pairs(finding) <= new for finding in made):
        return _STAYS
    if new - old:
        return _NEW.format(names=", ".join(sorted({rule for rule, _ in new - old})))
    if unsafe:
        return None
    named = {name for finding in made for folded in finding.objects for name in _expand(folded)}
    elsewhere = [
        name
        for name in _touched(before.built, after.built)
        if name not in named and name.partition(":")[0] not in named
    ]
    return _ELSEWHERE.format(names=_some(elsewhere)) if elsewhere else None


def _found(report: Report) -> set[tuple[str, str]]:
    """Return which rule found something on which object; nothing about suppressions."""
    from lossless.rules import catalogue

    own = {rule.id for rule in catalogue.own() if not rule.id.startswith("INT")}
    live = (f for f in report.findings if f.suppressed is None and f.rule not in own)
    return {pair for finding in live for pair in _pairs(finding)}


def _pairs(finding: Finding) -> set[tuple[str, str]]:
    return {(finding.rule, name) for folded in finding.objects for name in _expand(folded)}


def _expand(folded: str) -> list[str]:
    from lossless.nodeset import expand

    return expand(folded)


def _touched(before: Built, after: Built) -> Iterator[str]:
    """Yield the ports whose settings, place, intent or cable differ."""
    for name, old in before.fabric.devices.items():
        new = after.fabric.devices[name]
        for was, port in zip(old.ports, new.ports, strict=True):
            settings = old.configured.port(was.name) == new.configured.port(port.name)
            if not settings or was != port:
                yield f"{name}:{port.name}"
    for link, now in zip(before.fabric.links, after.fabric.links, strict=True):
        if link.cable != now.cable:
            yield f"{link.a_device.name}:{link.a.name}"
            yield f"{link.b_device.name}:{link.b.name}"


def _some(names: Sequence[str]) -> str:
    from lossless.nodeset import fold

    return fold(names) if len(names) <= 1000 else f"{len(names)} ports"


def diff(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """Return what changed as a unified diff, as `patch -p1` and `git apply` take it."""
    from lossless.report.context import relative

    parts: list[str] = []
    for name, old in before.items():
        if old != after[name]:
            shown = relative(name).replace(os.sep, "/").lstrip("/")
            was, now = _split(old), _split(after[name])
            lines = difflib.unified_diff(was, now, f"a/{shown}", f"b/{shown}")
            parts.extend(line if line.endswith("\n") else line + _NO_END for line in lines)
    return "".join(parts)


def _split(data: bytes) -> list[str]:
    """Return lines as `diff` counts them, whatever else Unicode calls the end of one."""
    return re.findall(r"[^\n]*\n|[^\n]+", data.decode())


def write(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> None:
    """Replace the files that changed, each whole or not at all.

    Raises `click.ClickException` where one cannot be written, or was changed in the meantime.
    """
    changed = [name for name, old in before.items() if old != after[name]]
    for name in changed:
        if Path(name).read_bytes() != before[name]:
            raise click.ClickException(
                f"{name} was changed while it was linted; nothing is written"
            )
    for name in changed:
        target = Path(name).resolve()
        output.replace(target, after[name].decode(), target.stat().st_mode & 0o7777)


def tell(mended: Mended, verb: str) -> None:
    """Say on standard error what was mended and what was not, and why."""
    files = {f.edit.location.file for f in mended.made if f.edit and f.edit.location}
    many = _many(len(mended.made), "finding")
    where = f" in {_many(len(files), 'file')}" if files else ""
    click.echo(f"{verb} {many}{where}", err=True)
    for finding in mended.state.report.findings:
        why = mended.refused.get(finding.fingerprint)
        if why is not None and finding.suppressed is None:
            click.echo(f"not mended: {finding.rule} {_on(finding.objects)}: {why}", err=True)
    if mended.unsafe:
        click.echo(
            f"{_many(mended.unsafe, 'more fix', 'more fixes')} with --unsafe-fixes", err=True
        )
    if mended.unwritten:
        fixes = _many(mended.unwritten, "fix", "fixes")
        click.echo(f"{fixes} would add a key that is not written: by hand", err=True)


def _on(objects: Iterable[str]) -> str:
    from lossless.rules.engine.extent import short

    listed = tuple(objects)
    return f"on {short(listed, len(listed))}"


def _many(number: int, one: str, several: str | None = None) -> str:
    return f"{number} {one}" if number == 1 else f"{number} {several or one + 's'}"
