"""Keys that ask for a secret.  An inventory holds none."""

from __future__ import annotations

import re
from typing import Final

NO_SECRETS: Final = (
    "remove it: an inventory holds no secrets; credentials are given when devices are contacted, "
    "by the environment, a prompt, a keyring or an external command"
)
_SECRET: Final = re.compile(
    r"(?:.*[_.-])?(?:pass|password|passwd|passphrase|secret|secrets|token|community|api_?key"
    r"|private_?key|ssh_?key|credentials?)",
    re.IGNORECASE,
)


def looks_secret(key: str) -> bool:
    """Say whether a key asks for something that does not belong into a file."""
    return _SECRET.fullmatch(key) is not None
