"""Comments that suppress findings, and what only looks like one."""

from __future__ import annotations

from tests.inventory.conftest import Reader, Refusal


def test_comments_cover_their_line_or_the_next(declared: Reader) -> None:
    declaration = declared(
        "format: 1  # lossless: ignore[INV001] first\n"
        "# lossless: ignore[PFC002, RATE001] several rules: one reason\n"
        "\n"
        "# another comment\n"
        "fabric: x\n"
        "policy:\n"
        "  trust: dscp   #lossless:ignore[CC001]: as on the old fabric\n"
    )
    found = declaration.sources.inline_ignores()
    assert [(i.rules, i.reason, i.location.line, i.location.column, i.covers) for i in found] == [
        (("INV001",), "first", 1, 12, 1),
        (("PFC002", "RATE001"), "several rules: one reason", 2, 1, 5),
        (("CC001",), "as on the old fabric", 7, 17, 7),
    ]


def test_texts_are_no_comments(declared: Reader) -> None:
    declaration = declared(
        "format: 1\n"
        'description: "not # lossless: ignore[PFC001] this"\n'
        "hosts:\n"
        "  h1:\n"
        "    description: 'nor # lossless: ignore[PFC001] that'\n"
        "  h2:\n"
        "    description: glued#lossless: ignore[PFC001] on\n".replace(": ignore", "-ignore")
        + "  h3: {}  # lossless: ignore[PFC003] but this\n"
        "switches:\n"
        "  s1:\n"
        '    description: "ünïcode" # lossless: ignore[PFC004] and this\n'
    )
    found = declaration.sources.inline_ignores()
    assert [(i.rules[0], i.location.line, i.location.column) for i in found] == [
        ("PFC003", 8, 11),
        ("PFC004", 11, 28),
    ]


def test_a_block_text_is_no_comment(refused: Refusal) -> None:
    """The only fault is the line break in the description: no suppression is read in it."""
    said = refused(
        "format: 1\nhosts:\n  h1:\n    description: |\n      # lossless: ignore[PFC001]\n      x\n"
    )
    assert len(said) == 1
    assert "description" in said[0].message


def test_what_cannot_be_read_is_told(refused: Refusal) -> None:
    said = refused(
        "format: 1 # lossless: ignore PFC001 no brackets\n"
        "fabric: x # lossless: ignore[pfc-mismatch] no id\n"
        "hosts: {} # lossless: ignore[PFC001]   \n"
        "links: [] # lossless: ignore[] nothing\n"
    )
    assert [p.location.line for p in said if p.location] == [1, 2, 3, 4]
    assert "names no rule" in said[0].message
    assert "'pfc-mismatch'" in said[1].message
    assert "needs a reason" in said[2].message
    assert "''" in said[3].message


def test_talk_about_the_tool_is_no_suppression(declared: Reader) -> None:
    declaration = declared("# lossless: see the manual\nformat: 1 # lossless ignores this\n")
    assert declaration.sources.inline_ignores() == ()
