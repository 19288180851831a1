"""What a platform declares of its sessions, where a device is, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What a platform says of its sessions.

    `cli` is netmiko's device type of its command line; `None` where the device is a POSIX host,
    whose commands run one by one without a terminal and give exit statuses.  `errors` are regular
    expressions, searched line by line, that tell a refused command from an answer.  `privileged`
    stands before a command that needs more rights than a login has ("sudo -n"); `enable` says
    that a command line has a privileged mode to enter instead.  `pager` matches what a device
    says at the end of a page where it stops for a key, although it was told not to.
    """

    cli: str | None = None
    errors: tuple[str, ...] = ()
    privileged: str = ""
    enable: bool = False
    pager: str = r"[<-]*-+ ?\(?more\)?[^\n]{0,40}"

    def refusal(self, text: str) -> str | None:
        """Return the line by which a device refused a command, or `None`."""
        for line in text.splitlines():
            if any(re.search(pattern, line) for pattern in self.errors):
                return line.strip()
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A device to connect to.

    `address` is a name, an IPv4 or an IPv6 address, or a Host of ssh_config; `port`, `user` and
    `jump` (Hosts of ssh_config, separated by commas, the first to be passed first) go before what
    ssh_config says.  `timeout` is how many seconds an answer may take, where the device needs
    another time than the policy gives.
    """

    name: str
    address: str
    session: Session
    port: int | None = None
    user: str | None = None
    jump: str | None = None
    timeout: float | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What a device answered.

    `exit` is the command's exit status, `None` where the device has none.  `complete` is false
    where the answer is known to be cut off.  `refusal` is the line by which the device refused the
    command, where it did.  `errors` is what a POSIX host's command wrote to standard error; it is
    part of `text` as well where the command failed.
    """

    text: str
    exit: int | None = None
    complete: bool = True
    refusal: str | None = None
    errors: str = ""


class Transport(Protocol):
    """A session with one device."""

    def run(self, command: str, *, timeout: float | None = None, privileged: bool = False) -> Reply:
        """Run one command and return its answer.

        `command` is written without the platform's prefix; `privileged` adds it (or enters the
        privileged mode).  `timeout` is in seconds.  Raises `Broken` where the session is over.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """How devices are connected to.

    `ssh_config` names a file in place of the user's own; `known_hosts` files in place of those
    that ssh_config names or, where it names none, the user's and the system's.
    `accept_new_host_keys` writes keys of hosts that are not known to the first of them; a key
    that has changed is refused all the same.  `keys` are private keys to try before those of
    ssh_config.  Times are in seconds: `connect_timeout` bounds each step until a session is
    ready, `command_timeout` each answer.  `attempts` counts the first one.
    """

    ssh_config: str | None = None
    known_hosts: tuple[str, ...] = ()
    accept_new_host_keys: bool = False
    keys: tuple[str, ...] = ()
    agent: bool = True
    connect_timeout: float = 15.0
    command_timeout: float = 60.0
    attempts: int = 3
    backoff: float = 0.5


def shared(sessions: Iterable[Session]) -> Session:
    """Return the session that serves several components of one device.

    Raises `ValueError` where they need sessions of different kinds, or there is none.
    """
    different = dict.fromkeys(sessions)
    if len(different) != 1:
        raise ValueError("components of one device declare different sessions")
    return next(iter(different))
