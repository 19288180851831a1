"""MAP008."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value, value
from lossless.rules.chain import BY_DSCP, arrives_at
from lossless.rules.classes import class_named
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PathView
from lossless.rules.way import Step, steps


@rule(
    "MAP008",
    name="dscp-rewritten-on-path",
    severity=Severity.ERROR,
    scope=Scope.PATH,
    needs=("classification", "intent"),
    sources=(
        "RFC 2474",
        "NVIDIA Cumulus Linux documentation, Quality of Service: remarking",
    ),
)
def check(path: PathView) -> Iterator[Answer]:
    """A switch writes another DSCP, and a later hop no longer recognises the class."""
    if not path.cls.dscp:
        yield NotApplicable(f"class {path.name} is not marked by DSCP")
        return
    for dscp in sorted(path.cls.dscp):
        for step in steps(path, dscp):
            if step.rewriter is not None and _lost(path, step):
                yield _fault(path, dscp, step)
                break


def _lost(path: PathView, step: Step) -> bool:
    cls, here = class_named(step.port, path.name), step.port.classification
    if not is_value(cls) or not cls.priorities or here.trust not in BY_DSCP:
        return False
    lands = value(arrives_at(here, step.dscp))
    return lands is not None and lands not in cls.priorities


def _fault(path: PathView, dscp: int, step: Step) -> Fault:
    return Fault(
        message=f"{{here}} turns DSCP {dscp} of class {path.name} into {step.dscp}, which "
        "{there} takes for another class",
        field=f"rewrite.dscp.{path.name}",
        or_fields=("rewrite.dscp", "rewrite"),
        expected=dscp,
        actual=step.dscp,
        at=step.rewriter,
        peer=step.port,
        peer_field=f"classes.{path.name}.dscp",
        fix=dscp,
        fix_safe=False,
    )
