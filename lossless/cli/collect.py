"""`lossless collect`: what each device shows, kept in a directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lossless import __version__
from lossless.cli import EXIT_DEVICE, EXIT_INTERRUPTED, fabric
from lossless.cli.connecting import Connection, ask, connection_options, now

if TYPE_CHECKING:
    from lossless.collect import Collected
    from lossless.model.device import Device


@click.command()
@fabric.paths_argument
@click.option(
    "--out",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Where the snapshot goes; one that stands there is replaced as a whole.",
)
@fabric.device_option
@click.option(
    "--local",
    is_flag=True,
    help="Ask this host, without SSH: the declared one of its name, or that of --device.",
)
@connection_options
@click.option("-q", "--quiet", is_flag=True, help="Say nothing while all goes well, nor which not.")
def command(
    paths: tuple[str, ...],
    out: Path,
    devices: str | None,
    local: bool,
    connection: Connection,
    quiet: bool,
) -> int:
    r"""Take a snapshot of what the devices declared in PATH... show, over SSH.

    Kept are the answers to what the platforms ask (configuration and state, read alone), without
    passwords, hashes, communities, keys and tokens, so that a snapshot can be committed.

    \b
    Passwords: LOSSLESS_PASSWORD, LOSSLESS_PASSWORD_COMMAND, LOSSLESS_KEYRING or --ask-password.
    User: --user, the inventory, LOSSLESS_USERNAME or ssh_config.  Keys: the agent and ssh_config.

    Exits 3 where a device did not answer, or not wholly: the others are in the snapshot, and it
    says of that one why.  Ctrl-C ends with what was gathered, and exits 130.
    """
    from lossless import snapshot
    from lossless.cli.progress import Progress

    built = fabric.load(paths)
    wanted = fabric.chosen(built, devices)
    if not wanted:
        raise click.ClickException("nothing to collect: the inventory declares no device")
    if local:
        found = _here(wanted, connection, named=devices is not None)
    else:
        found = ask(wanted, connection, quiet=quiet)
    if found.interrupted and not found.anything:
        Progress(0, quiet=quiet).say("interrupted: nothing had been answered, nothing is written")
        return EXIT_INTERRUPTED
    snapshot.write(out, found.taken, now(), __version__)
    if not quiet:
        _summary(found, out)
    if found.interrupted:
        return EXIT_INTERRUPTED
    return EXIT_DEVICE if found.failed else 0


def _here(wanted: Mapping[str, Device], connection: Connection, *, named: bool) -> Collected:
    """Ask this host.  Raises `click.UsageError` where nobody declared it."""
    import socket

    from lossless.collect import Collected, Local, ask, prepare, this_host

    device = next(iter(wanted.values())) if named else this_host(wanted)
    if device is None or (named and len(wanted) != 1):
        told = f"this host is {socket.gethostname()!r}"
        raise click.UsageError(f"--local asks one device: {told}; name the one it is by --device")
    jobs, refused = prepare({device.name: device}, local=True)
    timeout = connection.policy().command_timeout
    taken = {job.device: ask(job, Local(job.session, timeout=timeout)) for job in jobs}
    return Collected({**refused, **taken})


def _summary(found: Collected, out: Path) -> None:
    answers = sum(len(told.answers) for told in found.taken.values())
    failed = found.failed
    said = f"{out}: {len(found.taken) - len(failed)} of {len(found.taken)} devices, "
    said += f"{answers} answers"
    if failed:
        from lossless.nodeset import fold

        said += f"; not wholly: {fold(failed)}"
    if found.interrupted:
        said += "; interrupted"
    click.echo(said, err=True)
