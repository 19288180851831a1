"""A Nexus 9000: typed lines change it, and it prints what it holds."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lossless.lab.cisco_nxos import running
from lossless.lab.cisco_nxos.grammar import Mode, enter
from lossless.lab.cisco_nxos.state import Config, Holder


@dataclass
class Nexus(Config):
    """A box with the named ports at their defaults.  `speeds` are bit/s by port."""

    model: str = "C9332D-GX2B"
    release: str = "10.4(3)"
    speeds: Mapping[str, int] = field(default_factory=dict)
    mode: Mode = field(default_factory=list)
    startup: str = ""
    checkpoints: dict[str, Config] = field(default_factory=dict)

    @classmethod
    def of(cls, ports: Iterable[str], hostname: str = "leaf1") -> Nexus:
        """Return a box with these ports."""
        return cls(hostname=hostname, ports={name: Holder() for name in ports})

    def type(self, text: str) -> None:
        """Type lines from configuration mode on.  Raises `Refused` at the first refused one."""
        self.mode = []
        for line in text.splitlines():
            self.line(line)

    def line(self, line: str) -> None:
        """Type one line of configuration.  Raises `Refused`."""
        words = " ".join(line.split())
        if words and not words.startswith("!"):
            enter(self, self.mode, words)

    def running_config(self, command: str = "show running-config") -> str:
        """Return what `show running-config` prints."""
        lines = [*running.header(command, self.release), *running.whole(self)]
        return "\n".join([*lines, "", ""])

    def save(self) -> None:
        """Copy the running configuration to the startup configuration."""
        self.startup = self.running_config("show startup-config")

    def config(self) -> Config:
        """Return a copy of what the running configuration holds."""
        held = {name: getattr(self, name) for name in Config.__dataclass_fields__}
        return Config(**copy.deepcopy(held))

    def restore(self, config: Config) -> None:
        """Make a configuration the running one."""
        for name in Config.__dataclass_fields__:
            setattr(self, name, copy.deepcopy(getattr(config, name)))
        self.mode = []
