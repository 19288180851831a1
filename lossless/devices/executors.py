"""Executors for a fleet: threads here, or a Dask cluster where a fleet outgrows one machine."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Final

from lossless.findings import InputError, Problem

#: More threads than this give nothing in one process: an answer costs about 10 ms of its time.
WORKERS: Final = 64
_FORMS: Final = "threads, dask:local or dask:ADDRESS (dask:tcp://scheduler:8786)"


@contextmanager
def open_executor(spec: str = "threads", workers: int = WORKERS) -> Iterator[Executor]:
    """Open the executor that `spec` names, and leave no thread or process of it behind.

    `workers` is how many devices are asked at once; a cluster of others decides that itself.
    Raises `InputError` for an unknown form, a missing extra, or a cluster that does not answer.
    """
    if workers < 1:
        raise _wrong(f"{workers} jobs at once", "one or more")
    if spec == "threads":
        with ThreadPoolExecutor(workers, thread_name_prefix="lossless") as threads:
            yield threads
        return
    kind, _, where = spec.partition(":")
    if kind != "dask" or not where:
        raise _wrong(f"executor {spec!r}", f"write {_FORMS}")
    with _dask(where, workers) as client:
        # Dask takes equal calls for one call unless told otherwise: a second look at the fleet
        # would be answered with the first one's results.
        yield client.get_executor(pure=False)


@contextmanager
def _dask(where: str, workers: int) -> Iterator[Any]:
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise _wrong(
            f"executor dask:{where} needs the package distributed", "pip install 'lossless[dask]'"
        ) from None
    if where != "local":
        with _client(distributed.Client, where) as client:
            yield client
        return
    processes = max(1, min(os.cpu_count() or 1, workers))
    with (
        distributed.LocalCluster(
            n_workers=processes,
            threads_per_worker=-(-workers // processes),
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def _client(client: Any, where: str) -> Any:
    try:
        return client(where, timeout="15s")
    except (OSError, ValueError, TimeoutError) as error:
        raise _wrong(
            f"no Dask scheduler answers at {where}: {type(error).__name__}",
            f"write {_FORMS}, and start the scheduler first",
        ) from None


def _wrong(message: str, hint: str) -> InputError:
    return InputError([Problem(message, hint=hint)])
