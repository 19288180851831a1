"""What the rules say does not depend on how an inventory is written or what devices are called."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from lossless.findings import InputError, Report
from lossless.intent import Built
from lossless.nodeset import expand
from lossless.rules import catalogue
from lossless.rules.engine import lint
from tests.intent.generated import Data, fabrics, in_full, make

#: (rule, severity, object, field, expected, actual): folds and places may differ, these may not.
Verdict = tuple[Any, ...]


def verdicts(built: Built) -> set[Verdict]:
    report = lint(
        built.fabric,
        catalogue.selection(catalogue.builtin()),
        built.provenance,
        built.suppressions,
    )
    assert not report.internal, [f.message for f in report.findings if f.rule[:3] == "INT"]
    return set(_told(report))


def _told(report: Report) -> Iterator[Verdict]:
    for finding in report.findings:
        for name in (name for folded in finding.objects for name in expand(folded)):
            values = json.dumps([finding.expected, finding.actual], sort_keys=True)
            yield finding.rule, finding.severity.word, name, finding.field, values
    for kind, entries in (("missing", report.not_checked), ("no", report.not_applicable)):
        for entry in entries:
            for name in (name for folded in entry.objects for name in expand(folded)):
                yield entry.rule, kind, name, entry.missing


def _made(data: Data, directory: Path, files: int = 1) -> Built:
    try:
        return make(data, directory, files)
    except InputError:
        assume(False)
        raise


@given(fabrics())
def test_sets_written_out_in_full_get_the_same_verdicts(data: Data) -> None:
    with tempfile.TemporaryDirectory() as directory:
        first = verdicts(_made(data, Path(directory)))
        assert verdicts(_made(in_full(data), Path(directory))) == first


@given(fabrics(), st.integers(2, 4))
def test_split_files_get_the_same_verdicts(data: Data, files: int) -> None:
    with tempfile.TemporaryDirectory() as directory:
        first = verdicts(_made(data, Path(directory)))
        assert verdicts(_made(data, Path(directory), files)) == first


NAMES = {"leaf": "tor-b", "gpu": "Zeta", "out": "a-wan"}


def _renamed(text: str) -> str:
    for old, new in NAMES.items():
        text = text.replace(f'"{old}[', f'"{new}[').replace(f'"{old}{{', f'"{new}{{')
        for number in range(10):
            text = text.replace(f'"{old}{number}"', f'"{new}{number}"')
    return text.replace('"out"', '"a-wan"').replace('"out:', '"a-wan:')


def _called(verdict: Verdict) -> Verdict:
    rule, kind, name, *rest = verdict
    device, _, port = name.partition(":")
    for old, new in NAMES.items():
        if (device.startswith(old) and device[len(old) :].isdigit()) or device == old == "out":
            device = new + device[len(old) :]
            break
    return rule, kind, f"{device}:{port}" if port else device, *rest


@given(fabrics())
def test_renamed_devices_get_the_same_verdicts(data: Data) -> None:
    renamed = json.loads(_renamed(json.dumps(data)))
    with tempfile.TemporaryDirectory() as directory:
        first = verdicts(_made(data, Path(directory)))
        assert verdicts(_made(renamed, Path(directory))) == {_called(v) for v in first}
