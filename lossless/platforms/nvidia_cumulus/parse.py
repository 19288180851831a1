"""What a Cumulus switch printed, as a state."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from lossless.model.effective import Path
from lossless.model.profile import Profile
from lossless.platforms.contract import Diagnostic, Output, Parsed, Unread
from lossless.platforms.nvidia_cumulus import leafs, shows
from lossless.platforms.nvidia_cumulus.box import Listener, Native, is_port
from lossless.platforms.nvidia_cumulus.schema import GLOBAL, Config, ConfigPath
from lossless.platforms.nvidia_cumulus.settle import settle
from lossless.platforms.nvidia_cumulus.text import Found, read_commands, read_tree, release

CONFIG: Final = "nv config show -o yaml"
ROCE: Final = "nv show qos roce"
COVERAGE: Final = "nv config show"

_ESCAPE: Final = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029\ufffd]")
_PAGER: Final = re.compile(r"^\s*(?:--\s?More\s?--|:|\(END\))[ \x08\r]*$")
_PROMPT: Final = re.compile(r"\S+?@([A-Za-z0-9_.-]+)(?::[A-Za-z0-9_-]+)?:[^\s$#]*[$#]\s*(.*)")
_SYSLOG: Final = re.compile(
    r"(?:[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S*)"
    r" \S+ \S+(?:\[\d+\])?:"
)
_TREE: Final = re.compile(r"\s*(- (set|unset|header):|header:|[\[{]|(set|interface|qos|system):)")
_OURS: Final = (
    "RoCE PCP/DSCP->SP mapping",
    "nvue-api-version",
    "RoCE SP->TC mapping",
    "nv set qos ",
    "nv set interface ",
    "nv show qos",
    "nv show interface",
    "nv config",
)


@dataclass(frozen=True, slots=True)
class Section:
    """What followed one command: its numbered lines, and the file they are in."""

    command: str
    lines: list[tuple[int, str]]
    file: str | None


def recognises(text: str) -> bool:
    """Say whether a text looks like NVUE's."""
    head = text[:20_000]
    if any(word in head for word in _OURS):
        return True
    return re.search(r"^- set:\s*$", head, re.MULTILINE) is not None and "interface:" in head


def parse(outputs: Sequence[Output], profile: Profile | None) -> Parsed:
    """Read a device.  Never raises for what it printed."""
    found = Found()
    told = shows.Told()
    unread: list[Unread] = []
    diagnostics: list[Diagnostic] = []
    lines: dict[ConfigPath, tuple[str | None, int]] = {}
    for output in outputs:
        for section in _sections(output, found, diagnostics):
            _read(section, found, told)
            lines.update({where: (section.file, at) for where, at in found.lines.items()})
            found.lines.clear()
            unread += [Unread(t, n, section.file) for t, n in found.unread]
            found.unread.clear()
            diagnostics += _faults(found, told, section.file)
    whole = found.whole and not any(d.kind == "damaged" for d in diagnostics)
    native = Native(found.config, whole, release(found), found.bonds)
    diagnostics += _loose(found.config, whole, lines)
    listener = Listener(native, profile)
    state = listener.state(tuple(port for port in found.ports if is_port(port)))
    settle(told, state, profile)
    places = {path: lines[at] for path, at in listener.origins.items() if at in lines}
    return Parsed(
        state=state,
        native=native,
        coverage=frozenset({COVERAGE}) if whole else frozenset(),
        unread=tuple(unread),
        diagnostics=tuple(diagnostics),
        facts=dict(found.facts),
        lines=_first(places),
        understood=whole or bool(found.config or found.ports or told.anything),
        operational=told.state(),
    )


def _first(places: dict[Path, tuple[str | None, int]]) -> dict[Path, tuple[str | None, int]]:
    return dict(sorted(places.items(), key=lambda pair: (str(pair[1][0]), pair[1][1])))


def _faults(found: Found, told: shows.Told, file: str | None) -> Iterator[Diagnostic]:
    for text, line in found.damage:
        yield Diagnostic("damaged", text, line, file)
    for text, at in found.twice:
        yield Diagnostic("duplicate", text, at, file)
    for text, where in told.exceptions:
        yield Diagnostic("device_exception", text, where, file)
    found.damage.clear()
    found.twice.clear()
    told.exceptions.clear()


def _loose(
    config: Config, whole: bool, lines: dict[ConfigPath, tuple[str | None, int]]
) -> Iterator[Diagnostic]:
    """Yield profiles that are named and not there, and those that are there and not named."""
    if not whole:
        return
    there: dict[ConfigPath, ConfigPath] = {
        path[:3]: path for path in config if path[0] == "qos" and path[1] in leafs.SINCE
    }
    mode = config.get(("qos", "roce", "mode"), "")
    named: set[ConfigPath] = set()
    for path, name in config.items():
        if path[0] != "interface" or path[-1] != "profile":
            continue
        whose: ConfigPath = ("qos", path[3], name)
        named.add(whose)
        if whose not in there and name != GLOBAL and not name.startswith(mode or "\n"):
            file, line = lines.get(path, (None, 0))
            text = f"{path[1]} names {path[3]} profile {name}, which is not there"
            yield Diagnostic("dangling_reference", text, line or None, file)
    for profile, path in there.items():
        if profile not in named and profile[2] != GLOBAL:
            file, line = lines.get(path, (None, 0))
            text = f"{profile[1]} profile {profile[2]} is bound to no interface"
            yield Diagnostic("unattached_object", text, line or None, file)


# --- sections ------------------------------------------------------------------------------------


def _sections(output: Output, found: Found, diagnostics: list[Diagnostic]) -> Iterator[Section]:
    command, held = " ".join(output.command.split()), list[tuple[int, str]]()
    for number, raw in enumerate(output.text.split("\n"), 1):
        line = _clean(raw, number, output.file, diagnostics)
        if line is None:
            continue
        prompt = _PROMPT.fullmatch(line.strip())
        if prompt is None:
            held.append((number, line))
            continue
        found.facts.setdefault("hostname", prompt[1])
        entered = " ".join(prompt[2].split())
        if re.match(r"nv (set|unset) ", entered):
            held.append((number, entered))
            continue
        if held:
            yield Section(command, held, output.file)
        command, held = entered or "", []
    if held:
        yield Section(command, held, output.file)


def _clean(raw: str, number: int, file: str | None, diagnostics: list[Diagnostic]) -> str | None:
    """Return a line without what a terminal adds; `None` where nothing else is in it."""
    line = _ESCAPE.sub("", raw.rstrip("\r"))
    if _PAGER.fullmatch(line) and line.strip():
        diagnostics.append(Diagnostic("damaged", "a pager stopped here", number, file))
        return None
    if _SYSLOG.match(line):
        diagnostics.append(Diagnostic("damaged", "a log line stands in the output", number, file))
        return None
    clean = _CONTROL.sub("", line)
    if clean != line:
        diagnostics.append(Diagnostic("damaged", "control characters", number, file))
    return clean.expandtabs(8).rstrip()


def _read(section: Section, found: Found, told: shows.Told) -> None:
    lines = [(n, text) for n, text in section.lines if text.strip()]
    if not lines:
        return
    first = next((t for _, t in lines if not t.lstrip().startswith("#")), "")
    if any(re.match(r"\s*nv (set|unset) ", text) for _, text in lines):
        read_commands([(n, text.strip()) for n, text in lines], found)
    elif _TREE.match(first):
        read_tree(section.lines, found)
    elif not section.command.startswith("nv config"):
        shows.read(section.command, section.lines, found, told)
        return
    else:
        found.unread += [(text, n) for n, text in lines]
        return
    if section.command.startswith("nv config show"):
        found.whole = True
