"""Simulated switches for `benchmarks.fleet`: `python -m benchmarks.switches NUMBER FOLDER`.

One port a device on loopback, in a process of its own.  Writes what a client needs to FOLDER,
prints its ports as JSON, and serves until its standard input ends.
"""

from __future__ import annotations

import json
import logging
import resource
import sys
import time
from pathlib import Path

from lossless.lab import registry, ways
from lossless.lab.contract import Plate
from lossless.lab.server import Lab, Options

PORTS = 64


def configuration(number: int) -> str:
    """Return a leaf's configuration, about as long as one with lossless ports is."""
    lines = [f"hostname leaf{number:04}"]
    for port in range(1, PORTS + 1):
        lines += [
            f"interface Ethernet{port}/1",
            f"   description to gpu{port:05}",
            "   mtu 9214",
            "   priority-flow-control on",
            "   priority-flow-control priority 3 no-drop",
        ]
    return "\n".join(lines) + "\n"


def raise_limit(files: int) -> None:
    """Allow this process so many open files, or as many as the system lets it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = files if hard == resource.RLIM_INFINITY else min(files, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def main() -> None:
    """Serve."""
    number, folder = int(sys.argv[1]), Path(sys.argv[2])
    raise_limit(4 * number + 512)
    # A client that hangs up while its switch still talks is no news here.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
    boxes = []
    for n in range(1, number + 1):
        box = registry.make(Plate(f"leaf{n:04}", "arista_eos", "4.33.1F"), time.monotonic)
        box.load({"startup-config": configuration(n)})
        boxes.append(box)
    with Lab(boxes, Options(one_host_key=True)) as lab:
        ways.write(lab, folder, ways.Names())
        print(json.dumps({name: place.port for name, place in lab.places.items()}), flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
