"""MAP002."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classes import TrafficClass
from lossless.model.classification import Trust
from lossless.model.values import is_value
from lossless.rules.chain import tagged
from lossless.rules.classes import carries, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "MAP002",
    name="mark-not-trusted",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("classification", "intent", "place", "vlans"),
    sources=(
        "IEEE 802.1Q-2022 §6.9 (a priority travels in the tag; an untagged frame has none)",
        "NVIDIA Cumulus Linux documentation, Quality of Service: trust",
    ),
)
def check(port: PortView) -> Iterator[Answer]:
    """A port does not look at the mark that a lossless class bears."""
    found = lossless_classes(port)
    if not carries(port) or not any(cls.dscp or cls.pcp for _, cls, _ in found):
        yield NotApplicable("no lossless class with a mark crosses this port")
        return
    trust = port.classification.trust
    if not is_value(trust):
        yield Missing(("trust",))
        return
    if trust is Trust.BOTH:
        return
    for name, cls, priority in found:
        yield from _class(port, trust, name, cls, priority)


def _class(
    port: PortView, trust: Trust, name: str, cls: TrafficClass, priority: int
) -> Iterator[Answer]:
    why = _unseen(port, trust, cls)
    if why is None or not (cls.dscp or cls.pcp):
        return
    if trust in (Trust.PORT, Trust.NONE) and port.classification.default_priority == priority:
        return  # everything on the port is of this class
    mark = "dscp" if cls.dscp else "pcp"
    yield Fault(
        message=f"{{here}} trusts {trust.value}, and {why}: class {name} "
        f"({mark.upper()} {_listed(cls, mark)}) is not recognised",
        field="trust",
        expected=mark,
        actual=trust.value,
        fix=mark,
        fix_safe=bool(cls.dscp) != bool(cls.pcp),
    )


def _unseen(port: PortView, trust: Trust, cls: TrafficClass) -> str | None:
    """Return why the port does not see the class's mark; `None` where it does, or may."""
    if trust is Trust.DSCP:
        return None if cls.dscp else "the class is marked by PCP alone"
    if trust is not Trust.PCP:
        return "looks at no mark"
    if not cls.pcp:
        return "the class is marked by DSCP alone"
    return "its RoCE bears no VLAN tag" if tagged(port.vlans) is False else None


def _listed(cls: TrafficClass, mark: str) -> str:
    return ", ".join(map(str, sorted(cls.dscp if mark == "dscp" else cls.pcp)))
