"""Operations as files: JSON for `config load`, JSON patches (RFC 6902), and commands.

A whole configuration is one file that `config load` merges.  A change is a sequence of steps,
because `config apply-patch` refuses some tables, and because it orders what stands in one patch by
itself: what must come later is a later file.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any, Final

from lossless.model.device import Device
from lossless.model.operation import Op, Phase, Verb
from lossless.platforms.contract import Rendered
from lossless.platforms.sonic.db import GLOBAL_WATCHDOG
from lossless.platforms.sonic.plan import LAST_ROW, NEW_TABLE, RESTART, WHOLE

_RELEASE: Final = re.compile(r"20\d{4}")
_FIRST_PATCH: Final = 202111  # sonic-utilities, generic_config_updater
_FREE_WRED: Final = 202505  # gcu_field_operation_validators.conf.json: any profile, any colour
_NEWEST: Final = 999999


def render(ops: Sequence[Op], device: Device) -> tuple[Rendered, ...]:
    """Write operations as files, to be used in the order of their names; none where none."""
    if not ops:
        return ()
    if all(WHOLE in op.context for op in ops):
        return (Rendered("config_db.json", _json(_tables(ops))),)
    steps = list(_steps(ops, _release(device.version)))
    if len(steps) == 1 and steps[0][0] == "patch":
        return (Rendered("config_db-patch.json", _json(_patch(steps[0][1]))),)
    return tuple(_file(n, channel, held) for n, (channel, held) in enumerate(steps, 1))


def _release(version: str | None) -> int:
    """Return the release branch; what is not told counts as the newest."""
    found = _RELEASE.search(version or "")
    return int(found[0]) if found else _NEWEST


def _steps(ops: Sequence[Op], release: int) -> Iterator[tuple[str, list[Op]]]:
    held: list[Op] = []
    last: tuple[str, Phase] | None = None
    for op in ops:
        here = channel(op, release), op.phase
        if held and here != last and last is not None:
            yield last[0], held
            held = []
        held.append(op)
        last = here
    if held and last is not None:
        yield last[0], held


def channel(op: Op, release: int) -> str:
    """Return how an operation reaches the device: "patch", "load", "database" or "pfcwd".

    Refusals of `config apply-patch` are those of gcu_field_operation_validators.conf.json.
    """
    gone = op.verb in (Verb.DELETE, Verb.UNSET, Verb.DETACH)
    if op.object == "PFC_WD" and not (gone and op.key[0] == GLOBAL_WATCHDOG):
        return "pfcwd"
    closed = (
        release < _FIRST_PATCH
        or op.object in ("BUFFER_POOL", "DEVICE_METADATA", "PFC_WD")
        or (op.object == "BUFFER_PROFILE" and NEW_TABLE in op.context)
        or (op.object == "WRED_PROFILE" and release < _FREE_WRED)
    )
    if closed:
        return "database" if gone else "load"
    return "patch"


def _file(number: int, channel_: str, ops: list[Op]) -> Rendered:
    if channel_ == "patch":
        return Rendered(f"{number:02}-config_db-patch.json", _json(_patch(ops)))
    if channel_ == "load":
        return Rendered(f"{number:02}-config_db-load.json", _json(_tables(ops)))
    lines = [line for op in ops for line in _commands(op)]
    text = "\n".join(["#!/bin/sh", "set -eu", *lines, ""])
    return Rendered(f"{number:02}-{channel_}.sh", text, 0o755)


def _json(held: Any) -> str:
    return json.dumps(held, indent=4, sort_keys=isinstance(held, dict)) + "\n"


def _tables(ops: Sequence[Op]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for op in ops:
        rows = out.setdefault(op.object, {})
        if len(op.key) > 1:
            rows.setdefault(op.key[0], {})[op.key[1]] = op.new
        else:
            rows.setdefault(op.key[0], {}).update(op.new)
    return out


def _patch(ops: Sequence[Op]) -> list[dict[str, Any]]:
    return [_move(op) for op in ops]


def _move(op: Op) -> dict[str, Any]:
    if op.verb is Verb.CREATE and NEW_TABLE in op.context:
        return {"op": "add", "path": pointer(op.object), "value": {op.key[0]: op.new}}
    if op.verb is Verb.DELETE and LAST_ROW in op.context:  # an empty table is refused
        return {"op": "remove", "path": pointer(op.object)}
    path = pointer(op.object, *op.key)
    if op.new is None:
        return {"op": "remove", "path": path}
    return {"op": "add" if op.old is None else "replace", "path": path, "value": op.new}


def pointer(*steps: str) -> str:
    """Return a JSON pointer (RFC 6901)."""
    return "".join("/" + step.replace("~", "~0").replace("/", "~1") for step in steps)


# --- commands ------------------------------------------------------------------------------------


def _commands(op: Op) -> Iterator[str]:
    if op.object != "PFC_WD" or op.key[0] == GLOBAL_WATCHDOG:
        yield from _database(op)
        return
    port = shlex.quote(op.key[0])
    if op.old is not None:  # a change of action in place has no effect (buildimage#26359)
        yield f"sudo pfcwd stop {port}"
    if op.new is not None:
        row = op.new
        yield (
            f"sudo pfcwd start --action {row['action']} "
            f"--restoration-time {row['restoration_time']} {port} {row['detection_time']}"
        )
        history = row.get("pfc_stat_history")
        if history is not None and (op.old is None or RESTART in op.context or op.old):
            yield f"sudo pfcwd pfc_stat_history {shlex.quote(history)} {port}"


def _database(op: Op) -> Iterator[str]:
    if op.object == "PFC_WD" and op.new is not None:
        yield f"sudo pfcwd interval {op.new['POLL_INTERVAL']}"
        return
    row = shlex.quote(f"{op.object}|{op.key[0]}")
    if len(op.key) > 1:
        yield f"sudo sonic-db-cli CONFIG_DB HDEL {row} {shlex.quote(op.key[1])}"
    else:
        yield f"sudo sonic-db-cli CONFIG_DB DEL {row}"
