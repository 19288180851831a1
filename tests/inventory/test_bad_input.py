"""What is refused: each with its file, line and column, what was read, and what to do."""

from __future__ import annotations

import pytest

from tests.inventory.conftest import Refusal

SWITCH = "format: 1\nswitches:\n  leaf01:\n    platform: arista_eos\n"
BOMB = "format: 1\na0: &a0 [1,1,1,1,1,1,1,1]\n" + "".join(
    f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 8)}]\n" for i in range(1, 9)
)

#: (text, line, column, part of the message, part of the hint)
CASES = {
    "unknown key": (SWITCH + "    prots: {}\n", 5, 5, "unknown key 'prots'", "'ports'"),
    "unknown key, nothing near": (SWITCH + "    zzz: 1\n", 5, 5, "unknown key", "known here: "),
    "no space after the colon": ("format: 1\npolicy: {trust:dscp}\n", 2, 10, "unknown", "a space"),
    "duplicate section": (
        "format: 1\npolicy: {trust: dscp}\npolicy: {trust: pcp}\n",
        *(3, 1, "'policy' is written twice, first at line 2", "keep one"),
    ),
    "duplicate key": (
        SWITCH + "    role: leaf\n    role: spine\n",
        *(6, 5, "'role' is written twice, first at line 5", "keep one"),
    ),
    "duplicate key in a link": (
        "format: 1\nlinks:\n- {a: a:b, b: c:d, a: e:f}\n",
        *(3, 20, "'a' is written twice, first at line 3", "keep one"),
    ),
    "a word for a mapping": ("format: 1\npolicy: dscp\n", 2, 9, "where a mapping", None),
    "a list for a mapping": ("format: 1\nswitches: [a]\n", 2, 11, "a list where a mapping", None),
    "a mapping for a list": ("format: 1\nlinks: {a: b}\n", 2, 8, "a mapping where a list", None),
    "a list for a word": ("format: 1\npolicy: {trust: [dscp]}\n", 2, 17, "a list where", None),
    "a word nearly right": ("format: 1\npolicy: {pfc: onn}\n", 2, 15, "'onn'", "'on'"),
    "a missing key": ("format: 1\nlinks:\n  - {b: x:y}\n", 3, 5, "'a' is missing", "add it"),
    "no unit": (SWITCH + "    ports: {E1: {speed: 400}}\n", 5, 25, "400 is not a rate", "400G"),
    "bytes for bits": (SWITCH + "    ports: {E1: {speed: 400GB}}\n", 5, 25, "'400GB'", "bytes"),
    "an ambiguous size": (
        "format: 1\npolicy: {classes: {roce: {ecn: {min: 150K}}}}\n",
        *(2, 38, "'150K' is not a size", "KiB"),
    ),
    "per cent of nothing": (
        "format: 1\npolicy: {classes: {roce: {ecn: {max: 55%}}}}\n",
        *(2, 38, "'55%'", "55% of queue"),
    ),
    "a bare share": (
        "format: 1\npolicy: {classes: {roce: {bandwidth: 60}}}\n",
        *(2, 38, "60 is not a share", "60%"),
    ),
    "a path for a device": (
        "format: 1\nswitches: {a/b: {}}\n",
        2,
        12,
        "'a/b'",
        "'.', '-' and [a-b]",
    ),
    "quoted number": (SWITCH + "    ports: {E1: {lanes: '8'}}\n", 5, 25, "'8' is text", "quotes"),
    "out of range": (
        SWITCH + "    ports: {E1: {pfc: {priorities: [8]}}}\n",
        *(5, 36, "8 is out of range: a priority from 0 to 7", None),
    ),
    "listed twice": (
        "format: 1\npolicy: {classes: {roce: {dscp: [26, 24-31]}}}\n",
        *(2, 33, "26 is listed twice", None),
    ),
    "an index without for": (
        "format: 1\nlinks:\n  - {a: 'h{n}:e', b: x:y}\n",
        *(3, 5, "without `for`", "for: {n: 1-8}"),
    ),
    "not an end": ("format: 1\nlinks:\n  - {a: gpu01, b: x:y}\n", 3, 9, "'gpu01'", "device:port"),
    "unquoted brackets": (
        "format: 1\nhosts:\n  h:\n    access: {address: 192.0.2.[1-2]}\n",
        *(4, 31, "not YAML", "needs quotes"),
    ),
    "unquoted braces": (
        "format: 1\nlinks:\n  - {for: {n: 1-8}, a: gpu{n:02}:e, b: b:c}\n",
        *(3, 27, "not YAML", "needs quotes"),
    ),
    "tab": ("format: 1\npolicy:\n\ttrust: dscp\n", 3, 1, "not YAML", "not with tabs"),
    "unclosed quote": ('format: 1\nfabric: "abc\nhosts: {}\n', 2, 9, "not YAML", "quotes"),
    "control character": ("format: 1\nfabric: a\x07b\n", 2, 10, "not YAML", "control character"),
    "undefined alias": ("format: 1\npolicy: *x\n", 2, 9, "*x names no anchor", "quotes"),
    "recursive alias": ("format: 1\npolicy: &a\n  classes: *a\n", 3, 12, "stands inside", None),
    "alias bomb": (BOMB, 8, 18, "more than 1000000 values", "node set"),
    "tag": ("format: 1\nfabric: !!python/name:os.system x\n", 2, 9, "the tag", "remove it"),
    "second document": ("format: 1\n---\nformat: 1\n", 2, 1, "second document", "one document"),
    "merge key": ("format: 1\nroles: &r {}\npolicy:\n  <<: *r\n", 4, 3, "merge keys", "role"),
    "a list as a key": ("format: 1\n? [a]\n: b\n", 2, 3, "a key must be one word", "quote"),
    "too deep": (f"format: 1\npolicy: {'{a: ' * 80}{'}' * 80}\n", 2, 261, "64 levels", None),
    "no format": ("fabric: x\n", 1, 1, "'format' is missing", "add it"),
    "empty": ("", 1, 1, "nothing is written here", "format: 1"),
    "only a comment": ("# soon\n", 1, 1, "nothing is written here", "format: 1"),
    "only a word": ("hello\n", 1, 1, "not a mapping", "format: 1"),
    "binary": (b"\x7fELF\x00\x00", 1, 5, "NUL", "text file"),
    "UTF-16": ("format: 1".encode("utf-16"), 1, 1, "UTF-16", "UTF-8"),
    "latin-1": (b"format: 1\nfabric: \xe9\n", 2, 9, "0xe9 is not UTF-8", "UTF-8"),
    "10 MB line": (f"format: 1\nfabric: {'x' * 10_000_000}\n", 2, 1, "a line of", "break the line"),
    "secret": (
        SWITCH + "    access: {address: 192.0.2.1, password: hunter2}\n",
        *(5, 34, "'password' looks like a secret", "environment, a prompt, a keyring"),
    ),
    "unknown policy": ("format: 1\nextends: nvidia-roc\n", 2, 10, "no policy", "'nvidia-roce'"),
    "no reason": (
        "format: 1\nfabric: x # lossless: ignore[WDG001]\n",
        *(2, 11, "WDG001 needs a reason", "# lossless: ignore[WDG001] the reason"),
    ),
    "null is no end": ("format: 1\nlinks:\n  - {a: null, b: x:y}\n", 3, 9, "nothing where", None),
    "name of a device": (
        "format: 1\nswitches:\n  'leaf01;reboot': {}\n",
        *(3, 3, "is not a device name", "use letters"),
    ),
    "template as a name": (
        "format: 1\nhosts:\n  '{{ 7*7 }}': {}\n",
        3,
        3,
        "not a device name",
        None,
    ),
    "shell in an end": (
        "format: 1\nlinks:\n  - {a: 'gpu01:e$(id)', b: x:y}\n",
        *(3, 9, "'gpu01:e$(id)' is not an end", None),
    ),
    "newline in a name": ('format: 1\nfabric: "a\\nb"\n', 2, 9, "'a\\nb' is not a name", None),
    "quote in a model": (SWITCH + "    model: 'a\"b'\n", 5, 12, "is not a model name", None),
    "backtick in a variable": (
        "format: 1\npolicy: {collectives: {NCCL_IB_HCA: '`id`'}}\n",
        *(2, 37, "'`id`' is not the value", None),
    ),
    "space in a user": (SWITCH + "    access: {user: a b}\n", 5, 20, "'a b' is not a user", None),
    "not an address": (
        SWITCH + "    access: {address: 300.1.1.1}\n",
        *(5, 23, "'300.1.1.1' is not an IP address", "192.0.2.1"),
    ),
    "address in brackets": (
        SWITCH + "    access: {address: '[2001:db8::1]'}\n",
        *(5, 23, "'[2001:db8::1]'", "IPv6 is written without brackets"),
    ),
    "escape in a description": (
        SWITCH + '    description: "\\e[2J"\n',
        *(5, 18, "'\\x1b[2J' is not a printable text", "control characters"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_each_fault_has_a_place_and_says_what_to_do(refused: Refusal, case: str) -> None:
    text, line, column, message, hint = CASES[case]
    found = [p for p in refused(text) if message in p.message]
    assert len(found) == 1, "told once"
    where = found[0].location
    assert where is not None
    assert (where.file, where.line, where.column) == ("f.yaml", line, column)
    if hint is not None:
        assert hint in (found[0].hint or "")


def test_messages_hold_no_secret(refused: Refusal) -> None:
    said = refused(
        SWITCH + "    access: {secret: hunter2, api-key: hunter2, snmp_community: hunter2}\n"
    )
    assert len(said) == 3
    assert "hunter2" not in "".join(map(str, said))


def test_messages_move_no_cursor(refused: Refusal) -> None:
    said = refused(
        'format: 1\n"\\e[2J": 1\nhosts:\n  "a\\r\\nb": {nics: {"\\a": {speed: "\\e"}}}\n'
    )
    assert len(said) == 4
    assert all(line.isprintable() for problem in said for line in str(problem).split("\n"))


def test_an_unknown_format_is_all_that_is_said(refused: Refusal) -> None:
    [only] = refused("format: 2\nfuture: {a: b}\nfuture: *x\n")
    assert str(only).startswith("f.yaml:1:9: format 2 is not known")
    assert "format: 1" in (only.hint or "")


def test_all_faults_are_told_in_order(refused: Refusal) -> None:
    said = refused(
        "format: 1\npolicy: {trust: nobody}\nhosts: {h: {nics: {e: {speed: 1}}}}\nfoo: 1\n"
        "links:\n  - {a: x, b: y}\n"
    )
    assert [(p.location.line, p.location.column) for p in said if p.location] == [
        (2, 17),
        (3, 31),
        (4, 1),
        (6, 9),
        (6, 15),
    ]


def test_what_is_shared_is_told_once_with_the_number_of_places(refused: Refusal) -> None:
    ports = "".join(
        f"  l{i}:\n    ports: {{E1: {{speed: 4}}, E2: {{speed: 4}}}}\n" for i in range(5)
    )
    [only] = refused("format: 1\nswitches:\n" + ports)
    assert (only.location and only.location.line) == 4
    assert "at 9 more places" in only.message


def test_many_faults_are_counted(refused: Refusal) -> None:
    links = "".join(f"  - {{a: 'h{i}', b: 'x:y'}}\n" for i in range(3000))
    said = refused("format: 1\nlinks:\n" + links)
    assert len(said) == 501
    assert sorted(p.message for p in said)[0] == "and 2500 more problems"
