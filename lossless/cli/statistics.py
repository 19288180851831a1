"""`lossless lint --statistics`: how often each rule found something."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Report, Severity


def table(report: Report) -> str:
    """Return a line for each rule that found something: findings, objects, and what it is."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    counts: dict[tuple[Severity, str, str], list[int]] = {}
    for finding in report.findings:
        key = finding.severity, finding.rule, finding.name
        held = counts.setdefault(key, [0, 0, 0])
        if finding.suppressed is None:
            held[0] += 1
            held[1] += finding.count
        else:
            held[2] += 1
    if not counts:
        return
    wide = max(len("rule"), *(len(rule) for _, rule, _ in counts))
    yield ""
    yield f"{'findings':>8}  {'objects':>8}  {'suppressed':>10}  severity  {'rule':{wide}}  name"
    order = sorted(counts.items(), key=lambda pair: (-pair[0][0], -pair[1][0], pair[0][1]))
    for (severity, rule, name), (live, objects, suppressed) in order:
        row = f"{live:>8}  {objects:>8}  {suppressed:>10}"
        yield f"{row}  {severity.word:8}  {rule:{wide}}  {name}"
