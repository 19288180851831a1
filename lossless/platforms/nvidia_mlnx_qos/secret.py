"""Where the tools of NICs show secrets: nowhere of their own, a kernel's key beside a link."""

from __future__ import annotations

from typing import Final

from lossless.snapshot.redaction import Confidential

SECRETS: Final = (
    Confidential(
        r"\bmacsec\b.*?\bkey[ \t]+\S+[ \t]+([0-9a-fA-F]{16,})", "ip-macsec(8): key ID KEY"
    ),
)
