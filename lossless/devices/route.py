"""The way to a device: the hosts to pass, and what ssh_config says of each of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lossless.devices.credentials import Credentials
from lossless.devices.errors import Unreachable
from lossless.devices.known_hosts import name_of
from lossless.devices.seam import Policy, Target
from lossless.devices.ssh_config import Host, SshConfig, load

_HOP: Final = re.compile(
    r"(?:ssh://)?(?:(?P<user>[^@\s]+)@)?(?:\[(?P<v6>[^\]]+)\]|(?P<host>[^:/@\s]+|[^/@\s]*:[^/@\s]*:[^/@\s]*))"
    r"(?::(?P<port>[0-9]{1,5}))?/?"
)
_KNOWN: Final = ("~/.ssh/known_hosts", "~/.ssh/known_hosts2")
_KNOWN_TO_ALL: Final = ("/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2")
_MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Hop:
    """One host on the way, the device itself included.

    `keys` are files of private keys that were named for it; `key_name` is the name that its host
    key goes by in `known_hosts`.
    """

    host: str
    port: int
    user: str
    keys: tuple[str, ...]
    only_keys: bool
    key_name: str
    known_hosts: tuple[str, ...]

    def __str__(self) -> str:
        return name_of(self.host, self.port)


def way_to(target: Target, credentials: Credentials, policy: Policy) -> tuple[Hop, ...]:
    """Return the hosts to pass, the device last.

    Raises `Unreachable` where the way goes in a circle or through a program, and `InputError`
    where ssh_config cannot be read.
    """
    config = load(policy.ssh_config)
    told = config.host(target.address, target.user)
    user = credentials.user_for(target, told.user)
    jump = target.jump if target.jump is not None else told.jump
    before = _jumps(target, config, jump, policy, ())
    if target.jump is None and told.proxy_command is not None:
        raise Unreachable(
            target.name,
            f"{told.proxy_command} says ProxyCommand, which is not run",
            "write ProxyJump in its place",
        )
    return (*before, _hop(told, target.port, user, policy))


def _jumps(
    target: Target, config: SshConfig, jump: str | None, policy: Policy, seen: tuple[str, ...]
) -> tuple[Hop, ...]:
    """Return the hosts to pass; the first of them may itself have others before it."""
    if jump is None or jump.lower() == "none":
        return ()
    hops: list[Hop] = []
    for number, word in enumerate(jump.split(",")):
        found = _HOP.fullmatch(word.strip())
        if found is None:
            raise Unreachable(
                target.name, f"{word!r} is not a jump host", "write [user@]host[:port]"
            )
        name = found["v6"] or found["host"]
        if name in seen or len(seen) + len(hops) >= _MOST:
            raise Unreachable(
                target.name, f"the way through {name} goes in a circle", "look at ProxyJump"
            )
        told = config.host(name, found["user"])
        if number == 0:
            hops.extend(_jumps(target, config, told.jump, policy, (*seen, name)))
        if number == 0 and told.proxy_command is not None:
            raise Unreachable(
                target.name,
                f"{told.proxy_command} says ProxyCommand, which is not run",
                "write ProxyJump in its place",
            )
        user = found["user"] or told.user or _login_name()
        hops.append(_hop(told, int(found["port"]) if found["port"] else None, user, policy))
    return tuple(hops)


def _hop(told: Host, port: int | None, user: str, policy: Policy) -> Hop:
    number = port or told.port or 22
    return Hop(
        host=told.hostname,
        port=number,
        user=user,
        keys=tuple(dict.fromkeys((*policy.keys, *told.identities))),
        only_keys=told.identities_only,
        # An alias goes without a port (ssh_config(5), HostKeyAlias).
        key_name=told.key_alias or name_of(told.hostname, number),
        known_hosts=_known_hosts(told, policy),
    )


def _known_hosts(told: Host, policy: Policy) -> tuple[str, ...]:
    if policy.known_hosts:
        return tuple(str(Path(file).expanduser()) for file in policy.known_hosts)
    own = told.user_known_hosts if told.user_known_hosts is not None else _KNOWN
    of_all = told.global_known_hosts if told.global_known_hosts is not None else _KNOWN_TO_ALL
    return tuple(str(Path(file).expanduser()) for file in (*own, *of_all))


def _login_name() -> str:
    import getpass

    return getpass.getuser()
