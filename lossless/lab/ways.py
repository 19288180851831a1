"""Files that tell an SSH client where the lab's devices are: ssh_config, known_hosts, a key."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from lossless.lab.server import ADDRESS, Lab, Place

USER: Final = "lab"


@dataclass(frozen=True, slots=True)
class Written:
    """The files that were written."""

    ssh_config: Path
    known_hosts: Path
    key: Path


@dataclass(frozen=True, slots=True)
class Names:
    """How else devices are asked for: addresses by device, and the names of jump hosts."""

    addresses: Mapping[str, str] = field(default_factory=dict)
    jumps: tuple[str, ...] = ()


def write(lab: Lab, directory: Path, names: Names) -> Written:
    """Write the files into a directory, which is made where it is missing.

    Raises `OSError` where they cannot be written.
    """
    directory.mkdir(parents=True, exist_ok=True)
    place = directory.resolve()
    files = Written(place / "ssh_config", place / "known_hosts", place / "id_ed25519")
    _replace(files.key, lab.client_key.export_private_key().decode(), 0o600)
    _replace(files.known_hosts, "".join(_known(_places(lab))), 0o644)
    _replace(files.ssh_config, _config(lab, files, names), 0o644)
    return files


def _places(lab: Lab) -> list[Place]:
    return [*lab.places.values(), *((lab.jump,) if lab.jump is not None else ())]


def _known(places: Iterable[Place]) -> Iterable[str]:
    return (f"[{ADDRESS}]:{place.port} {place.key}\n" for place in places)


def _config(lab: Lab, files: Written, names: Names) -> str:
    lines = ["# Simulated devices of `lossless lab`; good while it runs.\n"]
    for name, place in lab.places.items():
        address = names.addresses.get(name)
        also = [address] if address is not None and address != name else []
        lines.append(_host([name, *also], place.port))
    if lab.jump is not None and names.jumps:
        lines.append(_host(names.jumps, lab.jump.port))
    lines.append(
        "Host *\n"
        f"  User {USER}\n"
        f'  IdentityFile "{files.key}"\n'
        "  IdentitiesOnly yes\n"
        f'  UserKnownHostsFile "{files.known_hosts}"\n'
        "  GlobalKnownHostsFile none\n"
        "  StrictHostKeyChecking yes\n"
    )
    return "\n".join(lines)


def _host(names: Iterable[str], port: int) -> str:
    return f"Host {' '.join(names)}\n  HostName {ADDRESS}\n  Port {port}\n"


def _replace(path: Path, text: str, mode: int) -> None:
    temporary = path.with_name(f".{path.name}.new")
    temporary.unlink(missing_ok=True)
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    temporary.replace(path)
