"""One operation per file: its lines as they are to be.

A file is written whole, because libraries read it when a process starts and at no other time;
lines that are none of ours, remarks included, stay where they stand.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any, Final

from lossless.model.device import DeviceState
from lossless.model.operation import Impact, ImpactKind, Op, Phase, Verb
from lossless.model.profile import Grade, Source
from lossless.model.rdma import Variable
from lossless.model.values import DEFAULT, OFF, is_value
from lossless.platforms.collective_env.files import KINDS, SHELL, Kind, Line
from lossless.platforms.collective_env.state import canonical, home

_IMPACT: Final = Impact(
    ImpactKind.NONE,
    "box",
    None,
    Source("NCCL src/misc/param.cc, initEnv: read once per process", Grade.VERIFIED, "2026-11-30"),
)
REMARK: Final = "# Environment of collective libraries, written by lossless: edit the inventory."

Assignment = tuple[str, str]


def plan(after: DeviceState, before: DeviceState | None, native: Any) -> tuple[Op, ...]:
    """Return the operations, file by file.

    Raises `ValueError` where a file that changes was not looked at.
    """
    wanted = dict(after.system.environment.variables)
    gone = {name for name, v in wanted.items() if v.value in (OFF, DEFAULT)}
    told = dict(canonical(after).system.environment.variables)
    stands = _standing(before, native)
    ops = []
    for kind in KINDS:
        mine = {n: str(v.value) for n, v in told.items() if home(n, v) is kind}
        lines = stands.get(kind.path)
        if lines is None and mine:
            raise ValueError(f"{kind.path} was not looked at, so it could not be put back")
        op = _op(kind, lines or (), mine, gone | (set(told) - set(mine)))
        if op is not None:
            ops.append(op)
    return tuple(ops)


def _standing(before: DeviceState | None, native: Any) -> Mapping[str, tuple[Line, ...]]:
    """Return the lines that stand in each file; a file that nobody looked at is left out."""
    if before is None:
        return {kind.path: () for kind in KINDS}
    if isinstance(native, dict):
        return native
    variables = dict(canonical(before).system.environment.variables)
    return {kind.path: _lines_of(kind, variables) for kind in KINDS}


def _lines_of(kind: Kind, variables: Mapping[str, Variable]) -> tuple[Line, ...]:
    return tuple(
        Line(_text(kind, name, variable.value), name, variable.value)
        for name, variable in sorted(variables.items())
        if is_value(variable.value) and home(name, variable) is kind
    )


def _text(kind: Kind, name: str, value: str) -> str:
    return f"export {name}={shlex.quote(value)}" if kind is SHELL else f"{name}={value}"


def _op(kind: Kind, lines: tuple[Line, ...], mine: Mapping[str, str], gone: set[str]) -> Op | None:
    """Change what differs in place, drop what must go, add the rest at the end."""
    kept: list[str | Assignment] = []
    done: set[str] = set()
    changed = False
    for line in lines:
        if line.name is None:
            kept.append(line.text)
        elif line.name in gone or line.name in done:
            changed = True
        elif line.name in mine:
            changed |= line.value != mine[line.name]
            kept.append((line.name, mine[line.name]))
            done.add(line.name)
        else:
            kept.append(line.text)
    new = [(name, value) for name, value in sorted(mine.items()) if name not in done]
    if not changed and not new:
        return None
    remark = [REMARK] if not lines else []
    old = tuple(line.text for line in lines)
    return Op(
        verb=Verb.SET,
        object=kind.object,
        key=(kind.path,),
        old=old,
        new=(*remark, *kept, *new),
        phase=Phase.MARKING,
        impact=_IMPACT,
        source=kind.source,
    )
