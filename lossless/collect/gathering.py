"""A fleet: every device asked, what each answered, and who did not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Final

from lossless.collect.asking import Job, ask
from lossless.devices import Credentials, DeviceError, Policy, connect
from lossless.devices.fleet import Event, fan_out
from lossless.snapshot import Taken
from lossless.snapshot.redaction import redact

INTERRUPTED: Final = "interrupted before it had answered"


@dataclass(frozen=True, slots=True)
class Collected:
    """What was taken of each device, in the order asked.

    A device that did not answer has an `error`; so have those left when somebody interrupted.
    """

    taken: dict[str, Taken]
    interrupted: bool = False

    @property
    def failed(self) -> tuple[str, ...]:
        """Return the devices that did not answer, or not wholly."""
        return tuple(name for name, told in self.taken.items() if told.error is not None)

    @property
    def anything(self) -> bool:
        """Say whether some device answered."""
        return any(told.answers for told in self.taken.values())


def collect(
    jobs: Sequence[Job],
    executor: Executor,
    credentials: Credentials,
    policy: Policy,
    on_event: Callable[[Event[Job]], None] | None = None,
) -> Collected:
    """Ask every device over SSH; none that fails stops the others.

    An interruption ends it with what was gathered.  Errors are told in `on_event` and kept, both
    without secrets.
    """
    work = partial(over_ssh, credentials=credentials, policy=policy)
    gathered = fan_out(jobs, work, executor, on_event=on_event)
    taken: dict[str, Taken] = {}
    for outcome in gathered.outcomes:
        name = outcome.job.device
        taken[name] = outcome.value or failure(outcome.job, outcome.error)
    for job in gathered.left:
        taken[job.device] = Taken((), job.platforms, job.version, job.model, INTERRUPTED)
    ordered = {job.device: taken[job.device] for job in jobs if job.device in taken}
    return Collected(ordered, gathered.interrupted)


def over_ssh(job: Job, credentials: Credentials, policy: Policy) -> Taken:
    """Connect to one device and ask it everything.  Raises `DeviceError`."""
    if job.target is None:
        raise ValueError("there is nobody to connect to")
    with connect(job.target, credentials, policy) as transport:
        return ask(job, transport)


def failure(job: Job, error: Exception | None) -> Taken:
    """Return what is kept of a device that could not be asked."""
    return Taken((), job.platforms, job.version, job.model, reason(error))


def reason(error: Exception | None) -> str:
    """Say why a device could not be asked, without its name and without secrets."""
    if isinstance(error, DeviceError):
        said = error.reason + (f" ({error.remedy})" if error.remedy else "")
    else:
        said = f"internal error: {type(error).__name__}: {error}"
    return redact(" ".join(said.split()))
