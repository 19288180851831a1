"""How a session with Cumulus Linux goes: a POSIX host, whose commands give exit statuses.

What needs root is asked through `sudo -n`, which fails instead of waiting for a password.
"""

from __future__ import annotations

from typing import Final

from lossless.devices import Session

SESSION: Final = Session(privileged="sudo -n")
