"""A box of SONiC as far as its CONFIG_DB goes: what files and commands do to it."""

from __future__ import annotations

import copy
import json
import shlex
from collections.abc import Iterable, Iterator
from typing import Any

import jsonpatch

from lossless.platforms.contract import Output, Parsed, Rendered
from lossless.platforms.sonic import PLATFORM

Config = dict[str, Any]


class Box:
    """Applies rendered files in the order of their names."""

    def __init__(self, config: Config) -> None:
        self.config = copy.deepcopy(config)

    def text(self) -> str:
        return json.dumps(self.config, indent=4)

    def read(self) -> Parsed:
        found = PLATFORM.parse([Output("show runningconfiguration all", self.text())])
        assert found.native.whole, found.diagnostics
        return found

    def apply(self, files: Iterable[Rendered]) -> None:
        for file in sorted(files, key=lambda one: one.name):
            for _ in self.steps(file):
                pass

    def steps(self, file: Rendered) -> Iterator[Config]:
        """Apply a file move by move, and yield the configuration after each."""
        if file.name.endswith("patch.json"):
            moves = json.loads(file.text)
            for move in moves:
                self.config = jsonpatch.apply_patch(self.config, [move])
                yield self.config
        elif file.name.endswith(".json"):
            merge(self.config, json.loads(file.text))
            yield self.config
        else:
            for line in file.text.splitlines()[2:]:
                self._command(shlex.split(line))
                yield self.config
        assert all(self.config.values()), "config apply-patch refuses empty tables"

    def _command(self, words: list[str]) -> None:
        assert words[0] == "sudo"
        match words[1:]:
            case ["pfcwd", "interval", time]:
                self._row("PFC_WD", "GLOBAL")["POLL_INTERVAL"] = time
            case ["pfcwd", "stop", port]:
                self._delete("PFC_WD", port)
            case ["pfcwd", "start", "--action", action, "--restoration-time", restore, port, time]:
                assert self.config["PORT_QOS_MAP"][port]["pfc_enable"], "SKIPPED"
                times = {"detection_time": time, "restoration_time": restore}
                self._row("PFC_WD", port).update(times, action=action)
            case ["pfcwd", "pfc_stat_history", state, port]:
                self._row("PFC_WD", port)["pfc_stat_history"] = state
            case ["sonic-db-cli", "CONFIG_DB", "DEL", key]:
                table, _, row = key.partition("|")
                self._delete(table, row)
            case ["sonic-db-cli", "CONFIG_DB", "HDEL", key, field]:
                table, _, row = key.partition("|")
                del self.config[table][row][field]
                if not self.config[table][row]:
                    self._delete(table, row)
            case other:
                raise AssertionError(f"SONiC has no command {other}")

    def _row(self, table: str, key: str) -> dict[str, str]:
        row: dict[str, str] = self.config.setdefault(table, {}).setdefault(key, {})
        return row

    def _delete(self, table: str, key: str) -> None:
        del self.config[table][key]
        if not self.config[table]:
            del self.config[table]


def merge(config: Config, more: Config) -> None:
    """What `config load` does: field by field, nothing is removed."""
    for table, rows in more.items():
        for key, row in rows.items():
            config.setdefault(table, {}).setdefault(key, {}).update(row)
