"""A fleet: one dead device never stops the rest, and an interruption leaves nothing behind."""

from __future__ import annotations

import importlib.util
import os
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from lossless.devices import DeviceError, Unreachable, leash
from lossless.devices.executors import open_executor
from lossless.devices.fleet import Event, fan_out
from lossless.findings import InputError


def needs_dask() -> None:
    if importlib.util.find_spec("distributed") is not None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail("the package distributed is needed in CI")
    pytest.skip("the package distributed is not installed: Dask is not tried")


def double(job: int) -> int:
    if job % 5 == 3:
        raise Unreachable(f"leaf{job}", "nobody answers", "look at the cable")
    if job % 5 == 4:
        raise ZeroDivisionError
    return 2 * job


def where(job: int) -> tuple[int, int]:
    return job, os.getpid()


def threads() -> set[threading.Thread]:
    return {t for t in threading.enumerate() if t.name.startswith("lossless")}


def check(outcomes: object, total: int) -> None:
    assert isinstance(outcomes, tuple)
    assert [o.job for o in outcomes] == list(range(total))
    for o in outcomes:
        if o.job % 5 == 3:
            assert isinstance(o.error, Unreachable)
            assert o.error.device == f"leaf{o.job}"
        elif o.job % 5 == 4:
            assert isinstance(o.error, ZeroDivisionError)
        else:
            assert (o.value, o.error) == (2 * o.job, None)


def test_one_that_fails_does_not_stop_the_rest() -> None:
    events: list[Event[int]] = []
    with open_executor(workers=4) as executor:
        gathered = fan_out(range(20), double, executor, on_event=events.append)
    check(gathered.outcomes, 20)
    assert (gathered.left, gathered.interrupted) == ((), False)
    assert [e.done for e in events] == list(range(1, 21))
    last = events[-1]
    assert (last.failed, last.total, last.remaining) == (8, 20, 0)
    assert last.rate > 0
    assert threads() == set()


def test_other_processes_give_the_same() -> None:
    with ProcessPoolExecutor(2) as executor:
        gathered = fan_out(range(10), double, executor)
    check(gathered.outcomes, 10)


def test_no_jobs_are_no_work() -> None:
    with ThreadPoolExecutor(1) as executor:
        assert fan_out([], double, executor).outcomes == ()


@pytest.mark.parametrize("spec", ["dask", "dask:", "processes", "dusk:local"])
def test_an_unknown_executor_is_refused(spec: str) -> None:
    with pytest.raises(InputError, match=r"dask:local or dask:ADDRESS"), open_executor(spec):
        pass
    with pytest.raises(InputError, match="one or more"), open_executor("threads", 0):
        pass


def test_dask_gives_the_same_and_asks_again_when_asked_again(
    capfd: pytest.CaptureFixture[str],
) -> None:
    needs_dask()
    with open_executor("dask:local", 4) as executor:
        check(fan_out(range(10), double, executor).outcomes, 10)
        first = fan_out([1], time.sleep, executor)
        start = time.monotonic()
        again = fan_out([1], time.sleep, executor)
        assert time.monotonic() - start >= 1
        assert first.outcomes == again.outcomes
        elsewhere = fan_out([1, 2], where, executor)
    assert all(o.value is not None and o.value[1] != os.getpid() for o in elsewhere.outcomes)
    assert capfd.readouterr() == ("", "")  # Dask tells its own story only where it is asked to


def test_a_cluster_that_is_not_there_is_told() -> None:
    needs_dask()
    with (
        pytest.raises(InputError, match="no Dask scheduler answers at nonsense"),
        open_executor("dask:nonsense://x"),
    ):
        pass


def test_an_interruption_returns_what_there_is_and_leaves_no_thread() -> None:
    begun = threading.Event()
    closed = threading.Event()

    def ask(job: int) -> int:
        if job < 3:
            return job
        with leash.held(closed.set):
            begun.set()
            closed.wait(30)
            raise Unreachable(f"leaf{job}", "the session was closed")

    def press() -> None:
        begun.wait(30)
        time.sleep(0.2)
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    start = time.monotonic()
    with open_executor(workers=2) as executor:
        presser = threading.Thread(target=press)
        presser.start()
        gathered = fan_out(range(50), ask, executor)
        presser.join()
    assert gathered.interrupted
    assert [o.value for o in gathered.outcomes] == [0, 1, 2]
    assert gathered.left == tuple(range(3, 50))
    assert time.monotonic() - start < 10
    assert threads() == set()
    assert not leash.released()


def test_a_listener_that_fails_leaves_no_thread() -> None:
    def listen(event: Event[int]) -> None:
        raise OSError("the terminal is gone")

    with (
        open_executor(workers=2) as executor,
        pytest.raises(OSError, match="the terminal is gone"),
    ):
        fan_out(range(100), double, executor, on_event=listen)
    assert threads() == set()


def test_a_dead_executor_is_told_for_each_job() -> None:
    with ProcessPoolExecutor(1) as executor:
        gathered = fan_out([1, 2], os._exit, executor)
    assert all(
        o.error is not None and not isinstance(o.error, DeviceError) for o in gathered.outcomes
    )
    assert len(gathered.outcomes) == 2
