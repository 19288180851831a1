"""Running rules over a fabric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from lossless.findings import (
    Accepted,
    Finding,
    InputError,
    NotChecked,
    Problem,
    Provenance,
    Report,
    Summary,
    Suppressions,
)
from lossless.model.fabric import Fabric
from lossless.nodeset import sort_key
from lossless.rules.declare import Fault, Missing, NotApplicable, Rule, Scope
from lossless.rules.engine.accept import Acceptance, Complaint
from lossless.rules.engine.ask import Crash, Heard, Nonsense, ask
from lossless.rules.engine.census import Census
from lossless.rules.engine.extent import names, short, size
from lossless.rules.engine.fold import Folder, Gathered, plain, severity, spell
from lossless.rules.engine.members import Members, Ports, Whole, joined
from lossless.rules.engine.paths import TooManyPathsError
from lossless.rules.engine.subjects import Subjects
from lossless.rules.own import RULES as OWN_RULES
from lossless.rules.own import internal_error, invalid_answer

Options = Mapping[str, Mapping[str, Any]]


def lint(
    fabric: Fabric,
    rules: Sequence[Rule],
    provenance: Provenance,
    suppressions: Suppressions,
    options: Options | None = None,
    *,
    baseline: Accepted | None = None,
    today: date | None = None,
) -> Report:
    """Ask every rule about a fabric and return what they found.

    `options` holds a rule's options by its id or name, `baseline` findings that are accepted;
    `today` is the day on which maintenance is judged.  Nothing is dropped: what could not be
    checked, what does not apply, what is suppressed and which rules failed are all in the report.
    Raises `InputError` for options that no rule has, or of another type than their default.
    """
    rules = [rule for rule in rules if rule not in OWN_RULES]  # those are never asked
    chosen = _options(rules, options or {})
    census = Census(fabric)
    subjects = Subjects(census)
    acceptance = Acceptance(suppressions, provenance, baseline, today)
    answers = _Answers(Folder(census, provenance, acceptance), subjects)
    for rule in rules:
        answers.ask(rule, chosen[rule.id])
    findings = [*answers.folder.findings(), *answers.internal()]
    findings.extend(_complaints(acceptance, rules, fabric))
    return Report(
        findings=tuple(sorted(findings, key=_order)),
        not_checked=tuple(_not_checked(answers.missing)),
        not_applicable=tuple(_not_checked(answers.inapplicable)),
        summary=Summary(
            devices=len(fabric.devices),
            ports=sum(len(device.ports) for device in fabric.devices.values()),
            links=len(fabric.links),
        ),
    )


class _Answers:
    """What the rules have said so far."""

    def __init__(self, folder: Folder, subjects: Subjects) -> None:
        self.folder = folder
        self.missing = Gathered()
        self.inapplicable = Gathered()
        self._subjects = subjects
        self._trouble: dict[tuple[type, str, str], tuple[Crash | Nonsense, list[Members]]] = {}

    def ask(self, rule: Rule, options: Mapping[str, Any]) -> None:
        """Ask one rule about everything in its scope."""
        if rule.scope is Scope.PATH:
            self._unsaid(rule)
        try:
            for subject in self._subjects.of(rule):
                reply = ask(rule, subject.view, subject.places, options)
                for heard in reply.heard:
                    self._take(rule, heard, subject.members)
                if reply.trouble is not None:
                    self._fail(reply.trouble, subject.members)
        except TooManyPathsError as error:
            whole = Whole(self._subjects.census.fabric.name, ())
            self.missing.add(rule.id, (str(error),), None, whole)

    def internal(self) -> Iterator[Finding]:
        """Yield what went wrong with the rules themselves."""
        for trouble, members in self._trouble.values():
            own = internal_error if isinstance(trouble, Crash) else invalid_answer
            whole = [rect for who in joined(members) for rect in who.extent(None)]
            folded, count = names(whole), size(whole)
            for fault in own.check(trouble.rule, trouble.what):
                if isinstance(fault, Fault):
                    yield own_finding(own, fault, folded, count)

    def _take(self, rule: Rule, heard: Heard, who: Members) -> None:
        answer = heard.answer
        if isinstance(answer, Fault):
            self.folder.add(rule, answer, heard.at, heard.peer, who)
        elif isinstance(answer, Missing):
            self.missing.add(rule.id, tuple(answer.fields), heard.at, who)
        elif isinstance(answer, NotApplicable):
            self.inapplicable.add(rule.id, (answer.reason,), heard.at, who)

    def _fail(self, trouble: Crash | Nonsense, who: Members) -> None:
        key = type(trouble), trouble.rule.id, trouble.what
        self._trouble.setdefault(key, (trouble, []))[1].append(who)

    def _unsaid(self, rule: Rule) -> None:
        """Report NICs that do not say what they send: no path of theirs can be asked about."""
        for port in self._subjects.paths.unsaid():
            who = Ports(self._subjects.ports_of(port.number))
            self.missing.add(rule.id, ("sends",), None, who)


def _options(rules: Sequence[Rule], given: Options) -> dict[str, dict[str, Any]]:
    """Return the options of each rule by id."""
    chosen = {rule.id: dict(rule.options) for rule in rules}
    by_name = {name: rule for rule in rules for name in (rule.id, rule.name)}
    problems: list[Problem] = []
    for named, values in given.items():
        rule = by_name.get(named)
        if rule is not None:  # options of a rule that was not selected are nobody's concern
            problems.extend(_wrong_options(rule, values))
            chosen[rule.id].update(values)
    if problems:
        raise InputError(problems)
    return chosen


def _wrong_options(rule: Rule, values: Mapping[str, Any]) -> Iterator[Problem]:
    for name, value in values.items():
        if name not in rule.options:
            known = ", ".join(sorted(rule.options)) or "none"
            yield Problem(f"{rule.id} has no option {name!r}", hint=f"its options: {known}")
            continue
        default = rule.options[name]
        if default is not None and not _fits(value, default):
            yield Problem(
                f"option {name!r} of {rule.id} is {value!r}, which is no {type(default).__name__}",
                hint=f"its default is {default!r}",
            )


def _fits(value: Any, default: Any) -> bool:
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    if isinstance(default, float):
        return isinstance(value, int | float)
    return isinstance(value, type(default))


def _not_checked(gathered: Gathered) -> Iterator[NotChecked]:
    for rule, reasons, objects, count in gathered.folded():
        yield NotChecked(rule, objects, reasons, count)


def _complaints(acceptance: Acceptance, rules: Iterable[Rule], fabric: Fabric) -> Iterator[Finding]:
    from lossless.rules import catalogue

    asked = {name: rule for rule in rules for name in (rule.id, rule.name)}
    for complaint in acceptance.complaints(asked, catalogue.known, catalogue.close):
        yield _complaint(complaint, fabric.name)


def _complaint(complaint: Complaint, fabric: str) -> Finding:
    made = own_finding(complaint.rule, complaint.fault, (fabric,), 1)
    return Finding(
        rule=made.rule,
        name=made.name,
        severity=made.severity,
        message=made.message,
        objects=made.objects,
        field=complaint.field,
        actual=made.actual,
        location=complaint.location,
    )


def own_finding(rule: Rule, fault: Fault, objects: tuple[str, ...], count: int) -> Finding:
    """Return a finding of the engine about itself, or about what it was told to accept."""
    return Finding(
        rule=rule.id,
        name=rule.name,
        severity=severity(rule, fault),
        message=spell(fault.message, short(objects, count), ""),
        objects=objects,
        actual=plain(fault.actual),
        count=count,
    )


def _order(finding: Finding) -> tuple[Any, ...]:
    """Sort by place, then rule, then objects; findings without a place come last."""
    place = finding.location
    where = (1, "", 0, 0) if place is None else (0, place.file, place.line, place.column)
    return (*where, finding.rule, tuple(map(sort_key, finding.objects)), finding.message)
