"""JUnit XML: a test suite per rule, a test case per finding or question not asked.

Errors and warnings are failures; information passes with its text as output; what was not checked
is skipped, so that no reader takes it for a pass.
"""

from __future__ import annotations

import re
from collections import defaultdict
from xml.etree import ElementTree as ET

from lossless.findings import Finding, NotChecked, Report, Severity
from lossless.report.context import Context, relative

#: Characters that XML 1.0 cannot hold at all.
_UNPRINTABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(report: Report, context: Context) -> str:
    """Return the report as one JUnit document."""
    suites = ET.Element("testsuites", name="lossless")
    found: dict[str, list[Finding]] = defaultdict(list)
    gaps: dict[str, list[NotChecked]] = defaultdict(list)
    for finding in report.findings:
        found[finding.rule].append(finding)
    for gap in report.not_checked:
        gaps[gap.rule].append(gap)
    for rule in sorted(set(found) | set(gaps) | set(context.rules)):
        _suite(suites, rule, found[rule], gaps[rule], context)
    for attribute in ("tests", "failures", "skipped"):
        total = sum(int(s.get(attribute, "0")) for s in suites)
        suites.set(attribute, str(total))
    ET.indent(suites)
    return ET.tostring(suites, encoding="unicode", xml_declaration=False) + "\n"


def _suite(
    suites: ET.Element,
    rule: str,
    found: list[Finding],
    gaps: list[NotChecked],
    context: Context,
) -> None:
    known = context.rules.get(rule)
    name = f"{rule} {known.name}" if known else rule
    suite = ET.SubElement(suites, "testsuite", name=name)
    failures = skipped = 0
    for finding in found:
        case = _case(suite, rule, ", ".join(finding.objects) or finding.name)
        if finding.suppressed is not None:
            ET.SubElement(case, "skipped", message=_clean(finding.suppressed.reason))
            skipped += 1
        elif finding.severity is Severity.INFO:
            ET.SubElement(case, "system-out").text = _clean(_text(finding))
        else:
            kind = finding.severity.word
            body = ET.SubElement(case, "failure", type=kind, message=_clean(finding.message))
            body.text = _clean(_text(finding))
            failures += 1
    for gap in gaps:
        case = _case(suite, rule, ", ".join(gap.objects))
        told = "not checked: not told: " + ", ".join(gap.missing)
        ET.SubElement(case, "skipped", message=_clean(told))
        skipped += 1
    if not found and not gaps:
        _case(suite, rule, "every object")
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(failures))
    suite.set("errors", "0")
    suite.set("skipped", str(skipped))


def _case(suite: ET.Element, rule: str, name: str) -> ET.Element:
    return ET.SubElement(suite, "testcase", classname=f"lossless.{rule}", name=_clean(name))


def _text(finding: Finding) -> str:
    where = finding.location
    place = f"{relative(where.file)}:{where.line}:{where.column}: " if where else ""
    return f"{place}{finding.message}"


def _clean(text: str) -> str:
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)
