"""Options of commands that ask devices, and the asking itself."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

if TYPE_CHECKING:
    from lossless.collect import Collected
    from lossless.devices import Credentials, Policy
    from lossless.model.device import Device

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """How devices are to be asked: the options, as they were given."""

    jobs: int | None = None
    timeout: float | None = None
    executor: str = "threads"
    accept_new_host_keys: bool = False
    ask_password: bool = False
    user: str | None = None
    ssh_config: Path | None = None

    def policy(self) -> Policy:
        """Return how to connect."""
        from lossless.devices import Policy

        policy = Policy(
            ssh_config=None if self.ssh_config is None else str(self.ssh_config),
            accept_new_host_keys=self.accept_new_host_keys,
        )
        return policy if self.timeout is None else replace(policy, command_timeout=self.timeout)

    def credentials(self) -> Credentials:
        """Return where passwords come from; asks for one where the person wanted to be asked."""
        from lossless.devices import Credentials, ask_password

        return Credentials(user=self.user, password=ask_password() if self.ask_password else None)


_OPTIONS: Final = (
    click.option(
        "--jobs",
        metavar="N",
        type=click.IntRange(1),
        help="Ask so many devices at once.  [default: 64]",
    ),
    click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(0, min_open=True),
        help="How long an answer may take.  [default: 60]",
    ),
    click.option(
        "--executor",
        metavar="WHICH",
        default="threads",
        show_default=True,
        help="threads, dask:local or dask:ADDRESS of a scheduler.",
    ),
    click.option(
        "--accept-new-host-keys",
        is_flag=True,
        help="Trust hosts that are not known yet, and note their keys.",
    ),
    click.option("--ask-password", is_flag=True, help="Ask for the password at the terminal."),
    click.option(
        "--user",
        metavar="NAME",
        help="Log in as NAME, whatever the inventory and ssh_config say.",
    ),
    click.option(
        "--ssh-config",
        metavar="FILE",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        envvar="LOSSLESS_SSH_CONFIG",
        show_envvar=True,
        help="Read FILE in place of your ssh_config.",
    ),
)


def connection_options(function: F) -> F:
    """Give a command the options of connections, as one argument `connection`."""

    @functools.wraps(function)
    def called(
        *arguments: Any,
        jobs: int | None,
        timeout: float | None,
        executor: str,
        accept_new_host_keys: bool,
        ask_password: bool,
        user: str | None,
        ssh_config: Path | None,
        **others: Any,
    ) -> Any:
        connection = Connection(
            jobs=jobs,
            timeout=timeout,
            executor=executor,
            accept_new_host_keys=accept_new_host_keys,
            ask_password=ask_password,
            user=user,
            ssh_config=ssh_config,
        )
        return function(*arguments, connection=connection, **others)

    wrapped: Any = called
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    done: F = wrapped
    return done


def ask(devices: Mapping[str, Device], connection: Connection, *, quiet: bool) -> Collected:
    """Ask devices over SSH, with progress on a terminal; raises `InputError`.

    Failures are told on standard error as they come, unless `quiet`.
    """
    from lossless.cli.progress import Progress
    from lossless.collect import Collected, collect, prepare
    from lossless.devices.executors import WORKERS, open_executor

    jobs, refused = prepare(devices)
    with Progress(len(jobs), quiet=quiet) as progress:
        for name, told in refused.items():
            progress.say(f"{name}: not asked: {told.error}")
        if not jobs:
            return Collected(refused)
        workers = min(connection.jobs or WORKERS, len(jobs))
        credentials = connection.credentials()
        with open_executor(connection.executor, workers) as executor:
            found = collect(jobs, executor, credentials, connection.policy(), progress.tell)
    taken = {**refused, **found.taken}
    return Collected({name: taken[name] for name in devices if name in taken}, found.interrupted)


def now() -> str:
    """Return the time in UTC, as a manifest holds it."""
    from datetime import UTC, datetime

    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
