"""MAP013: the priority in the tag of a class leads elsewhere on a hop."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.classification import Trust
from lossless.model.values import OFF, entry, is_value
from lossless.rules.classes import class_named
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PathView, PortView
from lossless.rules.way import classifiers


@rule(
    "MAP013",
    name="pcp-lands-elsewhere",
    severity=Severity.ERROR,
    scope=Scope.PATH,
    needs=("classification", "intent"),
    sources=(
        "IEEE 802.1Q-2022 §6.9 (a tag's priority may be regenerated at every port)",
        "Cisco Nexus 9000 NX-OS Quality of Service guide (CoS and qos-group of a no-drop class)",
    ),
)
def check(path: PathView) -> Iterator[Answer]:
    """A hop gives the priority in a sender's tag another meaning than its class has there."""
    if not path.cls.pcp:
        yield NotApplicable(f"class {path.name} is not marked by PCP")
        return
    for here, before in classifiers(path):
        if _looks(path, here):
            yield from _at(path, here, before)


def _looks(path: PathView, here: PortView) -> bool:
    trust = here.classification.trust
    return trust is Trust.PCP or (trust is Trust.BOTH and not path.cls.dscp)


def _at(path: PathView, here: PortView, before: PortView | None) -> Iterator[Answer]:
    cls = class_named(here, path.name)
    if not is_value(cls) or not cls.priorities:
        return
    for pcp in sorted(path.cls.pcp):
        lands = entry(here.classification.pcp_to_priority, pcp)
        if lands is None:
            yield Missing((f"classes.{path.name}.pcp",), at=here)
        elif lands not in cls.priorities:
            where = f"priority {lands}" if is_value(lands) else "no priority"
            yield Fault(
                message=f"PCP {pcp}, which senders of class {path.name} mark, lands in {where} on "
                f"{{here}} and not in {' or '.join(map(str, sorted(cls.priorities)))}",
                field=f"classes.{path.name}.pcp",
                or_fields=(f"classes.{path.name}.priority", f"classes.{path.name}"),
                expected=min(cls.priorities),
                actual=lands if is_value(lands) else None,
                at=here,
                peer=before,
                severity=Severity.WARNING if cls.lossless is OFF else None,
            )
