"""One measurement in a process of its own: `python -m benchmarks.measure KIND FILE`.

Prints a JSON object with seconds by stage and the peak of resident memory in bytes.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def bare(file: Path) -> dict[str, Any]:
    """Read every event of the file and do nothing: the floor."""
    import yaml

    data = file.read_bytes()
    gc.disable()
    start = time.perf_counter()
    for _ in yaml.parse(data, Loader=yaml.CSafeLoader):
        pass
    return {"total": time.perf_counter() - start}


def load(file: Path) -> dict[str, Any]:
    """Read, validate and build the fabric."""
    from lossless import intent, inventory

    start = time.perf_counter()
    declaration = inventory.read([file])
    read = time.perf_counter()
    built = intent.build(declaration)
    end = time.perf_counter()
    nics = sum(len(d.ports) for d in built.fabric.devices.values() if d.kind == "host")
    return {"read": read - start, "build": end - read, "total": end - start, "nics": nics}


def lint(file: Path) -> dict[str, Any]:
    """Load and ask every rule."""
    from lossless import intent, inventory
    from lossless.cli.catalogue import all_rules
    from lossless.rules import catalogue, engine

    rules = catalogue.selection(all_rules())
    start = time.perf_counter()
    built = intent.build(inventory.read([file]))
    loaded = time.perf_counter()
    report = engine.lint(built.fabric, rules, built.provenance, built.suppressions)
    end = time.perf_counter()
    return {
        "load": loaded - start,
        "rules": end - loaded,
        "total": end - start,
        "findings": len(report.findings),
        "links": report.summary.links,
    }


KINDS: dict[str, Callable[[Path], dict[str, Any]]] = {"bare": bare, "load": load, "lint": lint}


def main() -> None:
    """Measure and print."""
    kind, file = sys.argv[1:3]
    result = KINDS[kind](Path(file))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    result["peak"] = peak * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
