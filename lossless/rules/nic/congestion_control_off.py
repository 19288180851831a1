"""NIC003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF, Field, is_value
from lossless.rules.classes import carries, class_named, is_nic, sent_class
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "NIC003",
    name="congestion-control-off",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("congestion", "intent", "place"),
    sources=(
        "Y. Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015",
        "NVIDIA DOCA 3.4, DCQCN CC parameters",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """The fabric runs DCQCN, and a NIC does not, or not on the priority of its RDMA."""
    if not (is_nic(port) and carries(port)) or port.intent.congestion_control != "dcqcn":
        yield NotApplicable("not a NIC of a fabric that runs DCQCN")
        return
    control = port.congestion
    if control.algorithm is OFF or (is_value(control.algorithm) and control.algorithm != "dcqcn"):
        yield Fault(
            message="{here} does not run DCQCN, which the fabric's congestion control is",
            field="congestion_control",
            expected="dcqcn",
            actual="none" if control.algorithm is OFF else control.algorithm,
            fix="dcqcn",
            fix_safe=False,
        )
        return
    for part, told in (
        ("answers marks", control.notification_point),
        ("slows down", control.reaction_point),
    ):
        yield from _part(port, part, told)


def _part(port: PortView, part: str, told: Field[frozenset[int]]) -> Iterator[Answer]:
    name = sent_class(port, "rdma")
    cls = None if name is None else class_named(port, name)
    if not is_value(cls) or not cls.priorities:
        return
    if told is None:
        yield Missing(("congestion_control",))
        return
    on = told if is_value(told) else frozenset[int]()
    missed = sorted(cls.priorities - on)
    if missed:
        yield Fault(
            message=f"{{here}} never {part} on priority {missed[0]}, which carries its RDMA "
            f"(class {name})",
            field="congestion_control",
            expected=sorted(on | cls.priorities),
            actual=sorted(on),
        )
