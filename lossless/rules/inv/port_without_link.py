"""INV002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import PortRole
from lossless.rules.declare import Answer, Fault, NotApplicable, Scope, rule
from lossless.rules.views import PortView

_CABLED = frozenset({PortRole.HOST, PortRole.FABRIC, PortRole.PEER})


@rule(
    "INV002",
    name="port-without-link",
    severity=Severity.INFO,
    scope=Scope.PORT,
    needs=("linked", "place"),
    sources=("The format of the inventory: links",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A port whose role says that something is plugged into it has no link."""
    role = port.place.role
    if role not in _CABLED or not port.place.role_written:
        yield NotApplicable("no role that needs a link is written for the port")
    elif role is not None and not port.linked:
        yield Fault(
            message=f"{{here}} has the role {role.value} and no link, so nothing is known of its "
            "other end",
            field="role",
        )
