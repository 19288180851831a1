"""NIC002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.rules.classes import carries, class_named, classes, is_nic, sent_class
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "NIC002",
    name="cnp-dscp-outside-class",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("congestion", "intent", "place"),
    sources=(
        "mstflint parameter dictionary, CNP_DSCP",
        "nic-configuration-operator README (CNP DSCP 4 beside a switch that expects 48)",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A NIC marks its congestion notices with a DSCP that their class does not have."""
    name = sent_class(port, "cnp")
    cls = None if name is None else class_named(port, name)
    if not (is_nic(port) and carries(port)) or not is_value(cls) or not cls.dscp:
        yield NotApplicable("not a NIC whose congestion notices have a class marked by DSCP")
        return
    told = port.congestion.cnp_dscp
    if not is_value(told):
        yield Missing(("marking.cnp_dscp",))
    elif told not in cls.dscp | cls.accepts:
        owner = next((n for n, c in classes(port) if told in c.dscp | c.accepts), None)
        lands = f" and so for class {owner}" if owner else ""
        wanted = min(cls.dscp)
        yield Fault(
            message=f"{{here}} marks congestion notices with DSCP {told}{lands}; class {name} is "
            f"DSCP {', '.join(map(str, sorted(cls.dscp)))}",
            field="marking.cnp_dscp",
            or_fields=(f"classes.{name}.dscp", "marking"),
            expected=wanted,
            actual=told,
            fix=wanted,
        )
