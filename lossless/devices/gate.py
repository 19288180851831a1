"""Holding back a password that may be wrong.

One wrong password sent to a whole fleet locks the account behind it.  So until one host has taken
a user's password, a few hosts at a time are asked; where as many have refused it and none took
it, the rest is not asked at all.
"""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from lossless.devices import leash
from lossless.devices.credentials import Secret

#: How many hosts may refuse a password that none took; accounts are often locked after five.
REFUSALS: Final = 3
_STEP: Final = 0.2
_salt = os.urandom(16)
_changed = threading.Condition()
_passwords: dict[bytes, _Known] = {}


@dataclass(slots=True)
class _Known:
    """What is known of one user's password; `asking` are attempts under way."""

    taken: bool = False
    refused: int = 0
    asking: int = 0

    @property
    def open(self) -> bool:
        """Say whether another host may be asked now, or there is no need to wait."""
        return self.taken or self.refused + self.asking < REFUSALS


@dataclass(slots=True)
class Attempt:
    """One attempt.  `forbidden`: the password must not be sent; else `taken` is to be told.

    `taken` is `None` where the host answered neither way.
    """

    forbidden: bool = False
    taken: bool | None = None


@contextmanager
def attempt(user: str, password: Secret) -> Iterator[Attempt]:
    """Wait until a password may be sent to another host, and note what came of it."""
    with _changed:
        known = _passwords.setdefault(_key(user, password), _Known())
        while not known.open and known.refused < REFUSALS and not leash.released():
            _changed.wait(_STEP)
        allowed = known.open and not leash.released()
        known.asking += allowed
    mine = Attempt(forbidden=not allowed)
    try:
        yield mine
    finally:
        if allowed:
            with _changed:
                known.asking -= 1
                known.taken = known.taken or mine.taken is True
                known.refused += mine.taken is False
                _changed.notify_all()


def forget() -> None:
    """Forget what is known of passwords."""
    with _changed:
        _passwords.clear()


def _key(user: str, password: Secret) -> bytes:
    text = f"{user}\0{password.reveal()}".encode()
    return hashlib.blake2b(text, key=_salt, digest_size=16).digest()
