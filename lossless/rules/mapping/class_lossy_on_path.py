"""MAP003."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import OFF, is_value
from lossless.rules.classes import class_named
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.views import PathView, PortView


@rule(
    "MAP003",
    name="class-lossy-on-path",
    severity=Severity.ERROR,
    scope=Scope.PATH,
    needs=("intent", "place"),
    sources=("IEEE 802.1Q-2022 clause 36 (a class is as lossless as its worst hop)",),
)
def check(path: PathView) -> Iterator[Answer]:
    """A class that its sender takes for lossless is lossy, or absent, on a hop."""
    if path.cls.lossless is not True:
        yield NotApplicable(f"class {path.name} is not lossless")
        return
    before: PortView | None = None
    for hop in path.hops:
        for here in (hop.ingress, hop.egress):
            if here is not None:
                yield from _at(path.name, here, before)
                before = here


def _at(name: str, here: PortView, before: PortView | None) -> Iterator[Answer]:
    cls = class_named(here, name)
    if is_value(cls) and cls.lossless is None:
        yield Missing((f"classes.{name}.lossless",), at=here)
        return
    if is_value(cls) and cls.lossless is OFF:
        what, field = f"takes class {name} for lossy", f"classes.{name}.lossless"
    elif here.place.lossless is OFF:
        what, field = "is declared without lossless traffic", "lossless"
    elif not is_value(cls):
        what, field = f"does not know class {name}", f"classes.{name}"
    else:
        return
    yield Fault(
        message=f"{{here}} {what}, and a sender of {name} needs it lossless all the way",
        field=field,
        or_fields=(f"classes.{name}", "classes", "fabric"),
        expected=True,
        actual=False,
        at=here,
        peer=before,
        fix=True if field == f"classes.{name}.lossless" else None,
        fix_safe=False,
    )
