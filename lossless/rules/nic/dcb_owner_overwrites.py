"""NIC005."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.pfc import DcbOwner
from lossless.model.values import is_value, value
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView

#: Owners that apply an idea of their own over what is configured.
_ELSEWHERE = {
    DcbOwner.LLDPAD: "lldpad re-applies its own",
    DcbOwner.OPERATOR: "the cluster's operator re-applies its own",
    DcbOwner.FIRMWARE: "the firmware learns them from its peer",
}


@rule(
    "NIC005",
    name="dcb-owner-overwrites",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("dcb", "intent", "place"),
    sources=(
        "mlnx-tools mlnx_qos (its warning about lldpad)",
        "Azure Local support guide: two LLDP agents on one port",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """Somebody else than the declared configuration sets a NIC's DCB."""
    if not (is_nic(port) and carries(port) and lossless_classes(port)):
        yield NotApplicable("not a NIC that a lossless class crosses")
        return
    owner = value(port.dcb.owner)
    agents = port.dcb.agents if is_value(port.dcb.agents) else frozenset[str]()
    if len(agents) > 1:
        yield Fault(
            message=f"{len(agents)} agents ({', '.join(sorted(agents))}) set DCB on {{here}} and "
            "overwrite each other",
            field="dcb_owner",
            expected=1,
            actual=sorted(agents),
        )
    elif owner in (DcbOwner.STATIC, DcbOwner.OS) and "lldpad" in agents:
        yield Fault(
            message="{here} is set by the host's own commands, and lldpad runs and undoes them",
            field="dcb_owner",
            expected=owner.value if owner is not None else None,
            actual="lldpad",
        )
    elif owner in _ELSEWHERE:
        yield Fault(
            message=f"the declared settings of {{here}} do not last: {_ELSEWHERE[owner]}",
            field="dcb_owner",
            expected="os",
            actual=owner.value,
        )
