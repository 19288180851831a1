"""Named policies shipped with the tool: what `extends:` in an inventory refers to.

Each is a data file in the grammar of an inventory's `policy:` block with two keys more:
`description`, and `sources`, which maps dotted paths (a leaf or the head of a subtree) to the text
of a source that ends in its grade: [V] read at the source, [S] told by a third party, [M] chosen
here or from memory.  This package only finds the files; `lossless.inventory.read_policy` validates.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent


@cache
def names() -> tuple[str, ...]:
    """Return the names of the shipped policies, ascending."""
    return tuple(sorted(file.stem for file in _HERE.glob("*.yaml")))


def path(name: str) -> Path:
    """Return the file of a policy.

    Raises `KeyError` where there is none of that name.  Only names of the list are ever turned
    into a path, so that a name can never lead out of this directory.
    """
    if name not in names():
        raise KeyError(name)
    return _HERE / f"{name}.yaml"
