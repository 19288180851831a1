"""How a session with NX-OS goes: its command line, and the lines that refuse a command.

A login has the rights of its role, so that there is no privileged mode to enter.
"""

from __future__ import annotations

from typing import Final

from lossless.devices import Session

#: NX-OS Fundamentals Configuration Guide, "Understanding the Command-Line Interface" and
#: "Configuring User Accounts and RBAC"; the wording of AAA from its Security guide.
SESSION: Final = Session(
    cli="cisco_nxos",
    errors=(
        r"^% ?Invalid (?:command|number|parameter|input)",
        r"^% ?Incomplete command",
        r"^% ?Ambiguous command",
        r"^% ?Permission denied for the role",
        r"^(?:% ?|Error: )AAA authorization",
        r"^ERROR: ",
        r"^(?:Syntax error|Cmd exec error)\b",
    ),
)
