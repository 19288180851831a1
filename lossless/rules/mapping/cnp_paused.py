"""MAP007."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value, value
from lossless.rules.chain import BY_DSCP, arrives_at
from lossless.rules.classes import class_named, names_on
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.pausing import EVERY_PRIORITY, paused
from lossless.rules.views import PathView
from lossless.rules.way import Step, steps


@rule(
    "MAP007",
    name="cnp-paused",
    severity=Severity.ERROR,
    scope=Scope.PATH,
    needs=("classification", "intent", "pfc"),
    sources=(
        "Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015",
        "NVIDIA Cumulus Linux documentation, RoCE (CNPs in a strict queue without PFC)",
    ),
)
def check(path: PathView) -> Iterator[Answer]:
    """Congestion notices land in a priority that PFC pauses."""
    if path.kind != "cnp" or not path.cls.dscp:
        yield NotApplicable("not the path of congestion notices marked by DSCP")
        return
    for dscp in sorted(path.cls.dscp):
        for step in steps(path, dscp):
            yield from _at(path, step)


def _at(path: PathView, step: Step) -> Iterator[Answer]:
    here = step.port
    if here.classification.trust not in BY_DSCP:
        return
    lands, stopped = value(arrives_at(here.classification, step.dscp)), paused(here.pfc)
    if lands is None or stopped is None:
        yield Missing(
            (f"classes.{path.name}.dscp" if lands is None else "pfc.priorities",), at=here
        )
        return
    if lands not in stopped or stopped == EVERY_PRIORITY:
        return
    beside = names_on(here, lands)
    own = class_named(here, path.name)
    meant = is_value(own) and lands in own.priorities  # then it is the pause that is wrong
    fields = ("pfc.priorities", f"classes.{path.name}.dscp")
    yield Fault(
        message=f"congestion notices (DSCP {step.dscp}) land in priority {lands} on {{here}}, "
        "which PFC pauses" + (f" (class {beside})" if beside else ""),
        field=fields[0] if meant else fields[1],
        or_fields=("pfc", fields[1]) if meant else (f"classes.{path.name}", fields[0]),
        expected=sorted(stopped - {lands}) if meant else sorted(path.cls.priorities),
        actual=sorted(stopped) if meant else lands,
        at=here,
    )
