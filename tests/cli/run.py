"""Running the program as a user does: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@dataclass(frozen=True)
class Ran:
    """What a run left: exit code and the two streams."""

    code: int
    out: str
    err: str

    @property
    def clean(self) -> bool:
        """Say whether nothing was shown that is a fault of the program."""
        shown = self.out + self.err
        return "Traceback" not in shown and "internal error" not in shown


def lossless(
    *arguments: str | Path,
    cwd: Path = ROOT,
    stdin: str | None = None,
    env: dict[str, str] | None = None,
) -> Ran:
    """Run `lossless` and return what it left."""
    done = subprocess.run(
        [sys.executable, "-m", "lossless", *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1", **(env or {})},
    )
    return Ran(done.returncode, done.stdout, done.stderr)
