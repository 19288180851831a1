"""NVUE's tree of maps: set, unset, merge, differences, and its three ways on paper.

A leaf is a string; an item that is only there is `{}`.
"""

from __future__ import annotations

import copy
import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

Tree: TypeAlias = dict[str, Any]
Path: TypeAlias = tuple[str, ...]

_PORT: Final = re.compile(r"([A-Za-z_.-]*?[A-Za-z_.])(\d{1,4})(?:s(\d))?")
_SPAN: Final = re.compile(
    r"(?P<stem>[A-Za-z_.-]*?[A-Za-z_.])?(?P<a>\d{1,4})(?:-(?P<b>\d{1,4}))?"
    r"(?:s(?P<c>\d)(?:-(?P<d>\d))?)?"
)
_PLAIN: Final = re.compile(r"[A-Za-z0-9_./](?:[A-Za-z0-9_./:@+, -]*[A-Za-z0-9_./@+-])?")


def natural(text: str) -> tuple[Any, ...]:
    """Order as a person does: swp2 before swp10."""
    parts = re.split(r"(\d+)", text)
    return tuple((0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts)


# --- changes -------------------------------------------------------------------------------------


def put(tree: Tree, path: Sequence[str], held: Any) -> None:
    """Set a leaf, or make an item where `held` is `{}`."""
    node = tree
    for step in path[:-1]:
        below = node.setdefault(step, {})
        if not isinstance(below, dict):
            below = node[step] = {}
        node = below
    last = path[-1]
    if list(path[-2:-1]) == ["state"] and held == {}:
        node.clear()  # a link is up or down
    if held == {}:
        node.setdefault(last, {})
    else:
        node[last] = str(held)


def take(tree: Tree, path: Sequence[str]) -> bool:
    """Take a leaf or all below a place away, and what is empty above; say whether it was there."""
    nodes = [tree]
    for step in path[:-1]:
        below = nodes[-1].get(step)
        if not isinstance(below, dict):
            return False
        nodes.append(below)
    if path[-1] not in nodes[-1]:
        return False
    del nodes[-1][path[-1]]
    for number in range(len(nodes) - 1, 0, -1):
        if not nodes[number] and not is_item(path[:number]):
            del nodes[number - 1][path[number - 1]]
        else:
            break
    return True


def is_item(path: Sequence[str]) -> bool:
    """Say whether a place may stand empty: an interface, a set's member."""
    if len(path) == 2 and path[0] == "interface":
        return True
    return len(path) > 1 and path[-2] == "switch-priority" and path[1] in ("pfc", "traffic-pool")


def leaves(tree: Mapping[str, Any], above: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield each leaf, and each empty map as an item."""
    for key in sorted(tree, key=natural):
        held = tree[key]
        if isinstance(held, dict) and held:
            yield from leaves(held, (*above, key))
        else:
            yield (*above, key), held


def at(tree: Mapping[str, Any], *path: str) -> Any:
    """Return what stands at a place; `None` where nothing does."""
    node: Any = tree
    for step in path:
        if not isinstance(node, Mapping) or step not in node:
            return None
        node = node[step]
    return node


def difference(old: Tree, new: Tree) -> tuple[Tree, Tree]:
    """Return what one tree must be told to become the other: what is set, and what is unset."""
    was, now = dict(leaves(old)), dict(leaves(new))
    set_: Tree = {}
    unset: Tree = {}
    for path, held in now.items():
        if was.get(path) != held:
            put(set_, path, held)
    for path, held in was.items():
        if at(new, *path) is None:
            put(unset, path, held)
    return set_, unset


def changed(old: Tree, new: Tree, onto: Tree) -> Tree:
    """Return a tree with the change from `old` to `new` made to it."""
    set_, unset = difference(old, new)
    made = copy.deepcopy(onto)
    for path, _ in leaves(unset):
        take(made, path)
    for path, held in leaves(set_):
        put(made, path, held)
    return made


# --- ids -----------------------------------------------------------------------------------------


def spread(word: str, *, interface: bool) -> list[str]:
    """Return the ids that a word names: `swp1-4,swp6`, `swp2s0-1`, `10,21-23`."""
    found: list[str] = []
    stem = ""
    for part in word.split(","):
        span = _SPAN.fullmatch(part)
        stem = (span["stem"] or stem) if span is not None else stem
        if span is None or bool(stem) is not interface:
            found.append(part)
            continue
        splits = [""]
        if span["c"] is not None:
            splits = [f"s{n}" for n in range(int(span["c"]), int(span["d"] or span["c"]) + 1)]
        numbers = range(int(span["a"]), int(span["b"] or span["a"]) + 1)
        found += [f"{stem if interface else ''}{n}{s}" for n in numbers for s in splits]
    return list(dict.fromkeys(found))


def spread_all(path: Sequence[str]) -> Iterator[Path]:
    """Yield a path for each combination of the ids that its words name."""
    made: list[Path] = [()]
    for place, word in enumerate(path):
        port = place == 1 and path[0] == "interface"
        several = port or (path[0] == "qos" and re.fullmatch(r"\d+([,-]\d+)+", word) is not None)
        names = spread(word, interface=port) if several else [word]
        made = [(*above, name) for above in made for name in names]
    yield from made


def folded(names: Sequence[str]) -> str:
    """Return names as one word: `swp1-4,swp6`, `swp2s0-1`."""
    parts: list[list[Any]] = []
    for name in sorted(names, key=natural):
        found = _PORT.fullmatch(name)
        key, number = (name, -1) if found is None else _place(found)
        last = parts[-1] if parts else None
        if last is not None and last[0] == key and last[2] + 1 == number:
            last[2] = number
        else:
            parts.append([key, number, number, name])
    return ",".join(first if low == high else f"{first}-{high}" for _, low, high, first in parts)


def _place(found: re.Match[str]) -> tuple[str, int]:
    if found[3] is None:
        return found[1], int(found[2])
    return f"{found[1]}{found[2]}s", int(found[3])


def by_range(tree: Tree) -> Tree:
    """Return the tree with ports that say the same as ranges, as `nv config show` prints them."""
    ports = tree.get("interface")
    if not isinstance(ports, dict):
        return tree
    alike: dict[str, list[str]] = {}
    for name in sorted(ports, key=natural):
        alike.setdefault(json.dumps(ports[name], sort_keys=True), []).append(name)
    folds = {folded(names): ports[names[0]] for names in alike.values()}
    return {**tree, "interface": folds}


# --- on paper ------------------------------------------------------------------------------------


def yaml(tree: Tree, indent: int = 0) -> str:
    """Return a tree as NVUE writes YAML: keys that are numbers are quoted, values are not."""
    lines = []
    for key in sorted(tree, key=natural):
        name = f"'{key}'" if key.isdigit() else _scalar(key)
        held = tree[key]
        if isinstance(held, dict) and held:
            lines.append(f"{' ' * indent}{name}:\n{yaml(held, indent + 2)}")
        else:
            value = "{}" if isinstance(held, dict) else _scalar(str(held))
            lines.append(f"{' ' * indent}{name}: {value}\n")
    return "".join(lines)


def _scalar(text: str) -> str:
    return text if _PLAIN.fullmatch(text) and ": " not in text else json.dumps(text)


def commands(tree: Tree, verb: str = "set") -> str:
    """Return the commands that set (or unset) a tree."""
    return "".join(f"nv {verb} {' '.join(words)}\n" for words in _worded(tree, verb))


def _worded(tree: Tree, verb: str) -> Iterator[list[str]]:
    for path, held in leaves(by_range(tree)):
        value = [] if held == {} or verb == "unset" else [str(held)]
        yield [shlex.quote(word) for word in (*path, *value)]


def numbers(tree: Any) -> Any:
    """Return a tree whose values that are numbers are numbers, as JSON has them."""
    if isinstance(tree, dict):
        return {key: numbers(held) for key, held in tree.items()}
    return int(tree) if isinstance(tree, str) and re.fullmatch(r"\d{1,12}", tree) else tree
