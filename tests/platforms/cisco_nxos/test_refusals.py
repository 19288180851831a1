"""What a plan refuses rather than does by half, and names that could be commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lossless.findings import InputError
from lossless.hardware import profile_for
from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import Mtu
from lossless.model.operation import Op, Verb
from lossless.model.pfc import DcbOwnership, Pfc, PfcMode, Watchdog, WatchdogAction
from lossless.model.scheduling import Algorithm, Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.settings import Settings, System
from lossless.model.units import BandwidthKind, Cap
from lossless.model.values import OFF, number_map
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.contract import Output
from tests.platforms.cisco_nxos.somebody import (
    BOTH,
    BOX,
    LEAF,
    kbytes,
    ops,
    ports,
    share,
)


def test_what_was_not_shown_is_not_changed() -> None:
    text = "interface Ethernet1/1\n  priority-flow-control mode on\n"
    found = PLATFORM.parse([Output("", text)])
    queues = Ets(queues=table({3: QueueScheduling(bandwidth=share(40))}))
    for facets in (
        {"mtu": Mtu(native=9216)},
        {"ets": queues},
        {"mtu": Mtu(per_class=table({3: 4200}))},
        {"classification": Classification(trust=Trust.DSCP)},
    ):
        with pytest.raises(ValueError, match="was not shown"):
            PLATFORM.plan(ports("Ethernet1/1", **facets), found.state, found.native)
    off = ports("Ethernet1/1", pfc=Pfc(mode=OFF))
    assert len(PLATFORM.plan(off, found.state, found.native)) == 1  # that line was


def test_lines_that_were_not_understood_are_not_dropped() -> None:
    text = BOX.replace("    pause pfc-cos 3\n", "    pause pfc-cos 3\n    something else\n")
    both = frozenset({3, 4})
    with pytest.raises(ValueError, match="something else"):
        ops(ports(*BOTH, pfc=Pfc(mode=PfcMode.ON, send=both, honour=both)), text)


def test_a_policy_that_sorts_by_more_is_not_replaced() -> None:
    text = BOX.replace("  match dscp 26\n", "  match dscp 26\n  match access-group name X\n")
    with pytest.raises(ValueError, match="sorts by more"):
        ops(
            ports(*BOTH, classification=Classification(dscp_to_priority=number_map(64, {24: 3}))),
            text,
        )


REFUSED = [
    ({"pfc": Pfc(send=frozenset({3}), honour=frozenset({4}))}, "both directions"),
    ({"ets": Ets(queues=table({9: QueueScheduling(level=1)}))}, "queues 0 to 7"),
    (
        {"ets": Ets(queues=table({3: QueueScheduling(bandwidth=share(3, BandwidthKind.WEIGHT))}))},
        "whole per cent",
    ),
    (
        {
            "ets": Ets(
                queues=table({3: QueueScheduling(algorithm=Algorithm.STRICT, bandwidth=share(9))})
            )
        },
        "no share",
    ),
    ({"ets": Ets(queues=table({3: QueueScheduling(cap=Cap(share=10_000))}))}, "no words"),
    ({"ecn": Ecn(queues=table({3: QueueEcn(enabled=True, minimum=kbytes(1))}))}, "both thresholds"),
    ({"mtu": Mtu(native=9217)}, "1500 to 9216"),
    ({"mtu": Mtu(per_class=table({3: 575}))}, "576 to 9216"),
    ({"watchdog": Watchdog(detect=200 * 10**6)}, "not verified"),
    ({"watchdog": Watchdog(action=WatchdogAction.ERRDISABLE)}, "drops"),
    ({"dcb": DcbOwnership(willing=True)}, "never willing"),
    ({"classification": Classification(tc_to_queue=number_map(16, {3: 4}))}, "queue of its number"),
    ({"classification": Classification(rewrite_dscp_enabled=True)}, "come in"),
]


@pytest.mark.parametrize(("facets", "why"), REFUSED)
def test_what_has_no_words_is_listed_and_not_written(facets: dict[str, Any], why: str) -> None:
    state = ports("Ethernet1/1", **facets)
    found = PLATFORM.inexpressible(state)
    assert any(why in gap.message for gap in found), found
    assert all(gap.path[:2] == ("ports", "Ethernet1/1") for gap in found)
    once = PLATFORM.canonical(state)
    assert PLATFORM.inexpressible(once) == ()


def test_what_is_refused_of_the_box() -> None:
    state = DeviceState(System(raw=("hardware qos ecn",), macro="roce", pfc_stopped=True))
    assert [gap.path for gap in PLATFORM.inexpressible(state)] == [
        ("system", "raw"),
        ("system", "pfc_stopped"),
        ("system", "macro"),
    ]
    assert PLATFORM.plan(state) == ()


def test_ports_that_want_different_priorities_get_all_and_are_told() -> None:
    held = {
        name: Settings(pfc=Pfc(mode=PfcMode.ON, send=frozenset({n}), honour=frozenset({n})))
        for name, n in (("Ethernet1/1", 3), ("Ethernet1/2", 4))
    }
    state = DeviceState(ports=held)
    assert PLATFORM.canonical(state).system.settings.pfc.send == frozenset({3, 4})
    assert len(PLATFORM.inexpressible(state)) == 2


# --- words ---------------------------------------------------------------------------------------


def test_names_that_could_be_commands_never_reach_a_device() -> None:
    evil = "IN ; reload"
    bad = Op(
        verb=Verb.ATTACH,
        object="service_policy",
        key=("qos", "input"),
        new=evil,
        context=("interface Ethernet1/1",),
    )
    with pytest.raises(InputError, match="reload"):
        PLATFORM.render((bad,), LEAF)
    away = Op(verb=Verb.SET, object="mtu", new=9000, context=("interface Ethernet1/1\nreload",))
    with pytest.raises(InputError, match="reload"):
        PLATFORM.render((away,), LEAF)
    raw = Op(verb=Verb.SET, object="raw_line", new="reload")
    with pytest.raises(InputError, match="reload"):
        PLATFORM.render((raw,), LEAF)


def test_a_macro_may_be_overridden(tmp_path: Path) -> None:
    folder = tmp_path / "cisco_nxos"
    folder.mkdir()
    (folder / "macros.j2").write_text("{% macro set_mtu(o) %}mtu {{ o.new - 1 }}{% endmacro %}")
    plan = PLATFORM.plan(ports("Ethernet1/1", mtu=Mtu(native=9216), pfc=Pfc(mode=PfcMode.ON)))
    text = PLATFORM.render(plan, LEAF, tmp_path)[0].text
    assert "  mtu 9215\n" in text
    assert "  priority-flow-control mode on\n" in text


def test_layer_three_mtu_by_the_platform_s_own_count() -> None:
    facts = profile_for("cisco_nxos", "10.4(3)")
    state = ports("Ethernet1/1", mtu=Mtu(l3=9000))
    assert PLATFORM.canonical(state, facts).port("Ethernet1/1").mtu.native == 9000
    odd = ports("Ethernet1/1", mtu=Mtu(l3=9000, native=9100))
    assert [gap.path[-1] for gap in PLATFORM.inexpressible(odd, facts)] == ["l3"]


def test_every_loss_has_a_source() -> None:
    assert all(loss.what and loss.why and loss.source for loss in PLATFORM.losses)


def test_what_is_asked_of_a_device() -> None:
    asked = PLATFORM.commands(LEAF)
    assert [command.text for command in asked if command.needed] == ["show running-config"]
