"""Where environment files hold secrets: variables beside those of the collective libraries."""

from __future__ import annotations

from typing import Final

from lossless.snapshot.redaction import REST, Confidential

_NAME: Final = (
    r"[A-Z0-9_]*(?:TOKEN|SECRET|PASSW(?:OR)?D|PASSPHRASE|CREDENTIAL|API_?KEY|_KEY|_PASS|_AUTH)"
    r"[A-Z0-9_]*"
)

SECRETS: Final = (
    Confidential(
        rf"(?i)^[# \t]*(?:export[ \t]+)?{_NAME}[ \t]*=[ \t]*{REST}",
        "environment(7), pam_env.conf(5): any program's variables stand in the same file",
    ),
    Confidential(
        rf"(?i)^[# \t]*{_NAME}[ \t]+(?:DEFAULT|OVERRIDE)=[ \t]*{REST}",
        "pam_env.conf(5): VARIABLE DEFAULT=value",
    ),
)
