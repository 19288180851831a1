"""INV007."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF, is_value
from lossless.rules.classes import carries, class_named, is_nic, lossless_classes
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PortView


@rule(
    "INV007",
    name="rdma-sent-lossy",
    severity=Severity.ERROR,
    scope=Scope.PORT,
    needs=("intent", "place"),
    sources=("The format of the inventory: hosts' sends",),
)
def check(port: PortView) -> Iterator[Answer]:
    """A host sends its RDMA in a class that is not lossless, beside one that is."""
    lossless = [name for name, _, _ in lossless_classes(port)]
    if not (is_nic(port) and carries(port)) or not lossless:
        yield NotApplicable("not a NIC that a lossless class crosses")
        return
    meant = dict(port.intent.sends).get("rdma")
    if meant is None:
        yield Missing(("sends.rdma",))  # several are lossless, and nobody said which it uses
        return
    cls = class_named(port, meant)
    if is_value(cls) and cls.lossless is not OFF:
        return
    what = "is lossy" if is_value(cls) else "is declared absent" if cls is OFF else "is nowhere"
    yield Fault(
        message=f"{{here}} sends RDMA in class {meant}, which {what}; "
        f"{', '.join(lossless)} {'is' if len(lossless) == 1 else 'are'} lossless",
        field="sends.rdma",
        or_fields=("sends",),
        expected=lossless if len(lossless) > 1 else lossless[0],
        actual=meant,
        fix=lossless[0] if len(lossless) == 1 else None,
        fix_safe=False,
    )
