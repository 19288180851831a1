"""Logging in: keys of files and of an agent first, then a password, once.

A device's password is asked for only where the device takes one, and is never sent a second time:
accounts get locked.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Callable, Generator, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from lossless.devices import leash
from lossless.devices.credentials import Secret, passphrase
from lossless.devices.errors import DeviceError, Refused, Silent, Unreachable
from lossless.devices.gate import REFUSALS, Attempt, attempt
from lossless.devices.route import Hop

#: OpenSSH's server allows six attempts (sshd_config(5), MaxAuthTries); one is for a password.
_KEYS: Final = 5
_OWN: Final = ("~/.ssh/id_ed25519", "~/.ssh/id_ecdsa", "~/.ssh/id_rsa")
_BY_HAND: Final = frozenset({"password", "keyboard-interactive"})


class LogIn:
    """One login at one host.  `device` is who it is told of."""

    def __init__(
        self,
        device: str,
        hop: Hop,
        transport: Any,
        password: Callable[[], Secret | None],
        *,
        agent: bool,
    ) -> None:
        self._device = device
        self._hop = hop
        self._transport = transport
        self._password = password
        self._agent = agent
        self._tried = 0
        self._locked: list[str] = []

    def run(self) -> None:
        """Log in, or raise `Refused`; `Unreachable` where the host does not answer."""
        methods = self._methods()
        if methods is None:
            return
        if "publickey" in methods:
            left = self._by_keys()
            if left is None:
                return
            methods = left or methods
        by_hand = methods & _BY_HAND
        password = self._password() if by_hand else None
        if password is None:
            raise self._no_way(methods)
        self._by_password(password, by_hand)

    def _methods(self) -> frozenset[str] | None:
        """Ask what the host takes; `None` where it lets everybody in."""
        paramiko: Any = import_module("paramiko")

        try:
            self._transport.auth_none(self._hop.user)
        except paramiko.BadAuthenticationType as error:
            return frozenset(error.allowed_types)
        except paramiko.AuthenticationException:
            return frozenset({"publickey", *_BY_HAND})
        except (paramiko.SSHException, EOFError, OSError):
            raise self._gone("before anything was sent") from None
        return None

    def _by_keys(self) -> frozenset[str] | None:
        """Try keys; `None` is success, otherwise the methods that are wanted beside a key."""
        paramiko: Any = import_module("paramiko")

        with contextlib.closing(self._keys()) as keys:
            for key in keys:
                if self._tried >= _KEYS:
                    break
                self._tried += 1
                try:
                    left = self._transport.auth_publickey(self._hop.user, key)
                except paramiko.AuthenticationException:
                    continue
                except paramiko.SSHException:
                    if not self._transport.is_active():
                        raise self._gone(f"after {self._tried} keys") from None
                    continue  # a kind of key that this host does not take
                except (EOFError, OSError):
                    raise self._gone(f"after {self._tried} keys") from None
                return frozenset(left) if left else None
        return frozenset()

    def _keys(self) -> Generator[Any, None, None]:
        """Yield keys: those that were named, the agent's, and else the user's own."""
        named = [key for file in self._hop.keys if (key := self._key(file)) is not None]
        yield from named
        if self._agent:
            only = self._public() if self._hop.only_keys else None
            yield from _agent_keys(only, {key.asbytes() for key in named})
        if not self._hop.keys:
            yield from (key for file in _OWN if (key := self._key(file)) is not None)

    def _key(self, file: str) -> Any:
        path = os.path.expanduser(file)
        try:
            stat = os.stat(path)
            return _load(path, stat.st_mtime_ns, passphrase())
        except OSError:
            return None
        except _LockedError:
            self._locked.append(file)
            return None

    def _public(self) -> set[bytes]:
        """Return the public halves of the keys that were named, where their files tell them."""
        import base64
        import binascii

        found: set[bytes] = set()
        for file in self._hop.keys:
            with contextlib.suppress(OSError, ValueError, IndexError, binascii.Error):
                text = Path(os.path.expanduser(f"{file}.pub")).read_text(encoding="utf-8")
                found.add(base64.b64decode(text.split()[1]))
        return found

    def _by_password(self, password: Secret, by_hand: frozenset[str]) -> None:
        with attempt(self._hop.user, password) as asked:
            if asked.forbidden:
                raise self._held_back()
            left = self._send(password, by_hand, asked)
            asked.taken = True
        if left:
            raise Refused(
                self._device,
                f"{self._hop} wants {' and '.join(left)} beside the password of {self._hop.user!r}",
                "log in with a key",
            )

    def _send(self, password: Secret, by_hand: frozenset[str], asked: Attempt) -> Sequence[str]:
        """Send a password, once, and return what else is wanted."""
        paramiko: Any = import_module("paramiko")
        answer = _Answer(password)
        user = self._hop.user
        try:
            if "password" in by_hand:
                left = self._transport.auth_password(user, password.reveal(), fallback=False)
            else:
                left = self._transport.auth_interactive(user, answer)
        except (paramiko.SSHException, EOFError, OSError) as error:
            if answer.other is not None:
                raise self._asks(answer.other) from None
            if "imeout" in str(error):
                raise self._no_answer() from None
            asked.taken = False
            raise self._wrong_password() from None
        return list(left)

    def _wrong_password(self) -> Refused:
        did = "refused" if self._transport.is_active() else "closed the connection at"
        return Refused(
            self._device,
            f"{self._hop} {did} the password of {self._hop.user!r}",
            "it was sent once and is not tried again: accounts get locked",
        )

    def _held_back(self) -> DeviceError:
        if leash.released():
            return Unreachable(self._device, "interrupted")
        return Refused(
            self._device,
            f"the password of {self._hop.user!r} was not sent: {REFUSALS} hosts refused it and "
            "none took it",
            "accounts get locked; look whether it is right",
        )

    def _no_answer(self) -> Unreachable:
        return Unreachable(
            self._device,
            f"{self._hop} gave no answer to the password of {self._hop.user!r}",
            "it is not sent again: accounts get locked",
        )

    def _asks(self, question: str) -> Refused:
        return Refused(
            self._device,
            f"{self._hop} asks {question!r} of {self._hop.user!r}",
            "only a password can be answered: log in with a key",
        )

    def _no_way(self, methods: frozenset[str]) -> Refused:
        tried = f"{self._tried} key{'' if self._tried == 1 else 's'} tried"
        if self._locked:
            tried += f", {', '.join(self._locked)} locked"
        ways = ["load a key into ssh-agent, or name one in ssh_config"]
        if self._locked:
            ways.append("unlock it with LOSSLESS_KEY_PASSPHRASE")
        if methods & _BY_HAND:
            ways.append("give a password with LOSSLESS_PASSWORD or LOSSLESS_PASSWORD_COMMAND")
        return Refused(
            self._device,
            f"{self._hop} takes {', '.join(sorted(methods)) or 'nothing'} from "
            f"{self._hop.user!r}: {tried}, no password",
            "; ".join(ways),
        )

    def _gone(self, when: str) -> DeviceError:
        if self._tried:
            return Refused(
                self._device,
                f"{self._hop} closed the connection {when}",
                "let it see fewer: IdentityFile and IdentitiesOnly in ssh_config",
            )
        return Silent(self._device, f"{self._hop} closed the connection {when}")


class _Answer:
    """Answers one hidden question with the password; anything else it leaves to people."""

    def __init__(self, password: Secret) -> None:
        self._password: Secret | None = password
        self.other: str | None = None

    def __call__(
        self, title: str, instructions: str, prompts: Sequence[tuple[str, bool]]
    ) -> list[str]:
        del title, instructions
        if not prompts:
            return []
        text, shown = prompts[0]
        if len(prompts) == 1 and not shown and self._password is not None:
            password, self._password = self._password, None
            if "word" in text.lower():
                return [password.reveal()]
        self.other = text.strip()[:60]
        return []


class _LockedError(Exception):
    """A private key that only a passphrase opens."""


@functools.lru_cache(maxsize=64)
def _load(path: str, changed: int, secret: Secret | None) -> Any:
    """Load a private key; `None` where the file holds none.  Raises `_LockedError`."""
    paramiko: Any = import_module("paramiko")

    del changed  # part of the key: a file that changed is read again
    words = None if secret is None else secret.reveal().encode()
    try:
        return paramiko.PKey.from_path(path, words)
    except TypeError:
        if words is not None:  # a passphrase, and a key that is open
            return _load(path, 0, None)
        raise _LockedError from None
    except ValueError:
        if words is not None:  # the passphrase is another key's
            raise _LockedError from None
        return None
    except OSError:
        raise
    except Exception:  # kinds of key that paramiko or its library does not know
        return None


def _agent_keys(only: set[bytes] | None, besides: set[bytes]) -> Iterator[Any]:
    """Yield the keys of the agent, but for those that were tried."""
    paramiko: Any = import_module("paramiko")

    agent = paramiko.Agent()
    try:
        for key in agent.get_keys():
            blob = key.asbytes()
            if blob not in besides and (only is None or blob in only):
                yield key
    except paramiko.SSHException:
        return
    finally:
        agent.close()
