"""Files and lines as they are told to NVUE: what is taken goes into a tree, the rest is named."""

from __future__ import annotations

import copy
import re
import shlex
from collections.abc import Iterator
from typing import Any, Final

import yaml

from lossless.lab.nvidia_cumulus import tree
from lossless.lab.nvidia_cumulus.grammar import Place, Refused, bare, check
from lossless.lab.nvidia_cumulus.tree import Path, Tree

_COMMAND: Final = re.compile(r"\s*nv\s+(set|unset)\b")

#: A line that is refused: its number, what it says, and why.
Fault = tuple[int, str, str]


def enter(root: Place, release: int, held: Tree, verb: str, words: list[str]) -> None:
    """Change a tree as `nv set` or `nv unset` does.  Raises `Refused`, with nothing changed."""
    if not words:
        raise Refused("Incomplete Command")
    changes = [_one(root, release, path, verb) for path in tree.spread_all(words)]
    for path, value in changes:
        if verb == "unset":
            _taken(held, path)
        else:
            tree.put(held, path, value)


def _taken(held: Tree, path: Path) -> None:
    """Take a place away; a value after it may be told, and then only that value goes."""
    if not tree.take(held, path) and tree.at(held, *path[:-1]) == path[-1]:
        tree.take(held, path[:-1])


def _one(root: Place, release: int, path: Path, verb: str) -> tuple[Path, Any]:
    """Return the leaf that a line means.  Raises `Refused`."""
    place = root
    for number, word in enumerate(path):
        if place.free:
            return _anything(path)
        below = place.step(word)
        if below is None:
            if place.holds and number == len(path) - 1:
                check(root, path[:-1], word)
                return path[:-1], word
            check(root, path[: number + 1], {})  # says what is known there
            raise Refused(f"'{word}' is not known")
        place = below
    if verb == "unset" or not place.holds:
        told = bare(path, release) if verb == "set" else None
        if told is not None:
            return (*path, told[0]), told[1]
        if verb == "set" and place.below and not _may_be_bare(path):
            raise Refused("Incomplete Command")
        return path, {}
    raise Refused(f"a value is missing after '{' '.join(path)}'")


def _may_be_bare(path: Path) -> bool:
    return len(path) == 2 and path[0] == "interface"


def _anything(path: Path) -> tuple[Path, Any]:
    """Take a place that the lab knows nothing of: its last word is a value where that is usual."""
    usual = {"hostname", "description", "address", "type", "domain", "vrf", "state", "enable"}
    if len(path) > 2 and path[-2] in usual:
        return path[:-1], path[-1]
    return path, {}


# --- files ---------------------------------------------------------------------------------------


def load(root: Place, release: int, held: Tree, text: str) -> Iterator[Fault]:
    """Take a file into a tree, and yield what is refused.

    Where its first line is a command, all are; otherwise it is YAML.
    """
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if lines and _COMMAND.match(lines[0]):
        yield from _commands(root, release, held, text)
    else:
        yield from _trees(root, held, text)


def _commands(root: Place, release: int, held: Tree, text: str) -> Iterator[Fault]:
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            _line_in(root, release, held, shlex.split(line, comments=True))
        except (Refused, ValueError) as why:
            yield number, line.strip(), str(why)


def _line_in(root: Place, release: int, held: Tree, words: list[str]) -> None:
    if words[:1] != ["nv"] or words[1:2] not in (["set"], ["unset"]):
        raise Refused("neither `nv set` nor `nv unset`")
    enter(root, release, held, words[1], words[2:])


def _trees(root: Place, held: Tree, text: str) -> Iterator[Fault]:
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        yield (mark.line + 1 if mark is not None else 1), "YAML", str(error).split("\n", 1)[0]
        return
    lines = text.splitlines()
    for item in node.value if isinstance(node, yaml.SequenceNode) else []:
        for verb, below in item.value if isinstance(item, yaml.MappingNode) else []:
            if verb.value not in ("set", "unset"):
                continue
            for path, value, line in _leaves(below, ()):
                if not path:
                    continue  # nothing stands beneath
                try:
                    _tell(root, held, verb.value, path, value)
                except Refused as why:
                    yield line, lines[line - 1].strip(), str(why)
    if node is not None and not isinstance(node, yaml.SequenceNode):
        yield 1, lines[0] if lines else "", "a list of `set` and `unset` is expected"


def _tell(root: Place, held: Tree, verb: str, path: Path, value: Any) -> None:
    for one in tree.spread_all(path):
        if verb == "unset":
            tree.take(held, one)
        else:
            check(root, one, value)
            tree.put(held, one, copy.copy(value))


def _leaves(node: Any, above: Path) -> Iterator[tuple[Path, Any, int]]:
    if not isinstance(node, yaml.MappingNode):
        yield above, node.value if isinstance(node, yaml.ScalarNode) else {}, _line(node)
        return
    if not node.value:
        yield above, {}, _line(node)
    for key, value in node.value:
        if isinstance(value, yaml.MappingNode) and value.value:
            yield from _leaves(value, (*above, str(key.value)))
        else:
            for path, held, _ in _leaves(value, (*above, str(key.value))):
                yield path, held, _line(key)


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1
