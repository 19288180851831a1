"""Trying again what is worth it: a timeout or a reset, after a time that differs each time."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TypeVar

from lossless.devices import leash
from lossless.devices.errors import DeviceError, Unreachable
from lossless.devices.seam import Policy

R = TypeVar("R")


def persist(work: Callable[[], R], policy: Policy) -> R:
    """Do `work`, again where it fails in a way that passes (`DeviceError.transient`).

    Between two attempts lies a time between half and one and a half of `policy.backoff`, doubled
    each time, so that a fleet does not come back all at once.  The last error says how often it
    was tried.
    """
    attempt = 1
    while True:
        try:
            return work()
        except DeviceError as error:
            if not error.transient or leash.released():
                raise
            if attempt >= policy.attempts:
                if attempt == 1:
                    raise
                times = f"{error.reason}, {attempt} times"
                raise type(error)(error.device, times, error.remedy) from None
            seconds = policy.backoff * 2 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311
            if not leash.wait(seconds):
                raise Unreachable(error.device, "interrupted") from None
        attempt += 1
