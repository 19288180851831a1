"""Running rendered scripts in a real bash against the fake host, and asking it what it became."""

from __future__ import annotations

import marshal
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lossless.model.device import Device, DeviceState, Port
from lossless.platforms.contract import Output, Parsed
from lossless.platforms.nvidia_mlnx_qos import PLATFORM
from tests.platforms.nvidia_mlnx_qos import fake_host

HERE = Path(__file__).parent


def device(state: dict[str, Any]) -> Device:
    """The declared device that stands for a fake host."""
    ports = (Port(name=name, rdma=it["rdma"]) for name, it in state["nics"].items())
    return Device(name="gpu01", kind="host", ports=tuple(ports))


def look(state: dict[str, Any]) -> Parsed:
    """Read a fake host as the platform would read a real one."""
    asked = PLATFORM.commands(device(state))
    return PLATFORM.parse([Output(c.text, fake_host.answer(state, c.text)) for c in asked])


@dataclass
class Run:
    """What a run of the script gave."""

    code: int
    out: str
    err: str
    state: dict[str, Any]

    @property
    def log(self) -> list[list[str]]:
        return self.state["log"]


class Rig:
    """A directory with the tools on PATH, kernel files, and the script."""

    def __init__(self, place: Path, state: dict[str, Any]) -> None:
        self.place, self.sys, self.bin = place, place / "sys", place / "bin"
        self.bin.mkdir(parents=True)
        for tool in fake_host.TOOLS:
            runner = self.bin / tool
            fake = HERE / "fake_host.py"
            runner.write_text(f'#!/bin/sh\nexec {sys.executable} -SEs {fake} {tool} "$@"\n')
            runner.chmod(0o755)
        self.save(state)

    def save(self, state: dict[str, Any]) -> None:
        (self.place / "state").write_bytes(marshal.dumps(state))
        fake_host.sync(state, str(self.sys))

    def load(self) -> dict[str, Any]:
        found: dict[str, Any] = marshal.loads((self.place / "state").read_bytes())
        return found

    def write(self, script: str) -> Path:
        path = self.place / "lossless-nic"
        path.write_text(script)
        return path

    def run(self, *arguments: str, fail: int = 0, deaf: tuple[str, ...] = ()) -> Run:
        """Run the script; `fail` makes that call of a tool fail, `deaf` options do nothing."""
        self.save({**self.load(), "log": [], "calls": 0, "fail": fail, "deaf": list(deaf)})
        environment = {
            "PATH": f"{self.bin}:{os.defpath}",
            "LOSSLESS_SYSFS_ROOT": str(self.sys),
            "LOSSLESS_WAIT": "0",
            "FAKE_HOST_STATE": str(self.place / "state"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        done = subprocess.run(
            ["bash", str(self.place / "lossless-nic"), *arguments],
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Run(done.returncode, done.stdout, done.stderr, self.load())


def script(after: DeviceState, host: Device, before: DeviceState | None = None) -> str:
    """Render the script that brings a host to `after`."""
    return PLATFORM.render(PLATFORM.plan(after, before), host)[0].text
