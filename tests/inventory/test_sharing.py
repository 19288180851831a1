"""Equal parts are one object, before and after validation; and no text at all is a crash."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lossless.findings import InputError
from lossless.inventory import loading, read, syntax
from lossless.inventory.builder import Shared, build
from lossless.inventory.files import File
from tests.inventory.conftest import Reader

PORTS = "{e1: {speed: 400G, role: host}, e2: {speed: 400G, role: host}}"
BOTH = (
    f"format: 1\nswitches:\n  l1: {{rail: 1, ports: {PORTS}}}\n  l2: {{rail: 2, ports: {PORTS}}}\n"
)


def test_equal_parts_are_one_object(declared: Reader) -> None:
    switches = declared(BOTH).data["switches"]
    one, other = switches["l1"]["ports"], switches["l2"]["ports"]
    assert one is other
    assert one["e1"] is one["e2"]


def test_what_looks_alike_and_is_not_stays_apart() -> None:
    text = (
        "a: {p: {x: 1}, q: {x: '1'}, r: {x: 1}, s: [1], t: ['1'], u: {x: }, v: {x: ''}, w: {y: 1}}"
    )
    data = build(File("f", text.encode()), Shared()).data["a"]
    assert data["p"] is data["r"]
    assert type(data["p"]["x"]) is not type(data["q"]["x"])
    assert type(data["s"][0]) is not type(data["t"][0])
    assert (data["u"]["x"], data["v"]["x"]) == (None, "")
    assert set(data["w"]) == {"y"}


def test_aliases_share(declared: Reader) -> None:
    data = declared(
        "format: 1\nhosts:\n  h1: &host\n    nics: {e: {speed: &rate 400G}}\n  h2: *host\n"
        "switches: {s: {ports: {e: {speed: *rate}}}}\n"
    ).data
    assert data["hosts"]["h1"] is data["hosts"]["h2"]
    assert data["switches"]["s"]["ports"]["e"]["speed"] == 400_000_000_000


def test_the_collector_is_left_as_it_was(declared: Reader) -> None:
    assert gc.isenabled()
    declared("format: 1\n")
    assert gc.isenabled()
    with pytest.raises(InputError):
        declared("format: 3\n")
    assert gc.isenabled()


def test_a_parser_in_pure_python_is_refused(
    declared: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(syntax.yaml, "CSafeLoader")
    with pytest.raises(InputError, match="without its C parser"):
        declared("format: 1\n")


def test_pydantic_itself_is_not_imported() -> None:
    import subprocess

    script = (
        "import sys; from pathlib import Path; from lossless.inventory import read;"
        f"read([Path({str(Path(__file__).parent / 'worked' / 'documented.yaml')!r})]);"
        "print(sorted({'pydantic', 'netmiko', 'jinja2', 'ruamel'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == "[]"


WORDS = st.sampled_from(
    [
        *("format: 1", "policy", "switches", "hosts", "links", "access", "ports", "nics", "for"),
        *("classes", "pfc", "ecn", "vlans", "on", "off", "none", "null", "400G", "leaf[1-2]"),
        *("- ", ": ", ", ", "{", "}", "[", "]", "\n", "\n  ", "\n    ", "'", '"', "#", "|", ">"),
        *("# lossless: ignore[", "&a ", "*a", "!!", "<<", "?", "---\n", "...", "1", "{n}", "%"),
        *("@", "`", "\t", "\\", "~", "é", "\u2028", "0x", "password", "a:b"),
    ]
)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("any") / "f.yaml"


@given(st.lists(WORDS, max_size=40).map("".join) | st.text(max_size=200) | st.binary(max_size=200))
def test_no_text_is_a_crash(scratch: Path, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    scratch.write_bytes(data)
    try:
        read([scratch])
    except InputError as error:
        for problem in error.problems:
            assert problem.message
            assert problem.location is not None
            assert problem.location.file == str(scratch)
            assert problem.location.line >= 1
            assert problem.location.column >= 1


JUNK = st.recursive(
    st.sampled_from(["on", "none", "1", "'1'", "400G", "x", "60%", "null", "{n}", "a:b", "[1-2]"]),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(WORDS, below, max_size=3),
    max_leaves=8,
)


def known_paths() -> list[tuple[str, ...]]:
    """Every path of keys that the worked inventories write."""
    paths: set[tuple[str, ...]] = set()

    def walk(data: object, path: tuple[str, ...]) -> None:
        for key, value in data.items() if isinstance(data, dict) else ():
            paths.add((*path, key))
            walk(value, (*path, key))

    for file in sorted((Path(__file__).parent / "worked").glob("*.yaml")):
        walk(build(File(file.name, file.read_bytes()), Shared()).data, ())
    return sorted(paths)


@given(st.sampled_from(known_paths()), JUNK)
def test_no_value_anywhere_is_a_crash(path: tuple[str, ...], junk: object) -> None:
    """Validation of anything at any key ends in data or in faults, each with a message."""
    from lossless.inventory import boundary
    from lossless.inventory.schema import Inventory

    tree: object = junk
    for key in reversed(path):
        tree = {key: tree}
    assert isinstance(tree, dict)
    data, faults = boundary.validate(Inventory, tree)
    assert (data is None) == bool(faults)
    assert all(fault.message for fault in faults)


def test_named_policies_are_read_from_anywhere(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in loading.policy_names():
        policy, sources = loading.read_policy(name)
        assert policy["classes"]
        assert sources.find(("classes",)) is not None
    with pytest.raises(InputError, match="did you mean 'nvidia-roce'"):
        loading.read_policy("nvidia-rose")
    with pytest.raises(InputError, match="no policy named"):
        loading.read_policy("../../etc/passwd")
