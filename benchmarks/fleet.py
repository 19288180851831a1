"""A fleet of simulated switches, asked the same in four ways side by side.

`python -m benchmarks.fleet [--devices N] [--threads N]`.  Servers and clients share this machine,
so times tell of both; CPU is that of the clients alone.  The peak is that of the largest process.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MB = 1_000_000
#: What each contender needs beside what lossless itself does.
NEEDS = {
    "netmiko": ("netmiko",),
    "nornir": ("nornir", "nornir_netmiko"),
    "lossless": (),
    "dask": ("distributed",),
}


def client_files(folder: Path) -> None:
    """Write the ssh_config of one who has a key and a file of known hosts, and no aliases."""
    (folder / "client_config").write_text(
        "Host *\n"
        f'  IdentityFile "{folder / "id_ed25519"}"\n'
        "  IdentitiesOnly yes\n"
        f'  UserKnownHostsFile "{folder / "known_hosts"}"\n'
        "  GlobalKnownHostsFile none\n"
    )


def ask(way: str, ports: str, folder: Path, threads: int) -> dict[str, Any] | None:
    """Return what one contender took; `None`, said aloud, where it is not installed or fails."""
    missing = [name for name in NEEDS[way] if find_spec(name) is None]
    if missing:
        print(f"{way:10} not measured: {', '.join(missing)} missing (pip install '.[bench,test]')")
        return None
    command = [sys.executable, "-m", "benchmarks.contenders", way, str(folder), str(threads)]
    done = subprocess.run(
        command, cwd=ROOT, input=ports, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        print(f"{way:10} not measured: {done.stderr.strip()[-500:]}")
        return None
    result: dict[str, Any] = json.loads(done.stdout)
    print(
        f"{way:10} {result['seconds']:8.2f} s {result['cpu']:8.2f} s CPU "
        f"{result['peak'] / MB:6.0f} MB   {result['answered']} answered, "
        f"{result['characters']} characters",
        flush=True,
    )
    if result["answered"] != len(json.loads(ports)):
        print(f"{way:10} some failed: {done.stderr.strip()[-500:]}")
    return result


def compare(results: dict[str, dict[str, Any] | None]) -> None:
    """Print ratios beside the aims, and whether a cluster gave what threads give."""
    mine = results["lossless"]
    if mine is None:
        return
    for other, aim in (("netmiko", 1.1), ("nornir", 1.0)):
        theirs = results[other]
        if theirs is None:
            continue
        for what in ("seconds", "cpu", "peak"):
            ratio = mine[what] / theirs[what]
            print(
                f"{f'lossless / {other}: {what}':58} {ratio:>12.2f}   aim {aim:<12} "
                f"{'met' if ratio <= aim else 'MISSED'}"
            )
    if (cluster := results["dask"]) is not None:
        alike = all(cluster[what] == mine[what] for what in ("answered", "characters"))
        print(f"{'Dask local cluster: same answers':58} {'yes' if alike else 'NO':>12}")


def run(devices: int, threads: int) -> None:
    """Serve, ask in each way, and compare."""
    print(f"{devices} devices on loopback, {threads} threads")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        serving = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.switches", str(devices), name],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        with serving:  # which closes its standard input at the end, and so ends it
            ports = serving.stdout.readline() if serving.stdout is not None else ""
            if not ports:
                print("not measured: the simulated devices do not start (pip install '.[lab]')")
                return
            client_files(folder)
            compare({way: ask(way, ports, folder, threads) for way in NEEDS})


def main() -> None:
    """Run this benchmark by itself."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fleet")
    parser.add_argument("--devices", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=64)
    chosen = parser.parse_args()
    run(chosen.devices, chosen.threads)


if __name__ == "__main__":
    main()
