"""What `lossless drift` shows: a comparison with the rules' verdicts, for a person and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lossless import __version__
from lossless.cli import diff_text
from lossless.cli.diff_text import Comparison
from lossless.cli.mending_lines import Mending
from lossless.drift import Ruling, Verdict
from lossless.drift.schema import SCHEMA_NUMBER
from lossless.nodeset import fold
from lossless.running import Difference, Kind


@dataclass(frozen=True, slots=True)
class Drift:
    """A comparison, a ruling on each of its differences, and when the devices were asked."""

    compared: Comparison
    rulings: Sequence[Ruling]
    taken: str | None

    @property
    def rows(self) -> Iterator[tuple[Difference, Ruling]]:
        """Return the differences that are certain, each with its ruling; harm goes first."""
        pairs = zip(self.compared.differences, self.rulings, strict=True)
        order = list(Verdict)
        real = [pair for pair in pairs if pair[0].kind is not Kind.NOT_CHECKED]
        return iter(sorted(real, key=lambda pair: order.index(pair[1].verdict)))

    def count(self, verdict: Verdict) -> int:
        """Return how many differences have a verdict."""
        return sum(1 for _, ruling in self.rows if ruling.verdict is verdict)


def text(drift: Drift, colourful: bool, verbose: bool) -> str:
    """Return drift for a person."""
    lines: list[str] = []
    for difference, ruling in drift.rows:
        lines += diff_text.difference_lines(difference, drift.compared.sides, colourful)
        lines += [*_ruling(ruling, colourful), ""]
    if verbose:
        lines += diff_text.not_compared(drift.compared)
    for devices, mending in _alike(drift):
        lines += [*diff_text.mending_lines(devices, mending, colourful), ""]
    lines.append(_summary(drift, colourful))
    return "\n".join(lines) + "\n"


def _ruling(ruling: Ruling, colourful: bool) -> Iterator[str]:
    what = "found" if ruling.verdict is Verdict.HARMFUL else "head"
    yield f"  = {diff_text.paint(ruling.verdict.value, what, colourful)}"
    for finding in ruling.findings[:3]:
        said = f"{finding.severity.word}[{finding.rule}]: {finding.message}"
        yield f"    {diff_text.visible(said)}"
    if len(ruling.findings) > 3:
        yield f"    and {len(ruling.findings) - 3} findings more"


def _alike(drift: Drift) -> Iterator[tuple[str, Mending]]:
    """Yield what mends devices, told once for those that need the same."""
    groups: list[tuple[Mending, list[str]]] = []
    for device, mending in drift.compared.lines.items():
        for other, devices in groups:
            if (other.files, other.operations) == (mending.files, mending.operations):
                devices.append(device)
                break
        else:
            groups.append((mending, [device]))
    for mending, devices in groups:
        yield f"{fold(devices)} (impact: {mending.impact})", mending


def _summary(drift: Drift, colourful: bool) -> str:
    said = diff_text.summary(drift.compared, colourful)
    told = [f"{n} {verdict.value}" for verdict in Verdict if (n := drift.count(verdict))]
    return f"{said}: {', '.join(told)}" if told else said


def document(drift: Drift) -> dict[str, Any]:
    """Return drift as plain data; described by `lossless schema drift`."""
    plain = diff_text.document(drift.compared)
    gaps = [d for d in drift.compared.differences if d.kind is Kind.NOT_CHECKED]
    devices = plain["devices"]
    for name, seen in drift.compared.seen.items():
        mending = drift.compared.lines.get(name)
        devices[name] = {"read": bool(seen.parts), **devices[name]}
        if mending is not None:
            devices[name]["mending"] = {"impact": mending.impact, **devices[name]["mending"]}
    return {
        "schema": SCHEMA_NUMBER,
        "tool": {"name": "lossless", "version": __version__},
        "taken": drift.taken,
        "summary": {
            "differences": len(list(drift.rows)),
            "harmful": drift.count(Verdict.HARMFUL),
            "harmless": drift.count(Verdict.HARMLESS),
            "not_judged": drift.count(Verdict.NOT_JUDGED),
            "not_checked": len(gaps),
            "devices": len(devices),
            "not_read": plain["summary"]["not_read"],
        },
        "differences": [{**_row(d), **_ruled(ruling)} for d, ruling in drift.rows],
        "not_checked": [_row(d) for d in gaps],
        "devices": devices,
    }


def _row(difference: Difference) -> dict[str, Any]:
    return {**diff_text.row(difference), "devices": list(difference.devices)}


def _ruled(ruling: Ruling) -> dict[str, Any]:
    return {
        "verdict": ruling.verdict.value,
        "findings": [
            {"rule": f.rule, "severity": f.severity.word, "message": f.message}
            for f in ruling.findings
        ],
    }
