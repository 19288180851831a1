"""The catalogue: every rule there is, how rules are chosen, and their pages."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

from lossless.findings import InputError, Problem
from lossless.rules.declare import Rule
from lossless.rules.profiles import DEFAULT, PROFILES, RuleProfile

#: The families, each a package with a tuple `RULES`, in the order in which they are listed.
FAMILIES: Final = ("inv", "rate", "mtu", "pfc", "wdg", "mapping", "ecn", "ets", "buf", "nic")

_PLATFORMS_ID: Final = re.compile(r"VND[0-9]{3}\Z")

#: Ids are for ever: a rule that was removed keeps its id here, with what became of it.
RETIRED: Final[Mapping[str, str]] = {}


@cache
def builtin() -> tuple[Rule, ...]:
    """Return the rules that ship with the tool, by family.  Imports all of them."""
    rules: list[Rule] = []
    for family in FAMILIES:
        rules.extend(import_module(f"lossless.rules.{family}").RULES)
    return checked(rules)


@cache
def own() -> tuple[Rule, ...]:
    """Return what the engine finds by itself; never selected, always reported."""
    from lossless.rules.own import RULES

    return RULES


def checked(rules: Iterable[Rule]) -> tuple[Rule, ...]:
    """Return rules as they are.  Raises `ValueError` for an id or name that is taken or retired."""
    taken: dict[str, Rule] = {}
    whole = tuple(rules)
    for rule in (*own(), *whole):
        for key in (rule.id, rule.name):
            if key in RETIRED:
                raise ValueError(f"{key} is retired: {RETIRED[key]}")
            if key in taken:
                raise ValueError(f"{key} is declared by {taken[key].module} and {rule.module}")
            taken[key] = rule
    return whole


def find(named: str) -> Rule | None:
    """Return the rule of an id (in any case) or a name."""
    for rule in (*builtin(), *own()):
        if named.upper() == rule.id or named == rule.name:
            return rule
    return None


def known(named: str) -> bool:
    """Say whether an id or name means a rule, or meant one once.

    Rules about a vendor's grammar live with their platform, above this floor: of those the id's
    letters are enough.
    """
    if named in RETIRED or _PLATFORMS_ID.match(named):
        return True
    return find(named) is not None


def close(named: str) -> list[str]:
    """Return ids and names that look like a misspelt one, the likeliest first."""
    words = [word for rule in (*builtin(), *own()) for word in (rule.id, rule.name)]
    return difflib.get_close_matches(named, words, n=3)


def page(rule: Rule) -> str:
    """Return a rule's page: the Markdown beside its module."""
    file = sys.modules[rule.module].__file__ or ""
    return Path(file).with_suffix(".md").read_text(encoding="utf-8")


def selection(
    rules: Sequence[Rule],
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    profile: str = DEFAULT,
) -> tuple[Rule, ...]:
    """Return the rules to ask.

    `select` and `ignore` name rules by id, by name, or a family by its letters.  Without `select`
    all rules of the profile are asked, with it those of the selected families; a rule outside the
    profile only where its id or name is selected.  Raises `InputError` for a word that means
    nothing, `KeyError` for an unknown profile.
    """
    wanted, unwanted = tuple(select), tuple(ignore)
    within = PROFILES[profile]
    problems = [p for word in (*wanted, *unwanted) for p in _unknown(word, rules)]
    if problems:
        raise InputError(problems)
    return tuple(
        rule
        for rule in rules
        if _selected(rule, wanted, within) and not any(_means(word, rule) for word in unwanted)
    )


def _selected(rule: Rule, wanted: Sequence[str], within: RuleProfile) -> bool:
    if any(_names(word, rule) for word in wanted):
        return True
    if not within.asks(rule):
        return False
    return not wanted or any(_means(word, rule) for word in wanted)


def _names(word: str, rule: Rule) -> bool:
    return word.upper() == rule.id or word == rule.name


def _means(word: str, rule: Rule) -> bool:
    return _names(word, rule) or word.upper() == rule.family


def _unknown(word: str, rules: Sequence[Rule]) -> Iterable[Problem]:
    if any(_means(word, rule) for rule in (*rules, *own())):
        return
    if word.upper() in RETIRED:
        yield Problem(f"rule {word} is retired: {RETIRED[word.upper()]}")
        return
    words = [w for rule in rules for w in (rule.id, rule.name, rule.family)]
    near = difflib.get_close_matches(word, dict.fromkeys(words), n=1)
    hint = f"did you mean {near[0]}?" if near else "`lossless rules` lists them"
    yield Problem(f"there is no rule or family {word!r}", hint=hint)
