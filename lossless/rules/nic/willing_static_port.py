"""NIC006."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.pfc import DcbOwner
from lossless.model.values import OFF, value
from lossless.rules.classes import carries, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import LinkView, PortView


@rule(
    "NIC006",
    name="willing-static-port",
    severity=Severity.WARNING,
    scope=Scope.LINK,
    needs=("dcb", "intent", "place"),
    sources=(
        "IEEE 802.1Q-2022 clause 38 (a willing port takes its peer's settings)",
        "Azure/AzureLocal-Supportability issue 291 (willing on, because DCBX was to be on)",
    ),
)
def check(link: LinkView) -> Iterator[Answer]:
    """A NIC is willing although its own settings are declared, or its switch offers none."""
    nic, switch = link.a, link.b
    if not (is_nic(nic) and carries(nic) and lossless_classes(nic)):
        yield NotApplicable("not a link of a NIC that a lossless class crosses")
        return
    if nic.dcb.willing is not True:
        yield NotApplicable("the NIC is not willing")
        return
    why = _why(nic, switch)
    if why:
        yield Fault(
            message=f"{{here}} takes DCB settings from its peer (willing), and {why}",
            field="pfc.dcbx.willing",
            or_fields=("pfc.dcbx", "dcb_owner"),
            expected=False,
            actual=True,
            at=nic,
            peer=switch,
            peer_field="pfc.dcbx.advertise" if switch is not None else None,
            fix=False,
            fix_safe=False,
        )


def _why(nic: PortView, switch: PortView | None) -> str | None:
    owner = value(nic.dcb.owner)
    if owner in (DcbOwner.STATIC, DcbOwner.OS):
        return "its own are declared"
    if switch is None:
        return None
    if OFF in (switch.dcb.advertise, switch.dcb.dcbx):
        return "{there} offers none"
    return None
