"""A session with a device, from its address to something that runs commands."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from lossless.devices.command_line import CommandLine
from lossless.devices.credentials import Credentials
from lossless.devices.posix import PosixSession
from lossless.devices.quiet import quieten
from lossless.devices.retries import persist
from lossless.devices.route import way_to
from lossless.devices.seam import Policy, Target, Transport
from lossless.devices.ssh import opened_way


@contextlib.contextmanager
def opened(target: Target, credentials: Credentials, policy: Policy) -> Iterator[Transport]:
    """Open a session and close it whatever happens; see `lossless.devices.connect`."""
    quieten()
    stack, session = persist(lambda: _begun(target, credentials, policy), policy)
    with stack:
        yield session


def _begun(
    target: Target, credentials: Credentials, policy: Policy
) -> tuple[contextlib.ExitStack, Transport]:
    way = way_to(target, credentials, policy)
    with contextlib.ExitStack() as stack:
        transport: Any = stack.enter_context(opened_way(target, way, credentials, policy))
        timeout = target.timeout if target.timeout is not None else policy.command_timeout
        user = way[-1].user
        if target.session.cli is None:
            session: Transport = PosixSession(
                target.name, transport, target.session, user, timeout=timeout
            )
            return stack.pop_all(), session
        line = CommandLine(
            target,
            transport,
            credentials,
            user,
            timeout=timeout,
            connect_timeout=policy.connect_timeout,
        )
        stack.callback(line.close)
        return stack.pop_all(), line
