"""`lossless lab`: the declared devices as simulated SSH servers on loopback."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lossless.cli import fabric, output

if TYPE_CHECKING:
    from lossless.lab.contract import Box, Change
    from lossless.lab.server import Lab, Options
    from lossless.model.device import Device


@click.command()
@fabric.paths_argument
@fabric.device_option
@click.option(
    "--out",
    "directory",
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("lossless-lab"),
    show_default=True,
    help="Where ssh_config, known_hosts and the key to log in with go.",
)
@click.option("--drift", "seed", metavar="SEED", type=int, help="Change settings as people do.")
@click.option(
    "--changes",
    metavar="N",
    type=click.IntRange(1),
    default=5,
    show_default=True,
    help="With --drift: on so many devices, one setting each.",
)
@click.option(
    "--fault",
    "faults",
    metavar="KIND[:PERCENT]",
    multiple=True,
    help="Let devices fail: slow, dropping, half-closed, wrong-key, wrong-password, garbage, "
    "mid-output; on all of them, or on a share.",
)
@click.option("--seed", "fault_seed", metavar="SEED", type=int, default=1, show_default=True,
              help="Chooses the devices that fail.")  # fmt: skip
@click.option(
    "--port",
    "base_port",
    metavar="PORT",
    type=click.IntRange(1024, 65535),
    help="The first device's port; the others follow.  [default: any that are free]",
)
@click.option("--one-host-key", is_flag=True, help="All devices share a host key.")
@click.option("-q", "--quiet", is_flag=True, help="Say nothing but where things are.")
def command(
    paths: tuple[str, ...],
    devices: str | None,
    directory: Path,
    seed: int | None,
    changes: int,
    faults: tuple[str, ...],
    fault_seed: int,
    base_port: int | None,
    one_host_key: bool,
    quiet: bool,
) -> int:
    """Serve the devices declared in PATH... as they would be configured, until Ctrl-C.

    Each starts from the text that `lossless render` writes, which it reads in its own way, and
    listens on 127.0.0.1.  Anybody who has the key or the password may log in, under any name; the
    password is LOSSLESS_LAB_PASSWORD, or one that is made up and printed.  Give the ssh_config
    that is printed to other commands as --ssh-config; jump hosts and addresses lead to the lab too.
    """
    from lossless.lab import faults as kinds

    shares = [kinds.read(text) for text in faults]
    built = fabric.load(paths)
    wanted = fabric.chosen(built, devices)
    boxes = _boxes(wanted)
    if not boxes:
        raise click.ClickException("nothing to serve: no declared device can be simulated")
    lab_options = _options(base_port, one_host_key, kinds.spread(boxes, shares, fault_seed))
    drifted: list[Change] = []
    if seed is not None:
        from lossless.lab.drifting import drift

        drifted = drift(boxes.values(), seed, changes)
    _serve(boxes, lab_options, wanted, directory, drifted, quiet=quiet)
    return 0


def _boxes(wanted: Mapping[str, Device]) -> dict[str, Box]:
    """Make the boxes, each with its files.  Raises `InputError` for lines that are refused."""
    from lossless.findings import InputError, Problem
    from lossless.lab import plates, registry

    boxes: dict[str, Box] = {}
    problems: list[Problem] = []
    for device in wanted.values():
        plate = plates.plate_of(device)
        if plate is None or not registry.known(plate.platform):
            what = f"{plate.platform} cannot be simulated yet" if plate else "it has no platform"
            click.echo(f"{device.name}: left out: {what}", err=True)
            continue
        for tool in plates.without_tools(plate):
            click.echo(f"{device.name}: NICs of {tool} cannot be simulated yet", err=True)
        box = registry.make(plate, time.monotonic)
        try:
            box.load(_files(device))
        except InputError as error:
            problems += error.problems
        boxes[device.name] = box
    if problems:
        raise InputError(problems)
    return boxes


def _files(device: Device) -> dict[str, str]:
    """Render a device, as `lossless render` does."""
    from lossless.platforms import registry
    from lossless.platforms.components import components

    files = {}
    for part in components(device):
        platform = registry.load(part.platform)
        if platform is not None:
            ops = platform.plan(part.state, None, None, part.profile)
            for file in platform.render(ops, device, None):
                files[f"{device.name}/{file.name}"] = file.text
    return files


def _options(base_port: int | None, one_host_key: bool, faults: Mapping[str, object]) -> Options:
    try:
        from lossless.lab.server import Options
    except ImportError as error:
        raise click.ClickException(
            f"{error.name} is missing: pip install 'lossless[lab]'"
        ) from error
    options = Options(
        base_port=base_port or 0,
        one_host_key=one_host_key,
        jump=True,
        faults=dict(faults),  # type: ignore[arg-type]
    )
    password = os.environ.get("LOSSLESS_LAB_PASSWORD")
    if password:
        from dataclasses import replace

        options = replace(options, password=password)
    return options


def _serve(
    boxes: Mapping[str, Box],
    options: Options,
    wanted: Mapping[str, Device],
    directory: Path,
    drifted: Sequence[Change],
    *,
    quiet: bool,
) -> None:
    import logging

    from lossless.lab.server import Lab

    # Clients that go away in the middle of an answer are nothing to tell of here.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    over = threading.Event()
    before = {
        number: signal.signal(number, lambda *_: over.set())
        for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        with Lab(boxes.values(), options) as lab:
            _tell(lab, wanted, directory, drifted, quiet=quiet)
            over.wait()
    except OSError as error:
        raise click.ClickException(f"cannot serve: {error.strerror or error}") from error
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if not quiet:
        click.echo("the lab is over", err=True)


def _tell(
    lab: Lab,
    wanted: Mapping[str, Device],
    directory: Path,
    drifted: Sequence[Change],
    *,
    quiet: bool,
) -> None:
    """Write the files that lead to the devices, and say where they are and what was changed."""
    from lossless.lab import ways

    access = {n: d.access for n, d in wanted.items() if d.access is not None}
    jumps = (each for told in access.values() for each in (told.jump or "").split(",") if each)
    names = ways.Names(
        {name: told.address for name, told in access.items()}, tuple(dict.fromkeys(jumps))
    )
    files = ways.write(lab, directory, names)
    changes = [asdict(change) for change in drifted]
    output.replace(directory / "drift.json", json.dumps(changes, indent=1) + "\n")
    for change in drifted:
        click.echo(f"changed {change}")
    for name, fault in lab.options.faults.items():
        click.echo(f"fails {name}: {fault}")
    click.echo(f"ssh_config {files.ssh_config}")
    click.echo(f"known_hosts {files.known_hosts}")
    if not os.environ.get("LOSSLESS_LAB_PASSWORD"):
        click.echo(f"password {lab.options.password}")
    if not quiet:
        click.echo(f"{len(lab.places)} devices on 127.0.0.1; Ctrl-C ends the lab", err=True)
