"""Opening the way to a device: sockets, channels through jump hosts, host keys, logins."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Final

from lossless.devices import leash
from lossless.devices.auth import LogIn
from lossless.devices.credentials import Credentials, Secret
from lossless.devices.errors import DeviceError, HostKey, Refused, Silent, Unreachable
from lossless.devices.known_hosts import Entry, Verdict, fingerprint, read, remember
from lossless.devices.route import Hop
from lossless.devices.seam import Policy, Target
from lossless.devices.transport import transport_class

_REMEMBERED: Final = 30.0  # seconds that a refusal of a jump host holds for all behind it
_END: Final = 5.0  # seconds that a thread of paramiko is given to end
_RSA: Final = ("rsa-sha2-512", "rsa-sha2-256")


@contextlib.contextmanager
def opened_way(
    target: Target, way: tuple[Hop, ...], credentials: Credentials, policy: Policy
) -> Iterator[Any]:
    """Open the way to a device and log in; yield paramiko's transport, and close what was opened.

    Jump hosts are shared with whoever goes through them at the same time.
    """
    *before, last = way
    with contextlib.ExitStack() as stack:
        through = None
        if before:
            through = stack.enter_context(_through(target, tuple(before), credentials, policy))

        def password() -> Secret | None:
            return credentials.password_for(target, last.user)

        yield stack.enter_context(_opened(target.name, last, through, password, policy))


@contextlib.contextmanager
def _opened(
    device: str,
    hop: Hop,
    through: Any,
    password: Callable[[], Secret | None],
    policy: Policy,
) -> Iterator[Any]:
    """Open one host, on a socket of its own or on a channel through another."""
    with contextlib.ExitStack() as stack:
        if through is None:
            sock: Any = stack.enter_context(_socket(device, hop, policy.connect_timeout))
        else:
            sock = stack.enter_context(_channel(device, hop, through, policy.connect_timeout))
        transport = transport_class()(sock)
        stack.callback(_close, transport, sock)
        for name in ("banner", "handshake", "auth", "channel"):
            setattr(transport, f"{name}_timeout", policy.connect_timeout)
        _shake_hands(device, hop, transport, policy)
        LogIn(device, hop, transport, password, agent=policy.agent).run()
        yield transport


@contextlib.contextmanager
def _socket(device: str, hop: Hop, seconds: float) -> Iterator[socket.socket]:
    """Connect to the first address that answers, IPv6 and IPv4 in the resolver's order."""
    failed: OSError | None = None
    for family, kind, protocol, _, address in _addresses(device, hop):
        sock = socket.socket(family, kind, protocol)
        sock.settimeout(seconds)
        with contextlib.ExitStack() as stack:
            stack.callback(sock.close)
            stack.enter_context(leash.held(lambda sock=sock: _shut(sock)))  # type: ignore[misc]
            try:
                _not_released(device)
                sock.connect(address)
            except OSError as error:
                failed = error
                continue
            yield sock
            return
    raise _no_connection(device, hop, failed)


def _addresses(device: str, hop: Hop) -> list[Any]:
    try:
        return list(socket.getaddrinfo(hop.host, hop.port, type=socket.SOCK_STREAM))
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:
            raise Silent(device, f"the name {hop.host} was not resolved in time") from None
        raise Unreachable(
            device, f"the name {hop.host} is not known", "look at access.address, or at ssh_config"
        ) from None
    except UnicodeError:
        raise Unreachable(device, f"{hop.host!r} is not a name") from None


def _no_connection(device: str, hop: Hop, error: OSError | None) -> DeviceError:
    if leash.released():
        return Unreachable(device, "interrupted")
    if isinstance(error, TimeoutError):
        return Silent(device, f"{hop} does not answer", "is it up, and does a firewall let SSH by?")
    if isinstance(error, ConnectionRefusedError):
        return Unreachable(
            device, f"{hop} refuses connections", "is its SSH server on, and the port right?"
        )
    if isinstance(error, ConnectionResetError):
        return Silent(device, f"{hop} reset the connection")
    said = error.strerror if error is not None and error.strerror else "no address"
    return Unreachable(device, f"no way to {hop}: {said}", "look at access.address and routes")


@contextlib.contextmanager
def _channel(device: str, hop: Hop, through: Any, seconds: float) -> Iterator[Any]:
    """Open a channel to a host through one that is open."""
    paramiko: Any = import_module("paramiko")

    try:
        channel = through.open_channel(
            "direct-tcpip", (hop.host, hop.port), ("127.0.0.1", 0), timeout=seconds
        )
    except paramiko.ChannelException as error:
        said = {1: "forbids it", 2: "cannot connect to it"}.get(error.code, "does not let it by")
        raise Unreachable(
            device, f"no way to {hop}: the jump host {said}", "look at AllowTcpForwarding there"
        ) from None
    except (paramiko.SSHException, EOFError, OSError):
        raise Silent(device, f"no way to {hop}: the jump host does not answer") from None
    with leash.held(channel.close):
        try:
            yield channel
        finally:
            channel.close()


def _shut(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _close(transport: Any, sock: Any) -> None:
    """Close; the thread that reads is woken first, or it would look up only after a while."""
    if isinstance(sock, socket.socket):
        _shut(sock)
    transport.close()
    if transport.is_alive():
        transport.join(_END)


def _not_released(device: str) -> None:
    if leash.released():
        raise Unreachable(device, "interrupted")


# -- host keys ---------------------------------------------------------------------------------


def _shake_hands(device: str, hop: Hop, transport: Any, policy: Policy) -> None:
    """Agree on keys, and see whose key the host shows before anything is sent to it."""
    paramiko: Any = import_module("paramiko")

    start = time.monotonic()
    try:
        _prefer(transport, read(hop.known_hosts).kinds(hop.key_name))
        transport.start_client(timeout=policy.connect_timeout)
        key = transport.get_remote_server_key()
    except paramiko.ssh_exception.IncompatiblePeer as error:
        raise Unreachable(
            device, f"{hop} and this machine have no algorithm in common: {error}"
        ) from None
    except (paramiko.SSHException, EOFError, OSError) as error:
        # paramiko's own clock may end it a moment before ours.
        late = time.monotonic() - start > 0.9 * policy.connect_timeout
        raise _no_handshake(device, hop, transport, error, late=late) from None
    verify(device, hop, key.get_name(), key.asbytes(), policy)


def _prefer(transport: Any, kinds: tuple[str, ...]) -> None:
    """Ask first for the kinds of key that are known: a host has several and shows one.

    Ciphers that authenticate by themselves go first as well: the other codes are compared in
    Python, byte by byte, which was measured to be a third of a session's processor time.
    """
    options = transport.get_security_options()
    wanted = [name for kind in kinds for name in (_RSA if kind == "ssh-rsa" else (kind,))]
    options.key_types = _first(list(options.key_types), wanted)
    ciphers = list(options.ciphers)
    options.ciphers = _first(ciphers, [name for name in ciphers if "gcm" in name])


def _first(offered: list[str], wanted: list[str]) -> list[str]:
    ahead = [name for name in wanted if name in offered]
    return [*ahead, *(name for name in offered if name not in ahead)]


def _no_handshake(
    device: str, hop: Hop, transport: Any, error: Exception, *, late: bool
) -> DeviceError:
    if leash.released():
        return Unreachable(device, "interrupted")
    text = str(error)
    if "Indecipherable" in text or "Incompatible version" in text:
        return Unreachable(
            device, f"what answers at {hop} does not speak SSH", "is the port right?"
        )
    if not transport.remote_version:
        return Silent(device, f"{hop} took the connection and said nothing")
    if not late and (not transport.is_active() or isinstance(error, EOFError | OSError)):
        return Silent(device, f"{hop} closed the connection before keys were agreed on")
    return Silent(device, f"{hop} did not agree on keys in time")


def verify(device: str, hop: Hop, kind: str, key: bytes, policy: Policy) -> None:
    """Raise `HostKey` unless a host's key is known, or may be remembered from now on."""
    files = hop.known_hosts
    judgement = read(files).judge(hop.key_name, kind, key)
    shown = f"{_plain(kind)} {fingerprint(key)}"
    if judgement.verdict is Verdict.UNKNOWN and policy.accept_new_host_keys and files:
        try:
            judgement = remember(files, hop.key_name, kind, key)
        except OSError as error:
            raise HostKey(
                device, f"the host key of {hop} cannot be written to {files[0]}: {error.strerror}"
            ) from None
    if judgement.verdict is Verdict.UNKNOWN:
        where = files[0] if files else "known_hosts"
        raise HostKey(
            device,
            f"the host key of {hop} is not known: it shows {shown}",
            f"compare it with the device's own, then add it to {where} "
            "or say --accept-new-host-keys",
        )
    if judgement.verdict is not Verdict.KNOWN and judgement.entry is not None:
        raise _changed(device, hop, shown, judgement.verdict, judgement.entry)


def _changed(device: str, hop: Hop, shown: str, verdict: Verdict, entry: Entry) -> HostKey:
    place = f"{entry.file}:{entry.line}"
    if verdict is Verdict.REVOKED:
        return HostKey(
            device, f"{place} revokes the host key that {hop} shows, {shown}", "it must not be used"
        )
    held = f"{_plain(entry.kind)} {fingerprint(entry.key)}"
    return HostKey(
        device,
        f"the host key of {hop} has changed: it shows {shown}, and {place} holds {held}",
        "somebody may be in between. If the device was given a new key: "
        f"ssh-keygen -f '{entry.file}' -R '{hop.key_name}'",
    )


def _plain(kind: str) -> str:
    return kind.removeprefix("ssh-").removeprefix("ecdsa-sha2-").upper()


# -- jump hosts --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Shared:
    """A way that several sessions use at once; closed when the last of them ends.

    `failed` is why it could not be opened, and holds until the time `until`: a fleet behind a
    jump host that is down does not wait for it one device after the other.
    """

    lock: threading.Lock = field(default_factory=threading.Lock)
    users: int = 0
    stack: contextlib.ExitStack | None = None
    transport: Any = None
    failed: DeviceError | None = None
    until: float = 0.0


_ways: dict[tuple[tuple[Hop, ...], Policy], _Shared] = {}
_ways_lock = threading.Lock()


@contextlib.contextmanager
def _through(
    target: Target, hops: tuple[Hop, ...], credentials: Credentials, policy: Policy
) -> Iterator[Any]:
    """Open the way through jump hosts, or share one that is open."""
    key = (hops, policy)
    with _ways_lock:
        shared = _ways.setdefault(key, _Shared())
        shared.users += 1
    try:
        with shared.lock:
            _ensure(shared, target, hops, credentials, policy)
        yield shared.transport
    finally:
        with _ways_lock:
            shared.users -= 1
            done = shared.stack if shared.users == 0 and shared.failed is None else None
            if shared.users == 0 and shared.failed is None:
                _ways.pop(key, None)
        if done is not None:
            done.close()


def _ensure(
    shared: _Shared,
    target: Target,
    hops: tuple[Hop, ...],
    credentials: Credentials,
    policy: Policy,
) -> None:
    """Open a shared way unless it is open, or was found not to open a moment ago."""
    if shared.transport is not None and shared.transport.is_active():
        return
    failed = shared.failed
    if failed is not None and time.monotonic() < shared.until:
        raise type(failed)(target.name, failed.reason, failed.remedy)
    if shared.stack is not None:
        shared.stack.close()
    shared.failed = None
    try:
        shared.stack, shared.transport = _chain(target, hops, credentials, policy)
    except DeviceError as error:
        if not leash.released():
            shared.failed = error
            # One that may pass holds for those who waited, and not for their next attempt.
            seconds = policy.backoff / 2 if error.transient else _REMEMBERED
            shared.until = time.monotonic() + seconds
        raise


def _chain(
    target: Target, hops: tuple[Hop, ...], credentials: Credentials, policy: Policy
) -> tuple[contextlib.ExitStack, Any]:
    """Open one jump host after the other, each through the one before."""
    with contextlib.ExitStack() as stack:
        transport = None
        for hop in hops:
            try:
                transport = stack.enter_context(
                    _opened(target.name, hop, transport, credentials.jump_password, policy)
                )
            except Refused as error:
                raise _at_jump_host(error, hop) from None
        return stack.pop_all(), transport


def _at_jump_host(error: Refused, hop: Hop) -> Refused:
    remedy = error.remedy.replace(
        "LOSSLESS_PASSWORD or LOSSLESS_PASSWORD_COMMAND", "LOSSLESS_JUMP_PASSWORD"
    )
    return Refused(error.device, f"jump host {hop.key_name}: {error.reason}", remedy)
