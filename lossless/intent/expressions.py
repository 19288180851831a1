"""Text with numbers computed in it: `leaf{l:02}:Ethernet{33+(s-1)*2+k}/1`.

An expression holds integers, the variables of a `for`, `+ - * // %` and brackets, and nothing
else: an inventory can never name code to run.  Numbers stay below `LARGEST`, so that no expression
can be made to compute for long.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

#: No value on the way to a result may be larger.
LARGEST = 10**9
#: The most characters that one expression may have, and the most digits to pad to.
LONGEST = 120
WIDEST = 12

Environment: TypeAlias = Mapping[str, int]
_Evaluate: TypeAlias = Callable[[Environment], int]

_TOKEN = re.compile(r"\s*(?:([0-9]+)|([A-Za-z_][A-Za-z0-9_]*)|(//|[-+*%()])|(\S))")
_PLACE = re.compile(r"\{([^{}]*)\}")
_WIDTH = re.compile(r"0?([0-9]{1,3})\Z")


class ExpressionError(ValueError):
    """An expression that cannot be read or computed; the message says why."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A computed number: which variables it needs, and how to compute it."""

    text: str
    names: tuple[str, ...]
    width: int
    evaluate: _Evaluate

    def __call__(self, environment: Environment) -> str:
        """Return the number as text, padded with zeros; raises `ExpressionError`."""
        value = self.evaluate(environment)
        if value < 0:
            raise ExpressionError(f"{{{self.text}}} gives {value}, and no name holds a minus sign")
        return f"{value:0{self.width}d}" if self.width else str(value)


@dataclass(frozen=True, slots=True)
class Template:
    """Text and expressions in turn.  `names` are the variables needed, in order of appearance."""

    parts: tuple[str | Expression, ...]
    names: tuple[str, ...]

    def __call__(self, environment: Environment) -> str:
        """Return the text for one set of values; raises `ExpressionError`."""
        return "".join(p if isinstance(p, str) else p(environment) for p in self.parts)


def parse_template(text: str, known: Sequence[str]) -> Template:
    """Read a text with `{expr}` or `{expr:02}` in it.

    Raises `ExpressionError` for unbalanced braces, variables not in `known`, and anything that is
    not arithmetic.
    """
    pieces = _PLACE.split(text)
    parts: list[str | Expression] = []
    for place, piece in enumerate(pieces):
        if place % 2:
            parts.append(_expression(piece, known))
        elif "{" in piece or "}" in piece:
            raise ExpressionError(f"a brace in {text!r} has no partner")
        elif piece:
            parts.append(piece)
    names = [n for p in parts if isinstance(p, Expression) for n in p.names]
    return Template(tuple(parts), tuple(dict.fromkeys(names)))


def _expression(text: str, known: Sequence[str]) -> Expression:
    body, colon, form = text.partition(":")
    width = 0
    if colon:
        match = _WIDTH.match(form.strip())
        width = int(match.group(1)) if match else WIDEST + 1
        if width > WIDEST:
            raise ExpressionError(f"{form!r} in {{{text}}} is not a width such as 02")
    if len(body) > LONGEST:
        raise ExpressionError(f"an expression is longer than {LONGEST} characters")
    parser = _Parser(body, known)
    return Expression(text, tuple(dict.fromkeys(parser.names)), width, parser.whole())


class _Parser:
    """Recursive descent over `sum := product (('+'|'-') product)*`, and so on."""

    def __init__(self, text: str, known: Sequence[str]) -> None:
        self._text = text
        self._known = known
        self._place = 0
        self._tokens = self._tokenise(text)
        self.names = [token for token in self._tokens if token[0].isalpha() or token[0] == "_"]

    def _tokenise(self, text: str) -> list[str]:
        tokens: list[str] = []
        for number, name, sign, other in _TOKEN.findall(text):
            if other:
                raise ExpressionError(
                    f"{other!r} in {{{text}}} is neither a number nor one of + - * // % ( )"
                )
            if name and name not in self._known:
                known = ", ".join(self._known) or "none"
                raise ExpressionError(
                    f"{name!r} in {{{text}}} is not a variable of the for ({known})"
                )
            if number and len(number) > len(str(LARGEST)):
                raise ExpressionError(f"{number[:20]}... in an expression is too large")
            tokens.append(number or name or sign)
        return tokens

    def whole(self) -> _Evaluate:
        result = self._sum()
        if self._place != len(self._tokens):
            raise ExpressionError(f"{{{self._text}}} does not end where it should")
        return result

    def _next(self, *wanted: str) -> str | None:
        if self._place < len(self._tokens) and self._tokens[self._place] in wanted:
            self._place += 1
            return self._tokens[self._place - 1]
        return None

    def _sum(self) -> _Evaluate:
        left = self._product()
        while sign := self._next("+", "-"):
            left = _combine(sign, left, self._product(), self._text)
        return left

    def _product(self) -> _Evaluate:
        left = self._atom()
        while sign := self._next("*", "//", "%"):
            left = _combine(sign, left, self._atom(), self._text)
        return left

    def _atom(self) -> _Evaluate:
        if self._next("-"):
            inner = self._atom()
            return lambda env: -inner(env)
        if self._next("("):
            inner = self._sum()
            if not self._next(")"):
                raise ExpressionError(f"a bracket in {{{self._text}}} is not closed")
            return inner
        if self._place == len(self._tokens):
            raise ExpressionError(f"{{{self._text}}} ends too early")
        token = self._tokens[self._place]
        self._place += 1
        if token.isdigit():
            number = int(token)
            return lambda env: number
        if token in self.names:
            return lambda env: env[token]
        raise ExpressionError(f"{token!r} in {{{self._text}}} stands where a number should")


def _combine(sign: str, left: _Evaluate, right: _Evaluate, text: str) -> _Evaluate:
    operation = _OPERATIONS[sign]

    def evaluate(environment: Environment) -> int:
        try:
            value = operation(left(environment), right(environment))
        except ZeroDivisionError:
            raise ExpressionError(f"{{{text}}} divides by zero") from None
        if not -LARGEST <= value <= LARGEST:
            raise ExpressionError(f"{{{text}}} gives a number beyond {LARGEST}")
        return value

    return evaluate


_OPERATIONS: Mapping[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}
