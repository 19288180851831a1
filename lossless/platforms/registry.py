"""The platforms there are.

A platform is a package with a `PLATFORM` that satisfies `contract.Platform`, and, where its
grammar does things silently, a `rules` package with `RULES`.  To add one, write the package and
add its row here.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from lossless.platforms.contract import Platform

if TYPE_CHECKING:
    from lossless.rules.declare import Rule

PLATFORMS: Final[Mapping[str, str]] = {
    "arista_eos": "lossless.platforms.arista_eos",
    "cisco_nxos": "lossless.platforms.cisco_nxos",
    "sonic": "lossless.platforms.sonic",
    "nvidia_cumulus": "lossless.platforms.nvidia_cumulus",
    "nvidia_mlnx_qos": "lossless.platforms.nvidia_mlnx_qos",
    "collective_env": "lossless.platforms.collective_env",
}

#: Packages with VND rules.
_WITH_RULES: Final = (
    "lossless.platforms.arista_eos.rules",
    "lossless.platforms.cisco_nxos.rules",
    "lossless.platforms.sonic.rules",
    "lossless.platforms.nvidia_cumulus.rules",
)


def load(name: str) -> Platform | None:
    """Return a platform by name, or `None` where there is none that can parse and render."""
    package = PLATFORMS.get(name)
    if package is None:
        return None
    platform: Platform = import_module(package).PLATFORM
    return platform


def rules() -> tuple[Rule, ...]:
    """Return the rules that belong to platforms."""
    found: list[Rule] = []
    for package in _WITH_RULES:
        found.extend(import_module(package).RULES)
    return tuple(found)
