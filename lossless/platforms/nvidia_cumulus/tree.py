"""A configuration as leaves and as NVUE's tree of maps, and ids that stand for several."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from lossless.platforms.nvidia_cumulus.schema import (
    HERE,
    Config,
    ConfigPath,
    leaf,
    settled,
    spelled,
)

_MOST: Final = 4096
_SPAN: Final = re.compile(r"(\d{1,5})-(\d{1,5})")
_PORTS: Final = re.compile(
    r"([A-Za-z_.-]*?[A-Za-z_.])?(\d{1,5})(?:-(\d{1,5}))?(?:s(\d)(?:-(\d))?)?"
)


def grown(config: Mapping[ConfigPath, str], release: int) -> dict[str, Any]:
    """Return the tree of a configuration in the words of a release."""
    root: dict[str, Any] = {}
    for path in sorted(config, key=by_number):
        said, value = spelled(path, config[path], release)
        node = root
        for step in said[:-1]:
            node = node.setdefault(step, {})
        held = leaf(path)
        if value == HERE:
            node.setdefault(said[-1], {})
        else:
            node[said[-1]] = int(value) if held is not None and held.number else value
    return root


def by_number(path: ConfigPath) -> tuple[Any, ...]:
    """Order paths as a person does: swp2 before swp10."""
    return tuple(
        tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)
        for parts in (re.split(r"(\d+)", step) for step in path)
    )


def ids(text: str, interface: bool = False) -> tuple[str, ...]:
    """Return the ids that one word names: `2,6`, `0-3`, `swp1-4,swp6`, `swp61s0-7`."""
    found: list[str] = []
    stem = ""
    for part in text.split(","):
        if interface:
            stem, names = _ports(part, stem)
        else:
            names = _numbers(part)
        found += names
        if len(found) > _MOST:
            return (text,)
    return tuple(dict.fromkeys(found))


def _numbers(part: str) -> list[str]:
    span = _SPAN.fullmatch(part)
    if span is None:
        return [part]
    return [str(n) for n in _between(int(span[1]), int(span[2]))] or [part]


def _ports(part: str, stem: str) -> tuple[str, list[str]]:
    found = _PORTS.fullmatch(part)
    if found is None or not (found[1] or stem):
        return stem, [part]
    name = found[1] or stem
    splits = [""]
    if found[4] is not None:
        splits = [f"s{n}" for n in _between(int(found[4]), int(found[5] or found[4]))]
    numbers = _between(int(found[2]), int(found[3] or found[2]))
    names = [f"{name}{n}{split}" for n in numbers for split in splits]
    return name, names or [part]


def _between(low: int, high: int) -> range:
    return range(low, high + 1) if high - low <= _MOST else range(0)


def spread(path: ConfigPath, value: str) -> Iterator[tuple[ConfigPath, str]]:
    """Yield a leaf for each combination of the ids in its path, in the newest words."""
    paths: list[ConfigPath] = [()]
    for place, step in enumerate(path):
        interface = place == 1 and path[0] == "interface"
        names = ids(step, interface) if interface or ("," in step or "-" in step) else (step,)
        paths = [(*above, name) for above in paths for name in names]
        if len(paths) > _MOST:
            yield settled(path, value)
            return
    for one in paths:
        yield settled(one, value)


def below(config: Mapping[ConfigPath, str], *root: str) -> Config:
    """Return what stands beneath a place, by the rest of its path."""
    size = len(root)
    return {path[size:]: value for path, value in config.items() if path[:size] == root}
