"""The sessions that are open in this process, so that all of them can be let go at once.

A thread that waits for a device cannot be stopped from outside; closing what it waits on can.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_open: dict[object, Callable[[], None]] = {}
_released = threading.Event()


@contextmanager
def held(close: Callable[[], None]) -> Iterator[None]:
    """Let `close` be called, from another thread, when all sessions are let go."""
    key = object()
    with _lock:
        _open[key] = close
    try:
        yield
    finally:
        with _lock:
            _open.pop(key, None)


def released() -> bool:
    """Say whether sessions are being let go, so that none should be begun."""
    return _released.is_set()


def wait(seconds: float) -> bool:
    """Sleep, or return early; say whether there is still something to wait for."""
    return not _released.wait(seconds)


@contextmanager
def letting_go() -> Iterator[None]:
    """Close every session, and let none be begun until the block ends."""
    _released.set()
    try:
        close_all()
        yield
    finally:
        _released.clear()


def close_all() -> None:
    """Close every session that is open in this process."""
    with _lock:
        closers = list(_open.values())
    for close in closers:
        close()
