"""MAP001."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF, is_value
from lossless.rules.chain import BY_DSCP, arrives_at
from lossless.rules.classes import class_named, names_on
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PathView
from lossless.rules.way import Step, steps


@rule(
    "MAP001",
    name="dscp-lands-elsewhere",
    severity=Severity.ERROR,
    scope=Scope.PATH,
    needs=("classification", "intent"),
    sources=(
        "RFC 2474 (the DSCP is the only mark that survives a routed hop)",
        "C. Guo et al., RDMA over Commodity Ethernet at Scale, SIGCOMM 2016 (DSCP-based PFC)",
    ),
)
def check(path: PathView) -> Iterator[Answer]:
    """A hop gives a DSCP that the sender marks another priority than its class has there."""
    if not path.cls.dscp:
        yield NotApplicable(f"class {path.name} is not marked by DSCP")
        return
    for dscp in sorted(path.cls.dscp):
        for step in steps(path, dscp):
            if step.rewriter is not None:
                break  # a changed mark is a question of its own
            yield from _at(path, step)


def _at(path: PathView, step: Step) -> Iterator[Answer]:
    here = step.port
    cls = class_named(here, path.name)
    if not is_value(cls) or not cls.priorities:
        return  # the class is absent here, which is asked elsewhere
    trust = here.classification.trust
    if trust is None:
        yield Missing(("trust",), at=here)
        return
    if trust not in BY_DSCP:
        return  # so is a port that does not look at the DSCP
    lands = arrives_at(here.classification, step.dscp)
    if lands is None:
        yield Missing((f"classes.{path.name}.dscp",), at=here)
    elif lands not in cls.priorities:
        yield _fault(path, step, cls.lossless is OFF, sorted(cls.priorities), lands)


def _fault(path: PathView, step: Step, lossy: bool, wanted: list[int], lands: object) -> Fault:
    number = lands if is_value(lands) and isinstance(lands, int) else None
    where = "no priority" if number is None else f"priority {number}"
    whose = names_on(step.port, number) if number is not None else ""
    owner = f" (class {whose})" if whose else ""
    return Fault(
        message=f"DSCP {step.dscp}, which senders of class {path.name} mark, lands in {where}"
        f"{owner} on {{here}} and not in {' or '.join(map(str, wanted))}",
        field=f"classes.{path.name}.dscp",
        or_fields=(f"classes.{path.name}.priority", f"classes.{path.name}"),
        expected=wanted[0] if len(wanted) == 1 else wanted,
        actual=number,
        at=step.port,
        peer=step.before,
        severity=Severity.WARNING if lossy else None,
    )
