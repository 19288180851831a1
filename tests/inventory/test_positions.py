"""Places found lazily are the places a full parse would find."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from lossless.inventory.builder import Shared, build
from lossless.inventory.files import File
from lossless.inventory.positions import Path, Positions, Spot
from tests.inventory.conftest import Reader

NAMES = st.sampled_from(["policy", "hosts", "links", "a", "b", "leaf[1-2]", "x:y", "'q'", "über"])
LEAVES = st.sampled_from([1, "word", "two words", "# no comment", "a\nb\n", "", None, True])
TREES = st.recursive(
    LEAVES,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(NAMES, below, max_size=4),
    max_leaves=25,
)


def every_place(node: Any, path: Path = ()) -> Iterator[tuple[Path, Spot, Spot]]:
    """Yield each path with the places of its key and of its value, from a full parse."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            here = (*path, key.value)
            yield here, spot(key), spot(value)
            yield from every_place(value, here)
    elif isinstance(node, yaml.SequenceNode):
        for number, value in enumerate(node.value):
            yield (*path, number), spot(value), spot(value)
            yield from every_place(value, (*path, number))


def spot(node: Any) -> Spot:
    return Spot(node.start_mark.line, node.start_mark.column)


def positions(text: str) -> Positions:
    return Positions(build(File("f.yaml", text.encode()), Shared()))


@given(st.dictionaries(NAMES, TREES, min_size=1, max_size=5), st.sampled_from([True, False, None]))
def test_every_path_is_found_where_it_is(tree: dict[str, Any], flow: bool | None) -> None:
    text = yaml.dump(tree, default_flow_style=flow, allow_unicode=True, sort_keys=False, width=40)
    lookup = positions(text)
    for path, key, value in every_place(yaml.compose(text, Loader=yaml.CSafeLoader)):
        found = lookup.find(path)
        assert found is not None
        assert (found.depth, found.key, found.value) == (len(path), key, value)
        beyond = lookup.find((*path, "absent"))
        assert beyond is not None
        assert (beyond.depth, beyond.key) == (len(path), key)


TEXT = """\
format: 1
policy: {trust: dscp, pfc: {mode: on}}
switches:
  leaf01:
    ports:
      Ethernet1: {pfc: {priorities: [3, 4]}}
  leaf02: {ports: {Ethernet1: {
    speed: 400G}}}
links:
  - a: x:y
    b: z:w
  - {a: x:y, b: z:w}
"""


@pytest.mark.parametrize(
    ("path", "value", "key"),
    [
        (("policy",), "2:9", "2:1"),
        (("policy", "pfc", "mode"), "2:35", "2:29"),
        (("switches",), "3:1", "3:1"),  # the value begins below: the key says more
        (("switches", "leaf01"), "4:3", "4:3"),
        (("switches", "leaf01", "ports", "Ethernet1", "pfc", "priorities"), "6:37", "6:25"),
        (("switches", "leaf01", "ports", "Ethernet1", "pfc", "priorities", 1), "6:41", "6:41"),
        (("switches", "leaf01", "ports", "Ethernet1", "mtu", "nic"), "6:18", "6:7"),
        (("switches", "leaf02", "ports", "Ethernet1", "speed"), "8:12", "8:5"),
        (("switches", "leaf09", "ports"), "3:1", "3:1"),
        (("links", 0), "10:5", "10:5"),
        (("links", 0, "b"), "11:8", "11:5"),
        (("links", 1, "cable"), "12:5", "12:5"),
        (("hosts",), None, None),
        ((), None, None),
    ],
)
def test_places(declared: Reader, path: Path, value: str | None, key: str | None) -> None:
    sources = declared(TEXT).sources
    found, found_key = sources.find(path), sources.find_key(path)
    assert (found and f"{found.line}:{found.column}") == value
    assert (found_key and f"{found_key.line}:{found_key.column}") == key


def test_lines_are_counted_as_an_editor_does(declared: Reader) -> None:
    sources = declared(TEXT.replace("\n", "\r\n")).sources
    place = sources.find(("links", 0, "b"))
    assert place is not None
    assert (place.line, place.column) == (11, 8)
