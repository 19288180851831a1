"""The catalogue: ids are for ever, and words choose rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lossless.findings import InputError, Severity
from lossless.rules import catalogue
from lossless.rules.declare import Answer, Rule, Scope, Status
from lossless.rules.views import PortView
from tests.rules.engine.build import make

FOLDER = Path(catalogue.__file__).parent


def _rule(id: str, name: str, status: Status = Status.STABLE) -> Rule:
    @make(Scope.PORT, "pfc", id=id, name=name, status=status)
    def check(port: PortView) -> Iterator[Answer]:
        return iter(())

    return check


RULES = (
    _rule("PFC001", "pfc-mismatch"),
    _rule("PFC002", "pfc-new", Status.PREVIEW),
    _rule("MTU001", "mtu-low"),
)


def _ids(select: str = "", ignore: str = "") -> list[str]:
    chosen = catalogue.selection(RULES, select.split(), ignore.split())
    return [rule.id for rule in chosen]


def test_words_choose_rules() -> None:
    assert _ids() == ["PFC001", "MTU001"]
    assert _ids("PFC") == ["PFC001"]
    assert _ids("pfc001 mtu-low") == ["PFC001", "MTU001"]
    assert _ids("pfc-new") == ["PFC002"]
    assert _ids("PFC PFC002") == ["PFC001", "PFC002"]
    assert _ids(ignore="PFC") == ["MTU001"]
    assert _ids("PFC MTU", "pfc-mismatch") == ["MTU001"]


def test_words_that_mean_nothing_are_all_reported() -> None:
    with pytest.raises(InputError) as caught:
        _ids("PFC01 MTU", "xyz")
    first, second = caught.value.problems
    assert "PFC01" in first.message
    assert "did you mean PFC00" in (first.hint or "")
    assert "xyz" in second.message


def test_an_id_or_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="PFC001"):
        catalogue.checked([RULES[0], _rule("PFC001", "other")])
    with pytest.raises(ValueError, match="pfc-mismatch"):
        catalogue.checked([RULES[0], _rule("PFC009", "pfc-mismatch")])
    with pytest.raises(ValueError, match="INT001"):
        catalogue.checked([_rule("INT001", "mine")])


def test_a_retired_id_stays_retired(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "RETIRED", {"PFC001": "became PFC002"})
    with pytest.raises(ValueError, match="retired: became PFC002"):
        catalogue.checked(RULES)
    with pytest.raises(InputError, match="retired"):
        catalogue.selection(RULES[1:], ["PFC001"])
    assert catalogue.known("PFC001")


def test_every_rule_that_ships_is_found_by_id_and_name() -> None:
    for rule in (*catalogue.builtin(), *catalogue.own()):
        assert catalogue.find(rule.id) is rule
        assert catalogue.find(rule.id.lower()) is rule
        assert catalogue.find(rule.name) is rule
    assert catalogue.find("no-such-rule") is None
    assert not catalogue.known("PFC9999")
    assert catalogue.known("VND101")
    assert catalogue.close("INT00")


def test_every_module_of_a_family_is_in_its_table() -> None:
    listed = {rule.module for rule in catalogue.builtin()}
    for family in catalogue.FAMILIES:
        for page in (FOLDER / family).glob("*.md"):
            assert f"lossless.rules.{family}.{page.stem}" in listed


def test_every_scope_and_severity_is_proved() -> None:
    rules = catalogue.builtin()
    assert {rule.scope for rule in rules} == set(Scope)
    assert {rule.severity for rule in rules} == set(Severity)
