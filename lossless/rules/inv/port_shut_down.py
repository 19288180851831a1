"""INV011."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import PortRole
from lossless.model.values import OFF
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "INV011",
    name="port-shut-down",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("link", "linked", "place"),
    sources=("SONiC sonic-port.yang (a port is down unless told otherwise)",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A port that lossless traffic is meant to cross is shut down, or an unused one is not."""
    up, unused = port.link.admin_up, port.place.role is PortRole.UNUSED
    if up is None or not (unused or (port.linked and carries(port))):
        yield NotApplicable("nobody tells whether it is shut down, or it may be either")
    elif unused and up is True:
        yield Fault(
            message="{here} is declared unused and is not shut down",
            field="role",
            expected="down",
            actual="up",
            severity=Severity.INFO,
        )
    elif not unused and up is OFF:
        yield Fault(
            message="{here} has a link for lossless traffic and is shut down: what it should carry "
            "takes the links that are left",
            field="role",
            expected="up",
            actual="down",
        )
