"""Drift as JUnit XML and as metrics, both made from its JSON document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final
from xml.etree import ElementTree as ET

#: Characters that XML 1.0 cannot hold at all.
_UNPRINTABLE: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(document: Mapping[str, Any]) -> str:
    """Return drift as one JUnit document: a suite a device, a case a difference on it.

    A device that was not wholly read is an error, never a pass; what was not compared is skipped.
    """
    suites = ET.Element("testsuites", name="lossless drift")
    for device, told in document["devices"].items():
        suite = ET.SubElement(suites, "testsuite", name=device)
        for fault in told["faults"]:
            case = _case(suite, device, "read")
            ET.SubElement(case, "error", message=_clean(fault["message"]))
        for row in _about(document["differences"], device):
            case = _case(suite, device, f"{row['field']} of {', '.join(row['objects'])}")
            failure = ET.SubElement(
                case, "failure", type=row["verdict"], message=_clean(_told(row))
            )
            failure.text = _clean("\n".join(f["message"] for f in row["findings"]))
        for row in _about(document["not_checked"], device):
            case = _case(suite, device, f"{row['field']} of {', '.join(row['objects'])}")
            ET.SubElement(case, "skipped", message="not checked: it was not seen")
        if not len(suite):
            _case(suite, device, "everything that is declared")
        suite.set("tests", str(len(suite)))
        for kind in ("failure", "error", "skipped"):
            plural = kind if kind == "skipped" else f"{kind}s"
            suite.set(plural, str(len(suite.findall(f"testcase/{kind}"))))
    for name in ("tests", "failures", "errors", "skipped"):
        suites.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode") + "\n"


def _case(suite: ET.Element, device: str, name: str) -> ET.Element:
    attributes = {"classname": f"lossless.drift.{device}", "name": _clean(name)}
    return ET.SubElement(suite, "testcase", attributes)


def _about(rows: list[Any], device: str) -> Iterator[Any]:
    return (row for row in rows if device in row["devices"])


def _told(row: Mapping[str, Any]) -> str:
    return f"{row['kind']}: {row['field']}: wanted {row['wanted']}, found {row['found']}"


def _clean(text: str) -> str:
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


#: Name, what it says.  All are gauges; each has the labels that `_samples` gives it.
METRICS: Final = (
    ("lossless_drift_device_read", "1 where a device was wholly read, 0 where not"),
    (
        "lossless_drift_differences",
        "Differences of a device from its declaration; absent where it was not read at all",
    ),
    ("lossless_drift_not_checked", "Declared values of a device that could not be compared"),
    ("lossless_drift_snapshot_timestamp_seconds", "When the devices were asked"),
    ("lossless_drift_info", "The version of the tool"),
)


def prometheus(document: Mapping[str, Any]) -> str:
    """Return drift in the text format of Prometheus, for the textfile collector."""
    lines: list[str] = []
    for name, says in METRICS:
        samples = list(_samples(name, document))
        if samples:
            lines += [f"# HELP {name} {says}", f"# TYPE {name} gauge", *samples]
    return "\n".join(lines) + "\n"


def _samples(name: str, document: Mapping[str, Any]) -> Iterator[str]:
    devices = document["devices"]
    if name.endswith("_info"):
        yield _sample(name, 1, version=document["tool"]["version"])
    elif name.endswith("_timestamp_seconds"):
        if document["taken"] is not None:
            yield _sample(name, int(datetime.fromisoformat(document["taken"]).timestamp()))
    elif name.endswith("_read"):
        for device, told in devices.items():
            yield _sample(name, int(not told["faults"]), device=device)
    elif name.endswith("_not_checked"):
        for device in devices:
            yield _sample(name, len(list(_about(document["not_checked"], device))), device=device)
    else:
        for device, told in devices.items():
            if told["read"]:
                yield from _counts(name, device, document["differences"])


def _counts(name: str, device: str, rows: list[Any]) -> Iterator[str]:
    """Yield every combination, zeros too, so that a series ends when its cause is gone."""
    mine = [(row["kind"], row["verdict"]) for row in _about(rows, device)]
    for kind in ("different", "not in force"):
        for verdict in ("harmful", "harmless", "not judged"):
            yield _sample(
                name, mine.count((kind, verdict)), device=device, kind=kind, verdict=verdict
            )


def _sample(name: str, value: int, **labels: str) -> str:
    said = ",".join(f'{key}="{_escaped(text)}"' for key, text in labels.items())
    return f"{name}{{{said}}} {value}" if said else f"{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
