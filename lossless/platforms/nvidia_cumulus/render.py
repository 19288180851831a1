"""Operations in NVUE's words: a tree for `nv config patch`, or commands.

A patch is one request in which setting and unsetting what hangs together is not supported, so a
change that takes something away is written as commands, which are entered one after the other.
`nv config replace` is never meant: it would delete what is not quality of service, users included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from lossless.findings import InputError, Problem
from lossless.model.device import Device
from lossless.model.operation import Op, Verb
from lossless.platforms.contract import Rendered
from lossless.platforms.nvidia_cumulus.box import NAME
from lossless.platforms.nvidia_cumulus.schema import (
    HERE,
    NEWEST,
    Config,
    ConfigPath,
    release_of,
    spelled,
    takes,
)
from lossless.platforms.nvidia_cumulus.tree import grown

TREE: Final = "nvue.yaml"
COMMANDS: Final = "nvue-commands.txt"
_DEVICE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,252}")
_HOW: Final = "nv config patch nvue.yaml; nv config diff; nv config apply --confirm"


def render(ops: Sequence[Op], device: Device) -> tuple[Rendered, ...]:
    """Write operations as one file; none where there are none.

    Raises `InputError` for what may not reach a device.
    """
    if not ops:
        return ()
    release = release_for(ops, device)
    _check(ops, device, release)
    moved = [_on_bond(op, device) for op in ops]
    _agree(moved)
    if any(op.new is None for op in ops):
        return (Rendered(COMMANDS, _text(commands(moved, release), device)),)
    return (Rendered(TREE, _yaml(moved, device, release)),)


def release_for(ops: Sequence[Op], device: Device) -> int:
    """Return the release to write for: the device's, else what the box showed, else the newest."""
    told = release_of(device.version)
    if told is not None:
        return told
    shown = next((release_of(op.context[0]) for op in ops if op.context), None)
    return NEWEST if shown is None else shown


def _on_bond(op: Op, device: Device) -> Op:
    """Bind a member's profiles to its bond: NVUE takes none on members, but the watchdog."""
    from dataclasses import replace

    if op.key[0] != "interface" or op.key[-1] != "profile":
        return op
    bond = next((port.bond for port in device.ports if port.name == op.key[1]), None)
    return op if bond is None else replace(op, key=("interface", bond, *op.key[2:]))


def _agree(ops: Sequence[Op]) -> None:
    bound: dict[ConfigPath, Any] = {}
    for op in ops:
        if bound.setdefault(op.key, op.new) != op.new:
            raise InputError(
                [
                    Problem(
                        f"members of {op.key[1]} want different profiles of {op.object}",
                        hint="quality of service is set on the bond, for all its members",
                    )
                ]
            )


def _check(ops: Sequence[Op], device: Device, release: int) -> None:
    problems: list[Problem] = []
    if not _DEVICE.fullmatch(device.name):
        problems.append(
            Problem(f"{device.name!r} is not a device name", hint="letters, digits, . _ : -")
        )
    for op in ops:
        for path, value in _leaves(op):
            if path[0] == "interface" and not NAME.fullmatch(path[1]):
                problems.append(Problem(f"{path[1]!r} is not the name of an interface"))
            elif value is not None and not takes(path, value, release):
                said = " ".join((*path, value))
                problems.append(Problem(f"Cumulus Linux 5.{release} does not take {said!r}"))
    if problems:
        raise InputError(list(dict.fromkeys(problems)))


def _leaves(op: Op) -> Iterator[tuple[ConfigPath, str | None]]:
    if op.verb is Verb.CREATE:
        yield from (((*op.key, *path), value) for path, value in op.new)
    else:
        yield op.key, op.new


def tree(ops: Sequence[Op], release: int) -> dict[str, Any]:
    """Return what operations set, as NVUE's tree in the words of a release."""
    config: Config = {}
    for op in ops:
        for path, value in _leaves(op):
            if value is not None:
                config[path] = value
    return grown(config, release)


def commands(ops: Sequence[Op], release: int) -> tuple[str, ...]:
    """Return operations as `nv set` and `nv unset` lines, in order."""
    found: list[str] = []
    for op in ops:
        for path, value in _leaves(op):
            said, word = spelled(
                path,
                op.old if value is None and op.verb is not Verb.DELETE else value or HERE,
                release,
            )
            verb = "unset" if value is None else "set"
            last = (word,) if value else ()
            found.append(" ".join(("nv", verb, *said, *last)))
    return tuple(dict.fromkeys(found))


def _text(lines: Sequence[str], device: Device) -> str:
    head = [f"# {device.name}: enter these one after the other, then nv config apply --confirm"]
    return "\n".join([*head, *lines, ""])


def _yaml(ops: Sequence[Op], device: Device, release: int) -> str:
    import yaml

    body = yaml.safe_dump([{"set": tree(ops, release)}], sort_keys=False, default_flow_style=False)
    return f"# {device.name}: {_HOW}\n{body}"
