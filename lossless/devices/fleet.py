"""Asking a fleet: one job for each device through an executor, and what came back."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, as_completed, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from lossless.devices import leash
from lossless.devices.errors import DeviceError

J = TypeVar("J")
R = TypeVar("R")

#: How many seconds jobs that run are given to end, after their sessions were closed.
_GRACE = 15.0


@dataclass(frozen=True, slots=True)
class Outcome(Generic[J, R]):
    """What became of one job: a value, or the error that ended it."""

    job: J
    value: R | None = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class Event(Generic[J]):
    """A job has ended.  `done` (those that failed included) of `total` have, after `seconds`."""

    job: J
    error: Exception | None
    done: int
    failed: int
    total: int
    seconds: float

    @property
    def rate(self) -> float:
        """Jobs a second until now."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds until all have ended, if it goes on like this."""
        return (self.total - self.done) / self.rate if self.rate else None


@dataclass(frozen=True, slots=True)
class Gathered(Generic[J, R]):
    """What came back, in the order of the jobs.

    `left` are the jobs that were not asked, or not to the end, because of an interruption.
    """

    outcomes: tuple[Outcome[J, R], ...]
    left: tuple[J, ...] = ()
    interrupted: bool = False


class _Round(Generic[J, R]):
    """One fan-out under way."""

    def __init__(self, jobs: Sequence[J], on_event: Callable[[Event[J]], None] | None) -> None:
        self.jobs = jobs
        self.futures: dict[Future[R], int] = {}
        self.ended: dict[int, Outcome[J, R]] = {}
        self.failed = 0
        self.interrupted = False
        self._tell = on_event
        self._start = time.monotonic()

    def submit(self, work: Callable[[J], R], executor: Executor) -> None:
        for number, job in enumerate(self.jobs):
            try:
                self.futures[executor.submit(work, job)] = number
            except BrokenExecutor as error:
                self._end(number, Outcome(job, error=error))

    def listen(self) -> None:
        for future in as_completed(self.futures):
            self._note(future)

    def stop(self) -> None:
        """Cancel what waits, close the sessions of what runs, and note what still comes."""
        self.interrupted = True
        self._tell = None
        for future in self.futures:
            future.cancel()
        with leash.letting_go():
            running = [f for f in self.futures if not f.done()]
            deadline = time.monotonic() + _GRACE
            while running and time.monotonic() < deadline:
                running = list(wait(running, timeout=0.2).not_done)
                leash.close_all()  # a session may have been about to begin
        for future, number in self.futures.items():
            if number not in self.ended and future.done():
                self._note(future)

    def gathered(self) -> Gathered[J, R]:
        left = [job for n, job in enumerate(self.jobs) if n not in self.ended]
        return Gathered(
            tuple(self.ended[n] for n in sorted(self.ended)), tuple(left), self.interrupted
        )

    def _note(self, future: Future[R]) -> None:
        number = self.futures[future]
        job = self.jobs[number]
        try:
            self._end(number, Outcome(job, value=future.result()))
        except CancelledError as error:
            if not self.interrupted:
                self._end(number, Outcome(job, error=error))
        except DeviceError as error:
            if not self.interrupted:  # else it is we who closed it
                self._end(number, Outcome(job, error=error))
        except Exception as error:  # a job may fail in any way; the rest goes on
            self._end(number, Outcome(job, error=error))

    def _end(self, number: int, outcome: Outcome[J, R]) -> None:
        self.ended[number] = outcome
        self.failed += outcome.error is not None
        if self._tell is not None:
            seconds = time.monotonic() - self._start
            done, total = len(self.ended), len(self.jobs)
            self._tell(Event(outcome.job, outcome.error, done, self.failed, total, seconds))


def fan_out(
    jobs: Iterable[J],
    work: Callable[[J], R],
    executor: Executor,
    *,
    on_event: Callable[[Event[J]], None] | None = None,
) -> Gathered[J, R]:
    """Do `work` for each job, and return what came of all of them.

    A job that raises never stops the others.  `work` and the jobs must be picklable where the
    executor has other processes.  `on_event` is called in this thread, after each job.  An
    interruption (Ctrl-C) cancels what has not begun, closes the sessions of what runs, and
    returns what was gathered; a job that ends by that is one of `left`.
    """
    round_: _Round[J, R] = _Round(tuple(jobs), on_event)
    try:
        round_.submit(work, executor)
        round_.listen()
    except KeyboardInterrupt:
        round_.stop()
    except BaseException:
        round_.stop()
        raise
    return round_.gathered()
