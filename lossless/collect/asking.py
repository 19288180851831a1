"""One device: what its platforms want to be asked, and what became of each question."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lossless.devices import Broken, Session, Target, Transport, shared
from lossless.model.device import Device
from lossless.platforms import registry
from lossless.platforms.components import components
from lossless.platforms.contract import Command, Output, Platform
from lossless.snapshot import Answer, Taken
from lossless.snapshot.redaction import Confidential, redact

NO_ADDRESS: Final = "no address is declared for it"
NO_PLATFORM: Final = "no platform that can be asked is declared for it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """What to ask one device.  It can be pickled, so that other processes may ask.

    `target` is `None` where nobody is to be connected to: the device is this host.
    """

    device: str
    session: Session
    target: Target | None
    platforms: tuple[str, ...]
    commands: tuple[Command, ...]
    secrets: tuple[Confidential, ...]
    version: str | None = None
    model: str | None = None


def prepare(
    devices: Mapping[str, Device], *, local: bool = False
) -> tuple[tuple[Job, ...], dict[str, Taken]]:
    """Return a job for each device that can be asked, and why the others cannot.

    With `local` no address is needed: the devices are this host.
    """
    jobs: list[Job] = []
    refused: dict[str, Taken] = {}
    for name, device in devices.items():
        made = _job(device, local=local)
        if isinstance(made, Job):
            jobs.append(made)
        else:
            refused[name] = made
    return tuple(jobs), refused


def _job(device: Device, *, local: bool) -> Job | Taken:
    names = tuple(component.platform for component in components(device))
    platforms = [platform for name in names if (platform := registry.load(name)) is not None]
    told = Taken((), names, device.version, device.model)
    if not platforms:
        return replace(told, error=NO_PLATFORM)
    if device.access is None and not local:
        return replace(told, error=NO_ADDRESS)
    try:
        session = shared(platform.session for platform in platforms)
    except ValueError as error:
        return replace(told, error=str(error))
    return Job(
        device=device.name,
        session=session,
        target=None if local else _target(device, session),
        platforms=names,
        commands=questions(platforms, device),
        secrets=tuple(dict.fromkeys(s for platform in platforms for s in platform.secrets)),
        version=device.version,
        model=device.model,
    )


def _target(device: Device, session: Session) -> Target | None:
    access = device.access
    if access is None:
        return None
    return Target(
        name=device.name,
        address=access.address,
        session=session,
        port=access.port,
        user=access.user,
        jump=access.jump,
    )


def questions(platforms: Iterable[Platform], device: Device) -> tuple[Command, ...]:
    """Return what several components want to know, each question once."""
    asked: dict[str, Command] = {}
    for platform in platforms:
        for command in platform.commands(device):
            other = asked.get(command.text, command)
            asked[command.text] = Command(
                command.text,
                needed=command.needed or other.needed,
                privileged=command.privileged or other.privileged,
            )
    return tuple(asked.values())


def ask(job: Job, transport: Transport) -> Taken:
    """Ask a device everything, and return what it answered, without secrets.

    A session that breaks leaves what came until then.  An answer that the platform can do without
    and the device refuses is left out.
    """
    answers: list[Answer] = []
    wrong: list[str] = []
    for command in job.commands:
        try:
            reply = transport.run(command.text, privileged=command.privileged)
        except Broken as error:
            if error.partial:
                answers.append(Answer(command.text, _clean(job, error.partial), complete=False))
            # Errors of ours are prose, in which a word such as "password" says nothing secret.
            wrong.append(f"{redact(error.reason)} while `{command.text}` was answered")
            break
        if reply.refusal is not None and command.needed:
            wrong.append(f"`{command.text}`: {_clean(job, reply.refusal.strip())}")
        if reply.refusal is None or not reply.complete:
            text = _clean(job, reply.text)
            answers.append(Answer(command.text, text, reply.complete, reply.exit))
    version, model = _facts(job, answers)
    said = "; ".join(_few(wrong)) or None
    return Taken(tuple(answers), job.platforms, version, model, said)


def _few(wrong: Sequence[str]) -> Iterator[str]:
    yield from wrong[:3]
    if len(wrong) > 3:
        yield f"and {len(wrong) - 3} more"


def _clean(job: Job, text: str) -> str:
    return redact(text, job.secrets)


def _facts(job: Job, answers: Sequence[Answer]) -> tuple[str | None, str | None]:
    """Return the version and model that a device tells, or else those that are declared.

    Only answers beside the configuration are looked at: those that are needed are long, and are
    read when the snapshot is.
    """
    needed = {command.text for command in job.commands if command.needed}
    outputs = [Output(a.command, a.text) for a in answers if a.command not in needed]
    facts: dict[str, str] = {}
    for name in job.platforms:
        platform = registry.load(name)
        if outputs and platform is not None and platform.kind == "switch":
            facts.update(platform.parse(outputs, None).facts)
    return facts.get("version", job.version), facts.get("model", job.model)
