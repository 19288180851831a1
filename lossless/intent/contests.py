"""Faults of the classes in force on a port, told once for all ports that share them."""

from __future__ import annotations

from collections.abc import Sequence

from lossless.findings import Location
from lossless.intent.layering import Layering
from lossless.intent.layers import Layer, Path, look_up
from lossless.intent.lowering import Contest, Lowered
from lossless.intent.problems import Problems


def report(
    layering: Layering, device: str, port: str, lowered: Lowered, problems: Problems
) -> None:
    """Note what two classes claim both, and traffic sent in classes that nobody declares."""
    layers = layering.layers(device, port)
    for contest in lowered.contests:
        first = _place(layers, ("classes", contest.first, contest.first_key))
        second = _place(layers, ("classes", contest.second, contest.second_key))
        problems.add(
            f"the classes {contest.first} and {contest.second} both claim {_what(contest)}",
            second,
            "one of them only can have it",
            [(first, f"claimed by {contest.first}")],
        )
    for kind, name in lowered.strangers:
        known = ", ".join(n for n, _ in lowered.intent.classes) or "none"
        problems.add(
            f"{kind} is sent in the class {name!r}, which is not declared",
            _place(layers, ("sends", kind)),
            f"declared: {known}",
        )


def _what(contest: Contest) -> str:
    if contest.number is None:
        return f"the rest of the {contest.what}s"
    return f"{contest.what} {contest.number}"


def _place(layers: Sequence[Layer], path: Path) -> Location | None:
    found = look_up(layers, path)
    return None if found is None else found.location()
