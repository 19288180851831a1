"""One way of asking the same of a fleet, in a process of its own.

`python -m benchmarks.contenders WAY FOLDER THREADS`, with the devices' ports as JSON on standard
input.  Prints a JSON object: seconds, CPU seconds and peak of memory in bytes (child processes
included), devices that answered, characters that they answered with.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.switches import raise_limit

COMMANDS = ("show version", "show interfaces status", "show running-config")
USER = "admin"
ADDRESS = "127.0.0.1"
#: Seconds for each step: a machine that serves its own devices is slower than devices are.
PATIENCE = 120

Ports = dict[str, int]


def settings(key: str) -> dict[str, Any]:
    """Return what netmiko is told, by itself and within nornir."""
    return {
        "use_keys": True,
        "key_file": key,
        "allow_agent": False,
        "conn_timeout": PATIENCE,
        "banner_timeout": PATIENCE,
        "auth_timeout": PATIENCE,
        "read_timeout_override": PATIENCE,
    }


def netmiko_alone(ports: Ports, folder: Path, threads: int) -> list[int]:
    """Ask through netmiko as it comes, which does not look at host keys."""
    from netmiko import ConnectHandler

    told = settings(str(folder / "id_ed25519"))

    def ask(port: int) -> int:
        try:
            with ConnectHandler(
                device_type="arista_eos", host=ADDRESS, port=port, username=USER, **told
            ) as connection:
                return sum(len(str(connection.send_command(c))) for c in COMMANDS)
        except Exception as error:
            print(port, type(error).__name__, error, file=sys.stderr)
            return 0

    with ThreadPoolExecutor(threads) as executor:
        return list(executor.map(ask, ports.values()))


def nornir(ports: Ports, folder: Path, threads: int) -> list[int]:
    """Ask through nornir and its plug-in; each task closes its own session."""
    from nornir.core import Nornir
    from nornir.core.configuration import Config, LoggingConfig
    from nornir.core.inventory import ConnectionOptions, Defaults, Groups, Host, Hosts, Inventory
    from nornir.core.plugins.connections import ConnectionPluginRegister
    from nornir.core.task import Result
    from nornir.plugins.runners import ThreadedRunner
    from nornir_netmiko import netmiko_send_command

    ConnectionPluginRegister.auto_register()
    options = {"netmiko": ConnectionOptions(extras=settings(str(folder / "id_ed25519")))}
    hosts = Hosts(
        {
            name: Host(
                name=name,
                hostname=ADDRESS,
                port=port,
                username=USER,
                platform="arista_eos",
                connection_options=options,
            )
            for name, port in ports.items()
        }
    )
    fleet = Nornir(
        inventory=Inventory(hosts, Groups(), Defaults()),
        runner=ThreadedRunner(num_workers=threads),
        config=Config(logging=LoggingConfig(enabled=False)),
    )

    def ask(task: Any) -> Any:
        try:
            answers = [
                task.run(task=netmiko_send_command, command_string=c).result for c in COMMANDS
            ]
        finally:
            task.host.close_connections()
        return Result(host=task.host, result=sum(map(len, answers)))

    results = fleet.run(task=ask)
    return [0 if multi.failed else multi[0].result for multi in results.values()]


def ask_lossless(job: tuple[str, int], folder: str) -> int:
    """Ask one device; importable, so that a worker of another process can."""
    from lossless.devices import Credentials, Policy, Target, connect
    from lossless.platforms.arista_eos.session import SESSION

    name, port = job
    target = Target(name=name, address=ADDRESS, session=SESSION, port=port)
    policy = Policy(
        ssh_config=f"{folder}/client_config",
        agent=False,
        connect_timeout=PATIENCE,
        command_timeout=PATIENCE,
        attempts=1,
    )
    with connect(target, Credentials(user=USER), policy) as session:
        return sum(len(session.run(command).text) for command in COMMANDS)


def lossless(ports: Ports, folder: Path, threads: int, executor: str = "threads") -> list[int]:
    """Ask through `lossless.devices`, every host key verified."""
    from lossless.devices.executors import open_executor
    from lossless.devices.fleet import fan_out

    work = partial(ask_lossless, folder=str(folder))
    with open_executor(executor, threads) as opened:
        gathered = fan_out(list(ports.items()), work, opened)
    for outcome in gathered.outcomes:
        if outcome.error is not None:
            print(outcome.job, repr(outcome.error), file=sys.stderr)
    return [outcome.value or 0 for outcome in gathered.outcomes]


WAYS: dict[str, Callable[[Ports, Path, int], list[int]]] = {
    "netmiko": netmiko_alone,
    "nornir": nornir,
    "lossless": lossless,
    "dask": partial(lossless, executor="dask:local"),
}


def main() -> None:
    """Ask, measure and print."""
    way, folder, threads = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3])
    ports: Ports = json.load(sys.stdin)
    raise_limit(4 * threads + 1024)
    start = time.perf_counter()
    answered = WAYS[way](ports, folder, threads)
    seconds = time.perf_counter() - start
    used = [resource.getrusage(w) for w in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    unit = 1 if sys.platform == "darwin" else 1024
    print(
        json.dumps(
            {
                "seconds": seconds,
                "cpu": sum(u.ru_utime + u.ru_stime for u in used),
                "peak": max(u.ru_maxrss for u in used) * unit,
                "answered": sum(1 for n in answered if n),
                "characters": sum(answered),
            }
        )
    )


if __name__ == "__main__":
    main()
