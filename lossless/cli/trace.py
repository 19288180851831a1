"""`lossless trace`: one packet, hop by hop, and where it first goes wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from lossless.cli import EXIT_DEVICE, fabric
from lossless.cli.running import Beside, Source, beside, what_runs

if TYPE_CHECKING:
    from lossless.findings import Finding
    from lossless.intent import Built
    from lossless.model.device import Device, Port
    from lossless.model.fabric import Fabric
    from lossless.topology.routes import Route
    from lossless.trace import Trace, Traffic


@click.command()
@click.argument("path", type=click.Path(allow_dash=True))
@click.argument("source", metavar="SRC")
@click.argument("destination", metavar="DST")
@click.option("--class", "class_name", metavar="C", help="Follow class C as it is declared.")
@click.option("--dscp", type=click.IntRange(0, 63), help="Follow this DSCP.")
@click.option("--tc", type=click.IntRange(0, 255), help="Follow this traffic class (ToS byte).")
@click.option("--kind", default="rdma", show_default=True, help="Follow what SRC sends as this.")
@what_runs
@click.option("--colour", "--color", type=click.Choice(["auto", "always", "never"]), default="auto")
def command(
    path: str,
    source: str,
    destination: str,
    class_name: str | None,
    dscp: int | None,
    tc: int | None,
    kind: str,
    colour: str,
    runs_from: Source | None,
) -> int:
    """Follow traffic from SRC to DST (HOST:NIC, or HOST with one NIC) through the fabric in PATH.

    Without --class, --dscp or --tc: what SRC really stamps on its RDMA traffic.  Exits 1 when a hop
    is bad.  With --running or --live: what runs, with what is declared beside it where they differ.
    """
    from lossless.cli import trace_table
    from lossless.findings import Report
    from lossless.trace import trace

    if sum(option is not None for option in (class_name, dscp, tc)) > 1:
        raise click.UsageError("--class, --dscp and --tc exclude each other")
    built = fabric.load([path])
    start, end = _end(built.fabric, source), _end(built.fabric, destination)
    route = _route(built.fabric, start, end)
    traffic = _traffic(start, class_name, dscp, tc, kind)
    walked = trace(route.ports, traffic)
    if runs_from is None:
        return trace_table.show(walked, route, _findings(built, built.fabric, walked), colour)
    runs = beside(runs_from, built, {device.name for device, _, _ in route.ports})
    start = _end(runs.fabric, f"{start[0].name}:{start[1].name}")
    traffic = _sent(start, traffic, class_name, dscp, tc, kind)
    seen = _walk(runs, route, traffic)
    findings = runs.report(Report(_findings(built, runs.fabric, seen))).findings
    code = trace_table.show(seen, route, findings, colour, walked)
    return EXIT_DEVICE if runs.unread else code


def _sent(
    start: tuple[Device, Port],
    declared: Traffic,
    class_name: str | None,
    dscp: int | None,
    tc: int | None,
    kind: str,
) -> Traffic:
    """Return what the sender stamps as it runs; what is declared where nobody saw the sender."""
    device, port = start
    if port.name not in device.configured.ports:
        return declared
    return _traffic(start, class_name, dscp, tc, kind)


def _walk(runs: Beside, route: Route, traffic: Traffic) -> Trace:
    from lossless.trace import trace

    devices = runs.fabric.devices
    ports = [(devices[device.name], port, inward) for device, port, inward in route.ports]
    return trace(ports, traffic, declared=False)


def _end(declared: Fabric, text: str) -> tuple[Device, Port]:
    name, _, port_name = text.partition(":")
    device = declared.devices.get(name)
    if device is None:
        from difflib import get_close_matches

        close = get_close_matches(name, declared.devices, n=1)
        hint = f"; did you mean {close[0]!r}?" if close else ""
        raise click.UsageError(f"{name!r} is not a device of this fabric{hint}")
    ports = [port for port in device.ports if not port_name or port.name == port_name]
    if len(ports) == 1:
        return device, ports[0]
    known = ", ".join(port.name for port in device.ports)
    if port_name:
        raise click.UsageError(f"{name} has no port {port_name!r}; it has {known or 'none'}")
    raise click.UsageError(f"{text!r} names {len(ports)} ports; {name} has {known}")


def _route(declared: Fabric, start: tuple[Device, Port], end: tuple[Device, Port]) -> Route:
    from lossless.topology.routes import route

    if start[0] is end[0] and start[1] is end[1]:
        raise click.UsageError(f"SRC and DST are one port, {start[0].name}:{start[1].name}")
    found = route(declared, (start[0].name, start[1].name), (end[0].name, end[1].name))
    if found is None:
        names = f"{start[0].name}:{start[1].name} and {end[0].name}:{end[1].name}"
        raise click.ClickException(f"no declared way, up and then down, joins {names}")
    return found


def _traffic(
    start: tuple[Device, Port], class_name: str | None, dscp: int | None, tc: int | None, kind: str
) -> Traffic:
    from lossless.trace import traffic

    device, port = start
    try:
        if class_name is not None:
            return traffic.by_class(port, class_name)
        if dscp is not None:
            return traffic.by_dscp(port, dscp, "--dscp")
        if tc is not None:
            return traffic.by_dscp(port, tc >> 2, "--tc")
        return traffic.as_sent(device, port, kind)
    except traffic.UnknownTrafficError as error:
        raise click.UsageError(str(error)) from error


def _findings(built: Built, whole: Fabric, walked: Trace) -> tuple[Finding, ...]:
    """Ask the rules about the path alone, so that what they find is bound to its ports."""
    from lossless.cli.catalogue import all_rules
    from lossless.rules import engine

    ports: dict[str, set[str]] = {}
    for passage in walked.passages:
        ports.setdefault(passage.device.name, set()).add(passage.port.name)
    devices = {
        name: replace(
            whole.devices[name],
            ports=tuple(p for p in whole.devices[name].ports if p.name in wanted),
        )
        for name, wanted in ports.items()
    }
    links = [
        replace(link, a_device=devices[link.a_device.name], b_device=devices[link.b_device.name])
        for link in whole.links
        if link.a.name in ports.get(link.a_device.name, ())
        and link.b.name in ports.get(link.b_device.name, ())
    ]
    part = replace(whole, devices=devices, externals={}, links=links, remarks=())
    report = engine.lint(part, all_rules(), built.provenance, built.suppressions)
    about_ports = (f for f in report.findings if f.suppressed is None and ":" in "".join(f.objects))
    return tuple(about_ports)
