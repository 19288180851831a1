"""A terminal's picture as SVG, without fonts or scripts from elsewhere."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#f2cc60", "34": "#79c0ff", "36": "#76e3ea"}
_TEXT, _GROUND = "#e6edf3", "#0d1117"
_WIDTH, _HEIGHT, _MARGIN = 8.0, 18, 16


def svg(text: str, title: str) -> str:
    """Return coloured terminal text as an SVG document."""
    lines = text.rstrip("\n").split("\n")
    columns = max(len(_SGR.sub("", line)) for line in lines)
    width = columns * _WIDTH + 2 * _MARGIN
    height = len(lines) * _HEIGHT + 2 * _MARGIN
    rows = (_row(line, number) for number, line in enumerate(lines))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" role="img" aria-label="{escape(title)}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="{_GROUND}"/>\n'
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" '
        f'font-size="13" fill="{_TEXT}">\n' + "".join(rows) + "</g>\n</svg>\n"
    )


def _row(line: str, number: int) -> str:
    y = _MARGIN + (number + 0.75) * _HEIGHT
    spans, column, style = [], 0, ""
    for position, part in enumerate(_SGR.split(line)):
        if position % 2:
            style = _style(part)
        elif part:
            x = _MARGIN + column * _WIDTH
            length = len(part) * _WIDTH
            spans.append(
                f'<tspan x="{x:g}" textLength="{length:g}" xml:space="preserve"{style}>'
                f"{escape(part)}</tspan>"
            )
            column += len(part)
    return f'<text y="{y:g}">{"".join(spans)}</text>\n' if spans else ""


def _style(codes: str) -> str:
    parts = codes.split(";")
    colour = next((_COLOURS[c] for c in parts if c in _COLOURS), None)
    bold = ' font-weight="bold"' if "1" in parts else ""
    return (f' fill="{colour}"' if colour else "") + bold
