"""Faults that SONiC's YANG models accept: who finds each of them here, or why nobody does.

The faults are those of a valid configuration with one thing changed; the models accept all of them,
since they look at one table at a time.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from lossless.hardware.lookup import profile_for
from lossless.model.classes import PortIntent
from lossless.model.effective import effective
from lossless.model.settings import FACETS
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.sonic import PLATFORM
from lossless.platforms.sonic.rules import RULES
from lossless.rules import catalogue
from lossless.rules.declare import Fault, Scope
from lossless.rules.views import DeviceView
from tests.platforms.sonic.conftest import Judge
from tests.rules.views import CLASSES, port

Config = dict[str, Any]
PORT = "Ethernet0"
IDENTITY = {str(n): str(n) for n in range(8)}


def good() -> Config:
    """One port with one lossless class, as this tool would have it."""
    return {
        "DEVICE_METADATA": {
            "localhost": {
                "hwsku": "any",
                "platform": "any",
                "mac": "00:11:22:33:44:55",
                "hostname": "leaf1",
                "type": "ToRRouter",
            }
        },
        "PORT": {PORT: {"lanes": "1,2,3,4", "speed": "400000", "mtu": "9100", "fec": "rs"}},
        "DSCP_TO_TC_MAP": {
            "ROCE": {str(d): "3" if d == 26 else "6" if d == 48 else "0" for d in range(64)}
        },
        "TC_TO_QUEUE_MAP": {"ROCE": dict(IDENTITY)},
        "TC_TO_PRIORITY_GROUP_MAP": {"ROCE": {t: "3" if t == "3" else "0" for t in IDENTITY}},
        "MAP_PFC_PRIORITY_TO_QUEUE": {"ROCE": dict(IDENTITY)},
        "SCHEDULER": {
            "scheduler.q3": {"type": "DWRR", "weight": "60"},
            "scheduler.q0": {"type": "DWRR", "weight": "40"},
            "scheduler.q6": {"type": "STRICT"},
        },
        "WRED_PROFILE": {
            "AZURE_LOSSLESS": {
                "ecn": "ecn_all",
                "wred_green_enable": "true",
                "green_min_threshold": "150000",
                "green_max_threshold": "1500000",
                "green_drop_probability": "100",
            }
        },
        "PORT_QOS_MAP": {
            PORT: {
                "dscp_to_tc_map": "ROCE",
                "tc_to_queue_map": "ROCE",
                "tc_to_pg_map": "ROCE",
                "pfc_to_queue_map": "ROCE",
                "pfc_enable": "3",
                "pfcwd_sw_enable": "3",
            }
        },
        "QUEUE": {
            f"{PORT}|0": {"scheduler": "scheduler.q0"},
            f"{PORT}|3": {"scheduler": "scheduler.q3", "wred_profile": "AZURE_LOSSLESS"},
            f"{PORT}|6": {"scheduler": "scheduler.q6"},
        },
        "BUFFER_POOL": {
            "ingress_lossless_pool": {
                "type": "ingress",
                "mode": "dynamic",
                "size": "164733224",
                "xoff": "17962880",
            }
        },
        "BUFFER_PROFILE": {
            "roce_pg": {
                "pool": "ingress_lossless_pool",
                "size": "18796",
                "xon": "18796",
                "xoff": "446024",
                "xon_offset": "3556",
                "dynamic_th": "0",
            }
        },
        "BUFFER_PG": {f"{PORT}|3": {"profile": "roce_pg"}},
        "CABLE_LENGTH": {"AZURE": {PORT: "40m"}},
        "PFC_WD": {
            "GLOBAL": {"POLL_INTERVAL": "100"},
            PORT: {"action": "drop", "detection_time": "200", "restoration_time": "400"},
        },
    }


def put(*path: str) -> Callable[[Config], None]:
    """Set a field: path to it, and its value; `-` removes it."""
    *way, last, value = path

    def change(config: Config) -> None:
        place = config
        for step in way:
            place = place.setdefault(step, {})
        if value == "-":
            del place[last]
        else:
            place[last] = value

    return change


def row(table: str, key: str, held: dict[str, str]) -> Callable[[Config], None]:
    def change(config: Config) -> None:
        config[table][key] = held

    return change


def both(*changes: Callable[[Config], None]) -> Callable[[Config], None]:
    def change(config: Config) -> None:
        for one in changes:
            one(config)

    return change


READ = "when read: "
QOS = ("PORT_QOS_MAP", PORT)
WRED = ("WRED_PROFILE", "AZURE_LOSSLESS")
PROFILE = ("BUFFER_PROFILE", "roce_pg")
POOL = ("BUFFER_POOL", "ingress_lossless_pool")

#: What is changed, how, and who finds it.
FOUND: dict[str, tuple[Callable[[Config], None], str]] = {
    "a class without a queue": (put("DSCP_TO_TC_MAP", "ROCE", "8", "8"), "VND306"),
    "a priority twice": (put(*QOS, "pfc_enable", "3,3"), READ + "duplicate"),
    "PFC on all eight": (put(*QOS, "pfc_enable", "0,1,2,3,4,5,6,7"), "PFC005"),
    "a lossless class in another group": (
        put("TC_TO_PRIORITY_GROUP_MAP", "ROCE", "3", "0"),
        "VND304",
    ),
    "a watchdog elsewhere": (put(*QOS, "pfcwd_sw_enable", "4"), "WDG003"),
    "a queue that there is none of": (
        row("QUEUE", f"{PORT}|9999", {"scheduler": "scheduler.q0"}),
        READ + "unread",
    ),
    "a probability of 0": (put(*WRED, "green_drop_probability", "0"), "ECN002"),
    "no marking of a lossless queue": (put(*WRED, "ecn", "ecn_none"), "ECN006"),
    "a share of 200 per cent": (
        both(
            put(*POOL, "percentage", "200"),
            put(*POOL, "size", "-"),
            put("DEVICE_METADATA", "localhost", "buffer_model", "dynamic"),
        ),
        READ + "unread",
    ),
    "headroom beyond the pool": (put(*POOL, "xoff", "999999999"), "BUF005"),
    "two thresholds": (put(*PROFILE, "static_th", "1000"), "BUF002"),
    "a static threshold in a dynamic pool": (
        both(put(*PROFILE, "dynamic_th", "-"), put(*PROFILE, "static_th", "1000")),
        "BUF002",
    ),
    "xon above xoff": (put(*PROFILE, "xon", "9999999"), "BUF001"),
    "a range backwards": (row("BUFFER_PG", f"{PORT}|4-3", {"profile": "roce_pg"}), READ + "unread"),
    "ranges that overlap": (
        row("BUFFER_PG", f"{PORT}|3-4", {"profile": "roce_pg"}),
        READ + "duplicate",
    ),
    "a cable of nothing": (put("CABLE_LENGTH", "AZURE", PORT, "0m"), "VND301"),
    "two lengths": (put("CABLE_LENGTH", "OTHER", PORT, "5m"), READ + "duplicate"),
    "an MTU of 1500": (put("PORT", PORT, "mtu", "1500"), "MTU001"),
}

#: What nobody finds on one port, and why.
NOT_FOUND: dict[str, tuple[Callable[[Config], None], str]] = {
    "a class in queue 9": (
        put("TC_TO_QUEUE_MAP", "ROCE", "5", "9"),
        "the model allows ten queues, and how many a chip has is not told by SONiC",
    ),
    "a hole in the DSCP map": (
        put("DSCP_TO_TC_MAP", "ROCE", "40", "-"),
        "legal; what becomes of the DSCP is said in no source that was read",
    ),
    "two queues in one row": (
        row("QUEUE", f"{PORT}|1,2", {"scheduler": "scheduler.q0"}),
        "older templates wrote such rows; they are read as one for each queue",
    ),
    "no upper threshold": (
        put(*WRED, "green_max_threshold", "-"),
        "stands at the chip's default, which is not known",
    ),
    "no FEC on lanes that need it": (
        put("PORT", PORT, "fec", "none"),
        "RATE004 compares both ends; whether a lone port needs FEC hangs on the medium",
    ),
}


def read(config: Config) -> Parsed:
    return PLATFORM.parse([Output("show runningconfiguration all", json.dumps(config, indent=1))])


def finders(parsed: Parsed) -> set[str]:
    """What was told when it was read, and the rules that find a fault on the port or the box."""
    profile = profile_for("sonic", "202505")
    state = parsed.state
    whole = effective(state.port(PORT), profile, state.system, assume_defaults=False)
    held = {name: getattr(whole.settings, name) for name in FACETS}
    intent = PortIntent(classes=CLASSES, congestion_control="dcqcn", minimum_l3_mtu=9000)
    view = port(**held, profile=profile, system=state.system, intent=intent)
    box = DeviceView(
        kind="switch",
        role="leaf",
        platform="sonic",
        version="202505",
        profile=profile,
        system=state.system,
        mlag=False,
        ports=(),
    )
    found = {READ + d.kind for d in parsed.diagnostics}
    if parsed.unread:
        found.add(READ + "unread")
    rules = {rule.id: rule for rule in (*catalogue.builtin(), *RULES)}
    for rule in rules.values():
        subject = {Scope.PORT: view, Scope.DEVICE: box}.get(rule.scope)
        answers = () if subject is None else rule.check(subject, **rule.options)
        if any(isinstance(answer, Fault) for answer in answers):
            found.add(rule.id)
    return found


def changed(change: Callable[[Config], None]) -> Config:
    config = copy.deepcopy(good())
    change(config)
    return config


def test_nothing_is_found_in_what_is_right() -> None:
    assert finders(read(good())) == set()


@pytest.mark.parametrize("name", FOUND)
def test_a_fault_is_found(name: str) -> None:
    change, finder = FOUND[name]
    assert finder in finders(read(changed(change)))


@pytest.mark.parametrize("name", NOT_FOUND)
def test_what_is_not_found_is_known(name: str) -> None:
    change, why = NOT_FOUND[name]
    assert finders(read(changed(change))) <= {READ + "unattached_object"}, why


def test_they_are_the_twenty_three() -> None:
    assert len(FOUND) + len(NOT_FOUND) == 23


@pytest.mark.parametrize("name", [*FOUND, *NOT_FOUND])
def test_the_models_accept_them(name: str, judge: Judge) -> None:
    change, _ = {**FOUND, **NOT_FOUND}[name]
    config = changed(change)
    assert judge(config) == ""
