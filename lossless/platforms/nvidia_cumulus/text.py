"""Text of NVUE's configuration, as YAML, JSON or commands, read into leaves with their lines.

Scalars are taken as they are written: to YAML 1.1 `enable: on` would be a truth value.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from lossless.platforms.nvidia_cumulus.box import is_port
from lossless.platforms.nvidia_cumulus.schema import (
    HERE,
    Config,
    ConfigPath,
    leaf,
    pattern,
    release_of,
    settled,
    takes,
)
from lossless.platforms.nvidia_cumulus.tree import ids, spread

_MOST_NODES: Final = 400_000
_RETRIES: Final = 12
_KNOWN_LINK: Final = frozenset({"mtu", "speed", "fec", "auto-negotiate", "state"})
_PRESENT: Final = re.compile(r"(\S+)@(\S+?)(?::\w+)?:\S*[$#]\s?")


@dataclass(slots=True)
class Found:
    """What a text told: leaves, the lines that they stand on, and what was not understood."""

    config: Config = field(default_factory=dict)
    lines: dict[ConfigPath, int] = field(default_factory=dict)
    unread: list[tuple[str, int]] = field(default_factory=list)
    damage: list[tuple[str, int | None]] = field(default_factory=list)
    twice: list[tuple[str, int]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    bonds: dict[str, str] = field(default_factory=dict)
    ports: set[str] = field(default_factory=set)
    whole: bool = False
    old_words: bool = False

    def learn(self, path: ConfigPath, value: str, line: int, text: str) -> None:
        """Take one leaf, or note that nobody knows it."""
        if path[0] == "interface" and len(path) > 1 and is_port(path[1]):
            self.ports.add(path[1])
        if self._aside(path, value):
            return
        if path[:3] in (("qos", "roce", "enable"),):
            self.old_words = True
        path, value = settled(path, value)
        if path in (("qos", "roce"), ("qos", "roce", "")) and value == HERE:
            path, value = ("qos", "roce", "state"), "enabled"
        if value == HERE and path[2:] == ("qos", "pfc-watchdog"):
            path, value = (*path, "state"), "enable"
        if takes(path, value):
            self._forget_other(path)
            self.config[path] = value
            self.lines[path] = line
        elif not (value == HERE and pattern(path) is not None and leaf(path) is None):
            self.unread.append((text, line))

    def _forget_other(self, path: ConfigPath) -> None:
        if path[2:4] == ("link", "state"):
            for word in ("up", "down"):
                self.config.pop((*path[:4], word), None)

    def _aside(self, path: ConfigPath, value: str) -> bool:
        """Take what is no quality of service; say whether it was that."""
        if path[0] == "qos":
            return False
        if path[:2] == ("system", "hostname") and value:
            self.facts["hostname"] = value
        if path[0] != "interface" or len(path) < 3:
            return True
        if path[2:4] == ("bond", "member") and len(path) > 4:
            for member in ids(path[4], interface=True):
                self.bonds[member] = path[1]
        if path[2] == "link":
            return len(path) < 4 or path[3] not in _KNOWN_LINK
        if path[2] == "lldp":
            return leaf(settled(path, value)[0]) is None
        return path[2] != "qos" or not is_port(path[1])

    def forget(self, prefix: ConfigPath) -> None:
        """Take back what an `nv unset` takes back."""
        for path in [path for path in self.config if path[: len(prefix)] == prefix]:
            del self.config[path]


# --- commands ------------------------------------------------------------------------------------


def read_commands(lines: list[tuple[int, str]], found: Found) -> None:
    """Read `nv set` and `nv unset` lines; other lines are left alone."""
    for number, text in lines:
        try:
            words = shlex.split(text, comments=True)
        except ValueError:
            words = text.split()
        if words[:2] == ["nv", "set"] and len(words) > 2:
            _set(tuple(words[2:]), number, text, found)
        elif words[:2] == ["nv", "unset"] and len(words) > 2:
            for path, _ in spread(tuple(words[2:]), HERE):
                found.forget(path)
        elif words and words[:2] not in (["nv", "config"], ["nv", "show"]):
            found.unread.append((text, number))


def _set(words: ConfigPath, number: int, text: str, found: Found) -> None:
    said: set[str] = set()
    count = len(found.unread)
    for path, _ in spread(words, HERE):
        held, value = settled(path[:-1], path[-1])
        kind = leaf(held)
        if kind is not None and not kind.item:
            found.learn(path[:-1], value, number, text)
        else:
            whole = path[:2] == ("system", "hostname") and len(path) > 2
            found.learn(path[:-1] if whole else path, path[-1] if whole else HERE, number, text)
        said.add(text)
    del found.unread[count + 1 :]  # one line is one thing that was not understood


# --- trees ---------------------------------------------------------------------------------------


def read_tree(lines: list[tuple[int, str]], found: Found) -> None:
    """Read YAML or JSON; what cannot be read whole is read up to where it breaks."""
    import yaml

    texts = [text for _, text in lines]
    first = lines[0][0] if lines else 1
    headless = next((i for i, text in enumerate(texts) if text.strip()), 0)
    if (
        texts
        and re.match(r"header:\s*$", texts[headless])
        and any(t.startswith("- ") for t in texts)
    ):
        texts[headless] = "- " + texts[headless]
    count = len(texts)
    for _ in range(_RETRIES):
        try:
            node = yaml.compose("\n".join(texts[:count]), Loader=yaml.CSafeLoader)
        except (yaml.YAMLError, RecursionError, ValueError) as error:
            mark = getattr(error, "problem_mark", None)
            at = min(count - 1, mark.line) if mark is not None else count - 1
            if not found.damage:
                found.damage.append(("this is not whole YAML", first + max(at, 0)))
            count = max(0, min(at, count - 1))
            if count == 0:
                return
            continue
        _roots(node, first, texts, found)
        return


def _roots(node: Any, first: int, texts: list[str], found: Found) -> None:
    walker = _Walker(first, texts, found)
    items = node.value if node is not None and node.id == "sequence" else [node]
    for item in items:
        if item is None or item.id != "mapping":
            continue
        keys = {key.value for key, _ in item.value if key.id == "scalar"}
        if not keys & {"set", "unset", "header"}:
            walker.walk(item, ())
            continue
        for key, value in item.value:
            if key.value == "header":
                _header(value, found)
            elif key.value == "set":
                walker.walk(value, ())
            elif key.value == "unset":
                for path, _, _ in walker.leaves(value, ()):
                    found.forget(settled(path, HERE)[0])


def _header(node: Any, found: Found) -> None:
    if node.id != "mapping":
        return
    held = {key.value: value.value for key, value in node.value if value.id == "scalar"}
    found.whole = True
    if held.get("model"):
        found.facts["model"] = held["model"]
    if held.get("version"):
        found.facts["version"] = str(held["version"]).removeprefix("Cumulus Linux ").strip()


@dataclass(slots=True)
class _Walker:
    first: int
    texts: list[str]
    found: Found
    seen: int = 0

    def walk(self, node: Any, path: ConfigPath) -> None:
        for place, value, line in self.leaves(node, path):
            at = line - self.first
            text = self.texts[at].strip() if 0 <= at < len(self.texts) else ""
            for one in _each(place):
                self.found.learn(one, value, line, text)

    def leaves(self, node: Any, path: ConfigPath) -> Iterator[tuple[ConfigPath, str, int]]:
        """Yield each scalar and each empty map with its path and line."""
        stack: list[tuple[Any, ConfigPath, int]] = [(node, path, node.start_mark.line + self.first)]
        while stack:
            here, place, line = stack.pop()
            self.seen += 1
            if self.seen > _MOST_NODES or len(place) > 40:
                self.found.damage.append(("too large or too deep to be a configuration", line))
                return
            if here.id != "mapping":
                if place:
                    yield place, here.value if isinstance(here.value, str) else "[]", line
            elif not here.value:
                if place:
                    yield place, HERE, line
            else:
                stack += reversed(list(self._children(here, place)))

    def _children(self, node: Any, place: ConfigPath) -> Iterator[tuple[Any, ConfigPath, int]]:
        names: set[str] = set()
        for key, value in node.value:
            if key.id != "scalar":
                continue
            line = key.start_mark.line + self.first
            if key.value in names:
                self.found.twice.append((f"{key.value} stands twice in one place", line))
            names.add(key.value)
            yield value, (*place, key.value), line


def _each(path: ConfigPath) -> Iterator[ConfigPath]:
    """Yield the path for each interface that a range of the tree names."""
    if path[0] == "interface" and len(path) > 1:
        for name in ids(path[1], interface=True):
            yield ("interface", name, *path[2:])
    else:
        yield path


def release(found: Found) -> int | None:
    """Return the release that a configuration shows, by its header or its words."""
    told = release_of(found.facts.get("version"))
    if told is not None:
        return told
    return 14 if found.old_words else None
