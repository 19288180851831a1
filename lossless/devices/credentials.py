"""Where user names and passwords come from: never an inventory, an argument or a file of ours.

A password is looked for only when a device asks for one, in this order: the one that was typed,
`LOSSLESS_PASSWORD`, what `LOSSLESS_PASSWORD_COMMAND` prints, the operating system's keyring (the
service that `LOSSLESS_KEYRING` names).  In a command, `{device}`, `{user}` and `{address}` stand
for what they say; it is run without a shell.
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field
from typing import Any, NoReturn

from lossless.devices.errors import Refused
from lossless.devices.seam import Target
from lossless.findings import InputError, Problem

_COMMAND_SECONDS = 60.0
_lock = threading.Lock()
_printed: dict[tuple[str, ...], _Printed] = {}


class Secret:
    """Text that is shown nowhere: not by `repr`, not in a format, not in a pickle."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text itself, for the one place that sends it."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return "***"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other._text == self._text

    def __hash__(self) -> int:
        return hash(Secret)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(
            "a typed password stays in the process it was typed in: give other processes "
            "LOSSLESS_PASSWORD, LOSSLESS_PASSWORD_COMMAND or a key"
        )


@dataclass(slots=True)
class _Printed:
    """What one form of the password command printed; devices that share it wait for one run."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    secret: Secret | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """Where credentials come from.  `user` goes before what the inventory says.

    `password` is one that was typed; it is not sent to jump hosts, which have
    `LOSSLESS_JUMP_PASSWORD`, and does not leave the process.
    """

    user: str | None = None
    password: Secret | None = None

    def user_for(self, target: Target, configured: str | None = None) -> str:
        """Return who logs in; `configured` is what ssh_config says of the device."""
        import getpass

        named = self.user or target.user or os.environ.get("LOSSLESS_USERNAME") or configured
        return named or getpass.getuser()

    def password_for(self, target: Target, user: str) -> Secret | None:
        """Return the password of a user on a device, `None` where there is none.

        Raises `Refused` where the command or the keyring that should give it does not.
        """
        if self.password is not None:
            return self.password
        if said := os.environ.get("LOSSLESS_PASSWORD"):
            return Secret(said)
        if command := os.environ.get("LOSSLESS_PASSWORD_COMMAND"):
            return _from_command(command, target, user)
        if service := os.environ.get("LOSSLESS_KEYRING"):
            return _from_keyring(service, target, user)
        return None

    def enable_for(self, target: Target, user: str) -> Secret | None:
        """Return the password of the privileged mode: its own, or else the one to log in."""
        if said := os.environ.get("LOSSLESS_ENABLE_PASSWORD"):
            return Secret(said)
        return self.password_for(target, user)

    def jump_password(self) -> Secret | None:
        """Return the password for jump hosts; a device's own is never sent to another machine."""
        said = os.environ.get("LOSSLESS_JUMP_PASSWORD")
        return Secret(said) if said else None


def ask_password(whose: str = "") -> Secret:
    """Ask the person at the terminal, without showing what is typed.

    Raises `InputError` where there is no terminal.
    """
    import getpass
    import sys

    if not sys.stdin.isatty():
        raise InputError(
            [
                Problem(
                    "no terminal to ask for a password at",
                    hint="set LOSSLESS_PASSWORD or LOSSLESS_PASSWORD_COMMAND, or use a key",
                )
            ]
        )
    return Secret(getpass.getpass(f"Password{f' of {whose}' if whose else ''}: "))


def forget() -> None:
    """Forget what password commands printed."""
    with _lock:
        _printed.clear()


def passphrase() -> Secret | None:
    """Return what opens private keys that are locked."""
    said = os.environ.get("LOSSLESS_KEY_PASSPHRASE")
    return Secret(said) if said else None


def _from_command(command: str, target: Target, user: str) -> Secret:
    """Run the command, once for each form that it takes."""
    import shlex

    meant = {"{device}": target.name, "{user}": user, "{address}": target.address}
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise _no_password(target, f"LOSSLESS_PASSWORD_COMMAND: {error}") from None
    for name, value in meant.items():
        words = [word.replace(name, value) for word in words]
    key = tuple(words)
    with _lock:
        printed = _printed.setdefault(key, _Printed())
    with printed.lock:
        if printed.secret is None:
            printed.secret = _run(key, target)
        return printed.secret


def _run(words: tuple[str, ...], target: Target) -> Secret:
    """Return the first line that a command prints.  Its arguments and output are told nowhere."""
    import subprocess

    if not words:
        raise _no_password(target, "LOSSLESS_PASSWORD_COMMAND is empty")
    try:
        done = subprocess.run(  # noqa: S603  the user's own words, and no shell reads them
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_COMMAND_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired, ValueError) as error:
        said = type(error).__name__ if not isinstance(error, OSError) else error.strerror
        raise _no_password(target, f"the password command {words[0]!r} failed: {said}") from None
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode != 0:
        raise _no_password(
            target, f"the password command {words[0]!r} ended with {done.returncode}"
        )
    if not lines or not lines[0]:
        raise _no_password(target, f"the password command {words[0]!r} printed nothing")
    return Secret(lines[0])


def _from_keyring(service: str, target: Target, user: str) -> Secret | None:
    try:
        import keyring
    except ImportError:
        raise Refused(
            target.name,
            "LOSSLESS_KEYRING is set and the package keyring is not installed",
            "pip install 'lossless[keyring]'",
        ) from None
    try:
        said = keyring.get_password(service, user)
    except Exception as error:  # each backend has its own
        raise _no_password(target, f"the keyring failed: {type(error).__name__}") from None
    return Secret(said) if said else None


def _no_password(target: Target, reason: str) -> Refused:
    return Refused(target.name, reason, "no password was sent")
