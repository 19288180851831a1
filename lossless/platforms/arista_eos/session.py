"""How a session with EOS goes: its command line, and the lines by which it refuses a command."""

from __future__ import annotations

from typing import Final

from lossless.devices import Session

#: EOS User Manual, "Command-Line Interface": messages of the parser begin with "% ".
SESSION: Final = Session(
    cli="arista_eos",
    errors=(
        r"^% ?Invalid input",
        r"^% ?Incomplete command",
        r"^% ?Ambiguous command",
        r"^% ?Unrecognized command",
        r"^% ?Authorization denied",
        r"^% ?This is an unconverted command",
        r"^% ?Unavailable command",
    ),
    enable=True,
)
