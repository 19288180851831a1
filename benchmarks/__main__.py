"""`make bench`: everything that is promised about speed, beside its aim.

`python -m benchmarks [--nics N] [--runs N] [--devices N] [--threads N]`.  A missed aim is printed
as such; it fails nothing.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import fabrics, fleet

ROOT = Path(__file__).resolve().parent.parent
MB = 1_000_000


def measure(kind: str, file: Path, runs: int) -> dict[str, Any]:
    """Return the fastest of several measurements, each in a new process."""
    command = [sys.executable, "-m", "benchmarks.measure", kind, str(file)]
    results = []
    for _ in range(runs):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        results.append(json.loads(done.stdout))
    return min(results, key=lambda r: r["total"])


def seconds(command: list[str], runs: int = 9) -> float:
    """Return the fastest wall time of a command."""
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        best = min(best, time.perf_counter() - start)
    return best


def row(what: str, figure: str, aim: str, met: bool) -> None:
    """Print one line of the table."""
    print(f"{what:58} {figure:>12}   aim {aim:12} {'met' if met else 'MISSED'}")


def large(nics: int, runs: int, folder: Path) -> None:
    """Measure a large fabric in both forms, clean and with one mistake in a hundred."""
    size, small = fabrics.Size(nics), fabrics.Size(max(2048, nics // 8))
    for mistakes in (False, True):
        kind = "1 % mistakes" if mistakes else "clean"
        sets, full = folder / f"sets-{mistakes}.yaml", folder / f"full-{mistakes}.yaml"
        with sets.open("w") as out:
            fabrics.node_sets(size, out, mistakes)
        with full.open("w") as out:
            fabrics.in_full(size, out, mistakes)
        whole = measure("lint", sets, runs)
        name = f"{nics} NICs as node sets, {kind}"
        row(f"{name}: lint, s", f"{whole['total']:.2f}", "2.0", whole["total"] <= 2)
        row(f"{name}: peak, MB", f"{whole['peak'] / MB:.0f}", "400", whole["peak"] <= 400 * MB)
        floor = measure("bare", full, runs)
        loaded, linted = measure("load", full, runs), measure("lint", full, runs)
        name = f"{nics} NICs in full ({full.stat().st_size / MB:.0f} MB), {kind}"
        print(f"{name}: bare events {floor['total']:.2f} s; {loaded}; {linted}")
        ratio = loaded["total"] / floor["total"]
        row(f"{name}: load / bare", f"{ratio:.2f}", "2.5", ratio <= 2.5)
        row(f"{name}: load peak, MB", f"{loaded['peak'] / MB:.0f}", "1000", loaded["peak"] <= 1e9)
        ratio = linted["total"] / floor["total"]
        row(f"{name}: lint / bare", f"{ratio:.2f}", "3.0", ratio <= 3)
        little = folder / "small.yaml"
        with little.open("w") as out:
            fabrics.in_full(small, out, mistakes)
        per_small = measure("lint", little, runs)["total"] / small.nics
        growth = linted["total"] / size.nics / per_small
        row(
            f"{nics} against {small.nics} in full, {kind}: per NIC",
            f"{growth:.2f}",
            "1.25",
            growth <= 1.25,
        )


def start_up() -> None:
    """Measure what a person waits for."""
    python = [sys.executable, "-c", "pass"]
    floor = seconds(python)
    lossless = [str(Path(sys.executable).with_name("lossless"))]
    version = seconds([*lossless, "--version"]) - floor
    row(
        "lossless --version over a bare interpreter, ms",
        f"{version * 1000:.0f}",
        "60",
        version <= 0.06,
    )
    lint = seconds([*lossless, "lint", "inventory/demo"]) - floor
    row("lossless lint inventory/demo over it, ms", f"{lint * 1000:.0f}", "400", lint <= 0.4)


def main() -> None:
    """Run the benchmarks."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--nics", type=int, default=131_072)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--devices", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=64)
    chosen = parser.parse_args()
    start_up()
    with tempfile.TemporaryDirectory() as folder:
        large(chosen.nics, chosen.runs, Path(folder))
    fleet.run(chosen.devices, chosen.threads)


if __name__ == "__main__":
    main()
