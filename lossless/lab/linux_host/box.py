"""A simulated Linux host: its NICs, its files, and who is logged in."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Mapping
from typing import Final

from lossless.findings import InputError, Location, Problem
from lossless.lab.contract import Change, Clock, Plate, Screen
from lossless.lab.linux_host import drift, nics, script, shell
from lossless.lab.linux_host.qos import Refused, State

#: Where files that are written for a host belong, and the grammar of each line.
PLACES: Final[Mapping[str, tuple[str, str]]] = {
    "lossless-nic": ("/usr/local/sbin/lossless-nic", r"(?s).*"),
    "lossless-nic@.service": ("/etc/systemd/system/lossless-nic@.service", r".*"),
    "nccl.conf": ("/etc/nccl.conf", r"#.*|[A-Za-z_]\w*=.*|\s*"),
    "ucx.conf": ("/etc/ucx/ucx.conf", r"[#;].*|[A-Za-z_]\w* *=.*|\[.*\]|\s*"),
    "environment.sh": (
        "/etc/profile.d/lossless-collectives.sh",
        r"#.*|export [A-Za-z_]\w*=.*|\s*",
    ),
}


class LinuxHost:
    """One host.  `state` holds its NICs, `files` what stands on its disk, by path."""

    banner = ""

    def __init__(self, plate: Plate, clock: Clock) -> None:
        self.plate = plate
        self.clock = clock
        mine = [port for port in plate.ports if port.tool in (None, "nvidia_mlnx_qos")]
        self.state: State = nics.host(
            *(
                (
                    port.name,
                    nics.nic(
                        port.rdma or f"mlx5_{number}",
                        pci=port.pci,
                        speed=(port.speed or 400 * 10**9) // 10**6,
                    ),
                )
                for number, port in enumerate(mine)
            )
        )
        self.files: dict[str, str] = {}

    def load(self, files: Mapping[str, str]) -> None:
        """Install files and run the NIC script; see `contract.Box`."""
        faults: list[Problem] = []
        for name, text in files.items():
            path, grammar = PLACES.get(name.rsplit("/", 1)[-1], (None, ""))
            if path is None:
                faults.append(self._fault(name, 1, "a simulated host has no place for this file"))
                continue
            lines = enumerate(text.splitlines(), 1)
            faults += [
                self._fault(name, number, f"a simulated host refuses `{line}`")
                for number, line in lines
                if not re.fullmatch(grammar, line)
            ]
            self.files[path] = text
            if script.is_script(text):
                faults += self._scripted(name, text)
        if faults:
            raise InputError(faults)

    def _scripted(self, name: str, text: str) -> list[Problem]:
        faults = []
        for want in script.wants(text):
            try:
                script.carry_out(self.state, want)
            except Refused as why:
                said = f"a simulated host refuses `{want.text[:100]}`: {why.text}"
                faults.append(self._fault(name, want.line, said))
        return faults

    def _fault(self, name: str, line: int, told: str) -> Problem:
        return Problem(f"{self.plate.name}: {told}", Location(name, line, 1))

    def session(self, user: str) -> HostSession:
        """Log in."""
        return HostSession(self, user)

    def execute(self, command: str, user: str) -> Screen:
        """Run a command line in the host's own small shell."""
        return shell.run(self, command, user)

    def run_script(self, text: str, *, check: bool) -> tuple[str, int]:
        """Run a NIC script: gives what it says, and its exit code (1: something differs)."""
        wanted = copy.deepcopy(self.state)
        try:
            for want in script.wants(text):
                script.carry_out(wanted, want)
        except Refused as why:
            return f"lossless-nic: {why.text}\n", 3
        differing = [n for n, it in wanted["nics"].items() if it != self.state["nics"][n]]
        if not check:
            self.state = wanted
        said = "".join(f"lossless-nic: {name}: differs\n" for name in differing)
        return said, 1 if check and differing else 0

    # -- files -----------------------------------------------------------------------------------

    def file(self, path: str) -> str | None:
        """Return a file's text; `None` where there is none."""
        if path.startswith("/sys/"):
            return nics.files(self.state).get(path.removeprefix("/sys"))
        return self.files.get(path)

    def write(self, path: str, text: str) -> str:
        """Write a file; gives why not, where it cannot be written."""
        if not path.startswith("/sys/"):
            self.files[path] = text
            return ""
        try:
            nics.write_file(self.state, path.removeprefix("/sys"), text.rstrip("\n"))
        except Refused as why:
            return why.text
        return ""

    def paths(self) -> set[str]:
        """Return every file and directory there is."""
        known = [*self.files, *(f"/sys{path}" for path in nics.files(self.state))]
        for name, it in self.state["nics"].items():
            known.append(f"/sys/class/infiniband/{it['rdma']}/device/net/{name}")
        found = set[str]()
        for path in known:
            parts = path.split("/")
            found.update("/".join(parts[:end]) for end in range(2, len(parts) + 1))
        return found

    def snapshot(self) -> str:
        """Return what its tools show of each NIC, and its files."""
        told = []
        for name, it in self.state["nics"].items():
            told.append(f"# {name}\n")
            told.append(nics.run(self.state, "mlnx_qos", ["-i", name, "-a"])[1])
            told.append(f"mtu {it['mtu']}\nspeed {it['speed']}\nrx {it['rx']}\ntx {it['tx']}\n")
            told.append(f"tos {it['tos']}\nmode {it['mode']}\ntclass {it['tclass']}\n")
            told += [f"{end} {it[end]}\n" for end in ("np", "rp", "cnp_dscp", "cnp_802p_prio")]
            told += [f"{key} {value}\n" for key, value in it["params"].items()]
        for path, text in sorted(self.files.items()):
            told.append(f"# {path}\n{text}")
        return "".join(told)

    def drift(self, chance: random.Random) -> Change | None:
        """Change one thing as people do; see `contract.Box`."""
        return drift.make(self, chance)


class HostSession:
    """One login at the host's shell."""

    page = 0
    more = ""

    def __init__(self, host: LinuxHost, user: str) -> None:
        self._host = host
        self._user = user

    @property
    def prompt(self) -> str:
        """The prompt, as in `lab@gpu01:~$ `."""
        return f"{self._user}@{self._host.plate.name}:~{'#' if self._user == 'root' else '$'} "

    def feed(self, line: str) -> Screen:
        """Run a line; see `contract.Session`."""
        if line.strip() in ("exit", "logout"):
            return Screen(closed=True)
        return shell.run(self._host, line, self._user) if line.strip() else Screen()

    def close(self) -> None:
        """Nothing is kept for a login."""
