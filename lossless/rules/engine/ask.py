"""Asking a rule about one subject, and making sure that the answer makes sense."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Rule
from lossless.rules.views import PortView

#: What a view shows only to a rule that declared it.
_READABLE = frozenset(PortView.__slots__) | {"cable"}


@dataclass(frozen=True, slots=True)
class Heard:
    """An answer, and which of the subject's places it points at (`None`: the subject itself)."""

    answer: Answer
    at: int | None = None
    peer: int | None = None


@dataclass(frozen=True, slots=True)
class Crash:
    """A rule that failed, in words without a traceback."""

    rule: Rule
    what: str


@dataclass(frozen=True, slots=True)
class Nonsense:
    """A rule that answered something which is no answer."""

    rule: Rule
    what: str


@dataclass(frozen=True, slots=True)
class Reply:
    """All that a rule said about one subject."""

    heard: tuple[Heard, ...] = ()
    trouble: Crash | Nonsense | None = None


def ask(
    rule: Rule,
    subject: Any,
    places: Sequence[PortView],
    options: Mapping[str, Any],
) -> Reply:
    """Ask a rule about a subject.

    `places` are the views inside the subject that an answer may point at.  A rule that raises or
    answers nonsense is reported as such; whatever else it said about this subject is dropped.
    """
    try:
        answers = list(rule.check(subject, **options) or ())
    except Exception as error:
        return Reply(trouble=Crash(rule, _words(error)))
    index = {id(view): place for place, view in enumerate(places)}
    heard = []
    for answer in answers:
        wrong = _nonsense(answer, index)
        if wrong is not None:
            return Reply(trouble=Nonsense(rule, wrong))
        heard.append(_heard(answer, index))
    return Reply(tuple(heard))


def _words(error: Exception) -> str:
    """Return an exception in one line; an undeclared facet is said in the rule writer's terms."""
    if isinstance(error, AttributeError) and error.name in _READABLE:
        return f"AttributeError: it reads {error.name!r} without declaring it in `needs`"
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _heard(answer: Answer, index: Mapping[int, int]) -> Heard:
    if isinstance(answer, NotApplicable):
        return Heard(answer)
    at = None if answer.at is None else index[id(answer.at)]
    if isinstance(answer, Missing):
        return Heard(answer, at)
    peer = None if answer.peer is None else index[id(answer.peer)]
    return Heard(answer, at, peer)


def _nonsense(answer: object, index: Mapping[int, int]) -> str | None:
    """Return what is wrong with an answer, or `None`."""
    for kind, check in _CHECKS.items():
        if isinstance(answer, kind):
            return check(answer, index)
    return f"it answered a {type(answer).__name__}, not a Fault, Missing or NotApplicable"


def _fault(fault: Fault, index: Mapping[int, int]) -> str | None:
    if not fault.message.strip():
        return "its fault has no message"
    strangers = [v for v in (fault.at, fault.peer) if v is not None and id(v) not in index]
    if strangers:
        return "its fault points at a port that is not part of what it was asked about"
    return None


def _missing(missing: Missing, index: Mapping[int, int]) -> str | None:
    if not missing.fields:
        return "it says that something is missing and not what"
    if missing.at is not None and id(missing.at) not in index:
        return "it misses something on a port that is not part of what it was asked about"
    return None


def _not_applicable(answer: NotApplicable, index: Mapping[int, int]) -> str | None:
    del index
    return None if answer.reason.strip() else "it does not apply and does not say why"


_CHECKS: Mapping[type, Callable[[Any, Mapping[int, int]], str | None]] = {
    Fault: _fault,
    Missing: _missing,
    NotApplicable: _not_applicable,
}
