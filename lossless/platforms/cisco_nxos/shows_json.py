"""`show … | json`: the same answers as tables of tables.

Keys as in Cisco's NX-OS command reference 9.3 and in P. Gupta's traffic monitor.  A table of one
row is that row itself and not a list of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lossless.model.buffers import PriorityGroup, QueueBuffer
from lossless.model.pfc import Watchdog
from lossless.model.scheduling import QueueScheduling
from lossless.model.settings import Settings
from lossless.model.values import OFF
from lossless.platforms.cisco_nxos.names import full_name, is_port
from lossless.platforms.cisco_nxos.reader import Reading
from lossless.platforms.cisco_nxos.sessions import Answer
from lossless.platforms.cisco_nxos.shows import Shown, bitmap, pfc_settings
from lossless.platforms.cisco_nxos.shows_queuing import egress, ingress, settings

_BITMAPS: Final = ("vl-bmp", "vl-bmap", "vl_bmap")
Row = Mapping[str, Any]


def read_json(answer: Answer, shown: Shown, out: Reading) -> frozenset[str]:
    """Read an answer in JSON; return the command, where it was understood."""
    try:
        held = json.loads(answer.text)
    except (ValueError, RecursionError):
        where = (answer.file, answer.start + 1)
        out.say("damaged", "the text begins as JSON and is none: it may be cut off", where)
        return frozenset()
    if not isinstance(held, dict):
        return frozenset()
    before = shown.relevant
    _version(held, out)
    for module in (held, *rows(held, "module")):
        for row in rows(module, "pfc_interface"):
            _pfc(row, shown)
        for row in rows(module, "queuing_interface"):
            _queuing(row, shown)
    return frozenset({answer.command}) if shown.relevant > before else frozenset()


def rows(held: Any, name: str) -> Iterator[Row]:
    """Yield the rows of a table: none, the one that stands alone, or those of the list."""
    inner = held.get(f"TABLE_{name}") if isinstance(held, dict) else None
    found = inner.get(f"ROW_{name}") if isinstance(inner, dict) else inner
    for row in found if isinstance(found, list) else [found]:
        if isinstance(row, dict):
            yield row


def _text(row: Row, *keys: str) -> str:
    for key in keys:
        held = row.get(key)
        if isinstance(held, (str, int)) and not isinstance(held, bool):
            return str(held).strip()
    return ""


def _port(row: Row) -> str | None:
    name = full_name(_text(row, "if_name_str", "if-name-str").split(" ")[0])
    return name if is_port(name) else None


def _pfc(row: Row, shown: Shown) -> None:
    name, mode, oper = _port(row), _text(row, "admin"), _text(row, "oper")
    if name is None or mode.lower() not in ("on", "off", "auto") or not oper:
        return
    word, _, rest = oper.partition(" ")
    digits = rest.strip("() ") or _text(row, *_BITMAPS)
    known = bitmap(digits) if _is_bitmap(digits) else None
    shown.tell(name, pfc_settings(mode, word, known))


def _is_bitmap(text: str) -> bool:
    return 0 < len(text) <= 2 and all(c in "0123456789abcdefABCDEF" for c in text)


def _queuing(row: Row, shown: Shown) -> None:
    name = _port(row)
    if name is None:
        return
    if "wd-status" in row or "wd_status" in row:
        on = _text(row, "wd-status", "wd_status").lower() in ("enabled", "on", "1")
        watched = frozenset(
            int(_text(one, "pfc-cos"))
            for one in rows(row, "qosgrp_stats")
            if _text(one, "pfc-configured").lower() in ("yes", "1")
            and _text(one, "pfc-cos") in set("01234567")
        )
        told = Watchdog(enabled=True if on else OFF, priorities=watched or None)
        shown.tell(name, Settings(watchdog=told))
        return
    queues: dict[int, tuple[QueueScheduling, QueueBuffer]] = {}
    groups: dict[int, PriorityGroup] = {}
    for one in rows(row, "qosgrp_cfg"):
        group = _text(one, "qosgrp")
        if group not in set("01234567"):
            continue
        if "bandwidth" in one or "priority" in one:
            queues[int(group)] = egress(
                _text(one, "bandwidth"), _text(one, "priority"), _limit(one)
            )
        if "buffer-size" in one:
            sizes = ("buffer-size", "pause-threshold", "resume-threshold")
            groups[int(group)] = ingress(*(_text(one, size) for size in sizes))
    paused = {
        int(_text(one, "cos")): int(_text(one, "pfc-qosgrp"))
        for one in rows(row, "pfc_stats")
        if _text(one, "cos") in set("01234567") and _text(one, "pfc-qosgrp") in set("01234567")
    }
    if queues or groups or paused:
        shown.tell(name, settings(queues, groups, paused), weak=True)


def _limit(row: Row) -> str:
    kind = _text(row, "q-limit-type")
    return f"{_text(row, 'q-limit')}({kind[:1].upper()})" if kind else _text(row, "q-limit")


def _version(held: Row, out: Reading) -> None:
    names = {
        "nxos_ver_str": "version",
        "kickstart_ver_str": "version",
        "chassis_id": "model",
        "host_name": "hostname",
    }
    for key, fact in names.items():
        text = _text(held, key)
        if text and fact != "model":
            out.facts[fact] = text
        elif text:
            word = next((w for w in text.split() if w.startswith("C9")), "")
            out.facts["model"] = f"N9K-{word}" if word else text
