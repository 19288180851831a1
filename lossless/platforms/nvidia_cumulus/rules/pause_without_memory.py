"""VND401."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from lossless.findings import Severity
from lossless.model.facet import row
from lossless.model.values import OFF, is_value
from lossless.rules.classes import carries
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, Status, rule
from lossless.rules.pausing import sent
from lossless.rules.views import PortView
from lossless.rules.words import priorities

PLATFORM: Final = "nvidia_cumulus"


@rule(
    "VND401",
    name="cumulus-pause-without-memory",
    severity=Severity.WARNING,
    scope=Scope.PORT,
    needs=("pfc", "place", "profile", "system"),
    sources=("CumulusNetworks/docs, Quality of Service, 5.14, Flow Control Buffers",),
    status=Status.PREVIEW,
)
def check(port: PortView) -> Iterator[Answer]:
    """Cumulus sends pauses for priorities for which it keeps no lossless memory."""
    profile = port.profile
    stopped = sent(port.pfc)
    if profile is None or profile.platform != PLATFORM or not carries(port) or not stopped:
        yield NotApplicable("no pauses are sent here on Cumulus Linux")
        return
    macro = port.system.macro
    if is_value(macro) and macro not in profile.macros:
        yield Missing(("profile",))  # what it expands to is not known
        return
    held = row(port.system.buffers.shares, "ingress lossless")
    if held is OFF or held == 0:
        yield Fault(
            message=f"{{here}} sends pauses for {priorities(stopped)}, and the box gives all its "
            "memory to lossy traffic, as it comes: without `qos roce` a part of it must be given "
            "to the lossless pool first",
            field="buffers.shares.ingress.lossless",
            or_fields=("pfc.mode", "pfc.priorities", "pfc"),
            expected="a part of the memory",
            actual="0%",
        )
    elif not is_value(held):
        yield Missing(("buffers.shares",))
