"""A rule's page is its test: the form of a page, and inventories made from its snippets.

A page is Markdown:

    # PFC001 pfc-priority-mismatch

    ## What it checks
    ## Why it matters
    ## How to fix
    ## References

    ## The title of a case

    ```yaml base=pair file=case.yaml
    switches:
      leaf1:
        ports:
          Ethernet1/1: {pfc: {priorities: [4]}}   # error: PFC001 "gpu1:ens1np0"
    ```

Each section after the fixed four that holds YAML is a case.  A snippet is laid over a small base
inventory (`tests/rules/bases/NAME.yaml`): what it states replaces the base's, its `links` replace
all links.  The snippet is read as a file of its own, so that places are those of the page.

A mark `# LEVEL: RULE "text"` (levels error, warning, info, not-checked) says that a finding whose
message holds the text is located on its line.  A mark that stands alone on its line is for a
finding that is located outside the snippets, at a comment, or nowhere; so are all `not-checked`
marks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import yaml

BASES = Path(__file__).parent / "bases"

SECTIONS = ("What it checks", "Why it matters", "How to fix", "References")
LEVELS = ("error", "warning", "info", "not-checked")

_TITLE = re.compile(r"# ([A-Z]{2,4}[0-9]{3}) ([a-z0-9-]+)\s*\Z")
_FENCE = re.compile(r"^```(\S+)([^\n]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r'([a-z-]+):\s*([A-Z]{2,4}[0-9]{3})\b\s*(?:"([^"]*)")?')
_ATTRIBUTES = frozenset({"base", "file"})


class PageError(ValueError):
    """A page that is not in the form described above."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What a page says that lint finds.  Without a `line` it is located outside the snippets."""

    level: str
    rule: str
    text: str
    file: str
    line: int | None


@dataclass(slots=True)
class Case:
    """One section of a page: files over a base, and what lint finds in them."""

    title: str
    base: str | None = None
    files: dict[str, str] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)

    def write(self, folder: Path) -> None:
        """Write the base, without what the snippets state, and the snippets into a directory."""
        for name, text in self.files.items():
            (folder / name).write_text(text, encoding="utf-8")
        if self.base is not None:
            base = BASES / f"{self.base}.yaml"
            if not base.is_file():
                raise PageError(f"{self.title}: there is no base {self.base!r}")
            text = without(base.read_text(encoding="utf-8"), self.files.values())
            (folder / "base.yaml").write_text(text, encoding="utf-8")


@dataclass(slots=True)
class Page:
    """A rule's page."""

    rule: str
    name: str
    sections: dict[str, str]
    cases: list[Case]


def parse(text: str) -> Page:
    """Read a page.  Raises `PageError` where it is not in form."""
    head, *blocks = re.split(r"^## ", text, flags=re.MULTILINE)
    title = _TITLE.match(head.strip())
    if title is None:
        raise PageError("the first line must be `# ID name`")
    sections: dict[str, str] = {}
    for block in blocks:
        name, _, body = block.partition("\n")
        if name.strip() in sections:
            raise PageError(f"two sections are called {name.strip()!r}")
        sections[name.strip()] = body
    if tuple(sections)[: len(SECTIONS)] != SECTIONS:
        raise PageError(f"the first sections must be {', '.join(SECTIONS)}")
    empty = [name for name, body in sections.items() if not body.strip()]
    if empty:
        raise PageError(f"nothing is written under {', '.join(empty)}")
    cases = [_case(name, body) for name, body in sections.items() if name not in SECTIONS]
    return Page(title[1], title[2], sections, [case for case in cases if case.files])


def _case(title: str, body: str) -> Case:
    case = Case(title)
    for language, attributes, snippet in _FENCE.findall(body):
        if language != "yaml":
            continue
        given = dict(pair.split("=", 1) for pair in attributes.split())
        if not given.keys() <= _ATTRIBUTES:
            raise PageError(f"{title}: a fence knows base= and file=, not {attributes.strip()!r}")
        name = given.get("file", "case.yaml")
        if name in case.files or name == "base.yaml":
            raise PageError(f"{title}: two files are called {name!r}")
        case.base = given.get("base", case.base)
        case.files[name] = snippet
        case.marks.extend(_marks(title, name, snippet))
    return case


def _marks(title: str, file: str, snippet: str) -> Iterator[Mark]:
    for number, line in enumerate(snippet.splitlines(), 1):
        before, hash_, comment = line.partition("#")
        if not hash_ or comment.lstrip().startswith("lossless:"):
            continue
        for level, rule, text in _MARK.findall(comment):
            if level not in LEVELS:
                raise PageError(f"{title}: {level!r} in {line.strip()!r} is no level")
            placed = before.strip() and level != "not-checked"
            yield Mark(level, rule, text, file, number if placed else None)


def without(base: str, snippets: Iterable[str]) -> str:
    """Return a base inventory without any leaf that one of the snippets states."""
    root = yaml.compose(base, Loader=yaml.SafeLoader)
    assert isinstance(root, yaml.MappingNode)
    for snippet in snippets:
        stated = yaml.compose(snippet, Loader=yaml.SafeLoader)
        if isinstance(stated, yaml.MappingNode):
            _remove(root, stated)
    text: str = yaml.serialize(root, Dumper=yaml.SafeDumper)
    return text


def _remove(base: yaml.MappingNode, stated: yaml.MappingNode) -> None:
    said = {key.value: value for key, value in stated.value}
    kept = []
    for key, value in base.value:
        over = said.get(key.value)
        if over is None:
            kept.append((key, value))
        elif isinstance(value, yaml.MappingNode) and isinstance(over, yaml.MappingNode):
            _remove(value, over)
            if value.value:
                kept.append((key, value))
    base.value = kept
