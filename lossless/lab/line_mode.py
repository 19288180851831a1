"""What command lines of switches have in common: shortened words, pages, and pipes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


class AmbiguousError(Exception):
    """A shortened word may be several; the argument is the word."""


def full(word: str, known: Iterable[str]) -> str | None:
    """Return the word that is meant by its beginning; `None`: there is none.

    Raises `AmbiguousError` where there are several.  A word that is written out is itself,
    whatever else begins with it.
    """
    fits = [each for each in dict.fromkeys(known) if each.startswith(word)]
    if word in fits:
        return word
    if len(fits) > 1:
        raise AmbiguousError(word)
    return fits[0] if fits else None


def spell_out(typed: str, forms: Sequence[str]) -> str | None:
    """Return the form that a shortened command means ("sh run" → "show running-config").

    In a form, `<name>` stands for any one word, kept as typed, and a last `<...>` for all the
    rest.  Returns `None` where no form fits.  Raises `AmbiguousError` where several do and none is
    written out.
    """
    words = typed.split()
    fits = [told for form in forms if (told := _fit(words, form.split())) is not None]
    exact = [told for told in fits if told == words]
    different = list(dict.fromkeys(" ".join(told) for told in exact or fits))
    if len(different) > 1:
        raise AmbiguousError(typed)
    return different[0] if different else None


def _fit(words: Sequence[str], form: Sequence[str]) -> list[str] | None:
    rest = bool(form) and form[-1] == "<...>"
    if (len(words) < len(form)) if rest else (len(words) != len(form)):
        return None
    told = []
    for number, word in enumerate(words):
        wanted = form[min(number, len(form) - 1)]
        if not wanted.startswith("<") and not wanted.startswith(word):
            return None
        told.append(word if wanted.startswith("<") else wanted)
    return told


def pages(text: str, length: int) -> list[str]:
    """Cut a text into pages of `length` lines; 0: one page.  The pages together are the text."""
    lines = text.splitlines(keepends=True)
    if not length or len(lines) <= length:
        return [text]
    return ["".join(lines[at : at + length]) for at in range(0, len(lines), length)]


def include(text: str, pattern: str, *, keep: bool = True) -> str:
    """Return the lines that a regular expression matches (or, not to `keep`, the others).

    Raises `re.error` for an expression that is none.
    """
    wanted = re.compile(pattern, re.I)
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if bool(wanted.search(line)) is keep)
