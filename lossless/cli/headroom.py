"""`lossless headroom`: the arithmetic of PFC headroom, step by step."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from lossless.cli import output

if TYPE_CHECKING:
    from lossless.formulas.steps import Worked


def _scalar(read: str) -> Callable[[click.Context, click.Parameter, str | None], Any]:
    """Return a callback that reads an option as inventories are read."""

    def convert(_ctx: click.Context, _param: click.Parameter, text: str | None) -> Any:
        if text is None:
            return None
        from lossless.inventory import scalars

        try:
            return getattr(scalars, read)(text)
        except scalars.ScalarError as error:
            raise click.BadParameter(
                f"{error}; {error.hint}" if error.hint else str(error)
            ) from None

    return convert


@click.command()
@click.option("--speed", required=True, callback=_scalar("rate"), help="Link rate, such as 400G.")
@click.option(
    "--cable", required=True, callback=_scalar("length"), help="Length of the cable, such as 40m."
)
@click.option("--model", help="Switch model: the law and the cell of its chip are used.")
@click.option(
    "--mtu",
    type=click.IntRange(68, 16_000),
    default=9216,
    show_default=True,
    help="Longest frame of any class, in bytes.",
)
@click.option(
    "--lossless-mtu",
    type=click.IntRange(68, 16_000),
    default=4200,
    show_default=True,
    help="Longest frame of the lossless class, in bytes.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text")
@click.option("-o", "--output", "target", metavar="FILE", help="Write to FILE instead.")
def command(
    speed: int,
    cable: int,
    model: str | None,
    mtu: int,
    lossless_mtu: int,
    form: str,
    target: str | None,
) -> None:
    """Show what a lossless group must still take after it asked for a pause.

    Each figure says how far it can be trusted: physics is a floor, a law whose inputs were assumed
    is an estimate, and what a driver computes from the same inputs is exact.
    """
    found = list(_laws(speed, cable, model, mtu, lossless_mtu))
    text = _json(found) if form == "json" else _text(found)
    output.write(text, target)


def _laws(
    speed: int, cable: int, model: str | None, mtu: int, lossless_mtu: int
) -> Iterator[tuple[str, Worked]]:
    from lossless.formulas import headroom

    yield "floor of physics", headroom.floor(speed, cable, lossless_mtu, lossless_mtu)
    whole = headroom.with_response(speed, cable, lossless_mtu, mtu)
    if whole is not None:
        yield "with the response of IEEE 802.3", whole
    if model is not None:
        yield from _of_chip(model, speed, cable, mtu)
    yield "mlx5 NIC, reserved after xoff", headroom.mlx5(speed, cable, mtu)


def _of_chip(model: str, speed: int, cable: int, mtu: int) -> Iterator[tuple[str, Worked]]:
    from dataclasses import replace

    from lossless.formulas import headroom
    from lossless.formulas.steps import Trust
    from lossless.hardware import asics

    known = asics.find_model(model)
    chip = asics.asic(known.asic) if known else None
    if known is None or chip is None or chip.cell is None:
        told = (
            "is not a switch model of the data" if known is None else "has a chip of unknown cell"
        )
        raise click.BadParameter(f"{model!r} {told}", param_hint="--model")
    where = f"{chip.name} ({known.name}), cell {chip.cell} B"
    if chip.vendor == "NVIDIA":
        given = headroom.Nvidia(
            cell=chip.cell, port_mtu=mtu, tile=chip.name in ("Spectrum-4", "Spectrum-5")
        )
        try:
            worked = headroom.nvidia(given, speed, cable)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--speed") from None
        remark = "SONiC's running defaults for traffic: 1024-byte frames, half of packets small"
        yield where, replace(worked, trust=Trust.ESTIMATE, remark=remark)
    elif chip.vendor == "Broadcom" and chip.name.startswith(("Trident", "Tomahawk")):
        yield where, headroom.broadcom_xgs(headroom.Xgs(cell=chip.cell), speed, cable)
    else:
        click.echo(f"{where}: no law is known for this chip; physics alone is shown", err=True)


def _text(found: list[tuple[str, Worked]]) -> str:
    from lossless.formulas.steps import shown

    lines: list[str] = []
    for title, worked in found:
        lines.append(f"{title}: {worked.result:,} B ({worked.trust.value})")
        for step in worked.steps:
            value = f"{shown(step.value)} {step.unit}".rstrip()
            lines.append(f"  {step.name:16} {value:>16}  {step.how}".rstrip())
        sources = dict.fromkeys(step.source for step in worked.steps if step.source)
        lines += [f"  source: {source}" for source in sources]
        lines += [f"  {worked.remark}"] if worked.remark else []
        lines.append("")
    return "\n".join(lines[:-1]) + "\n"


def _json(found: list[tuple[str, Worked]]) -> str:
    rows = [
        {
            "law": title,
            "bytes": worked.result,
            "trust": worked.trust.value,
            "remark": worked.remark,
            "steps": [
                {
                    "name": step.name,
                    "value": float(step.value),
                    "unit": step.unit,
                    "how": step.how,
                    "source": step.source,
                }
                for step in worked.steps
            ],
        }
        for title, worked in found
    ]
    return json.dumps({"schema": 1, "headroom": rows}, indent=2) + "\n"
