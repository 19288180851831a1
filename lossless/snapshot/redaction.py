"""Taking secrets out of what devices showed, before it is kept, shown or compared.

A platform tells where its words carry secrets; beside that, whatever looks like one in any text
is taken out: private keys, password hashes, credentials in addresses, tokens of known services.
The shape of a text stays: lines keep their number and all words but the secret one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

#: What stands in the place of a secret.
PLACEHOLDER: Final = "<redacted>"


@dataclass(frozen=True, slots=True)
class Confidential:
    """Where a secret stands.

    Every group that captures in the regular expression `pattern` (multi-line, "^" is the start of
    a line) holds one.  With `within` it is looked for only inside the matches of that expression,
    and its placeholders are numbered, since there a secret is the name of something.
    """

    pattern: str
    source: str
    within: str | None = None


#: A word, or words between quotes; a quote that is never closed ends with its line.
VALUE: Final = r"(\"(?:[^\"\\\n]|\\.)*\"?|'[^'\n]*'?|[^\s\"';,]\S*)"
#: The rest of a line.
REST: Final = r"(\S[^\n]*)"

_NAMES: Final = (
    r"(?:[A-Za-z0-9_.-]*[_.-])?(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|"
    r"API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH_?KEY|SIGNING_?KEY|ENCRYPTION_?KEY)"
    r"(?:[_.-][A-Za-z0-9_.-]*)?"
)

#: What is a secret in whoever's words.
GENERAL: Final = (
    Confidential(
        r"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----"
        r"((?:(?!-----END )[\s\S])*)",
        "RFC 7468 §10, RFC 4880 §6.2; a key that is cut off ends with the text",
    ),
    Confidential(
        r"(?<![\w$])(\$(?:1|2[abxy]?|5|6|7|y|gy|sha1|argon2(?:id|i|d)|nvsec|8|9|14)\$[^\s\"',;<>]+)",
        "crypt(5) prefixes; type 8, 9 and 14 hashes of network systems; NVUE's $nvsec$",
    ),
    Confidential(
        r"://[^\s/@:\"']*:(?!\d+\Z)([^\s/@\"']+)(?:@|\Z)", "RFC 3986 §3.2.1: user information"
    ),
    Confidential(
        rf"(?i)(?<![\w.-]){_NAMES}[ \t]*=[ \t]*{REST}",
        "environment files of services: variables that are named after what they hold",
    ),
    Confidential(
        rf"(?i)[\"']?\b{_NAMES}[\"']?[ \t]*:[ \t]*\"((?:[^\"\\\n]|\\.)+)",
        "JSON and YAML of services: keys that are named after what they hold",
    ),
    Confidential(
        r"(?i)\bauthorization[\"']?[ \t]*[:=][ \t]*[\"']?(?:(?:bearer|basic|token)[ \t]+)?"
        r"([^\s\"']+)",
        "RFC 9110 §11.6.2, RFC 6750 §2.1",
    ),
    Confidential(r"\b(eyJ[A-Za-z0-9_.-]{6,})", "RFC 7519: a token is the Base64 of JSON"),
    Confidential(
        r"\b((?:AKIA|ASIA)[A-Z0-9]{16}|gh[opsur]_[A-Za-z0-9]{30,}|github_pat_\w{30,}|glpat-[\w-]{16,}"
        r"|hf_[A-Za-z0-9]{20,}|xox[abprs]-[A-Za-z0-9-]{10,}|nvapi-[\w-]{20,}|sk-[A-Za-z0-9_-]{20,})",
        "token prefixes that services document, so that scanners find them",
    ),
)


def redact(text: str, secrets: Iterable[Confidential] = ()) -> str:
    """Return a text without its secrets; what is redacted already stays as it is."""
    for secret in (*secrets, *GENERAL):
        if secret.within is None:
            text = _compiled(secret.pattern).sub(_without, text)
        else:
            text = _compiled(secret.within).sub(_Inside(secret.pattern), text)
    return text


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.MULTILINE)


def _without(match: re.Match[str], word: str = PLACEHOLDER) -> str:
    """Return a match with its groups replaced; each line of a group on its own."""
    whole, start = match[0], match.start()
    made, done = "", 0
    for number in range(1, (match.re.groups or 0) + 1):
        begin, end = match.start(number) - start, match.end(number) - start
        if match.start(number) < 0 or begin < done:
            continue
        held = whole[begin:end]
        new = held if held.startswith("<redacted") else _lines(held, word)
        made += whole[done:begin] + new
        done = end
    return made + whole[done:]


def _lines(held: str, word: str) -> str:
    return re.sub(r"[^\s][^\n]*", word, held)


class _Inside:
    """Replaces secrets within a part of a text, each by a placeholder of its own."""

    def __init__(self, pattern: str) -> None:
        self._pattern = _compiled(pattern)

    def __call__(self, part: re.Match[str]) -> str:
        count = 0

        def numbered(match: re.Match[str]) -> str:
            nonlocal count
            count += 1
            return _without(match, f"<redacted {count}>")

        return self._pattern.sub(numbered, part[0])
