"""BUF005: a pool whose shared headroom is larger than itself."""

from __future__ import annotations

from collections.abc import Iterator

from lossless.findings import Severity
from lossless.model.values import is_value
from lossless.rules.declare import Answer, Fault, Missing, NotApplicable, Scope, rule
from lossless.rules.sizes import above
from lossless.rules.views import DeviceView


@rule(
    "BUF005",
    name="pool-headroom-beyond-size",
    severity=Severity.ERROR,
    scope=Scope.DEVICE,
    needs=("system",),
    sources=("SONiC sonic-buffer-pool.yang (size and xoff of a pool)",),
)
def check(device: DeviceView) -> Iterator[Answer]:
    """The headroom that a pool shares out is larger than the pool."""
    pools = device.system.buffers.pools
    if not any(is_value(p.size) and is_value(p.shared_headroom) for _, p in pools):
        yield NotApplicable("no pool states its size and its headroom")
        return
    for name, pool in pools:
        if not (is_value(pool.size) and is_value(pool.shared_headroom)):
            continue
        larger = above(pool.shared_headroom, pool.size, device.profile)
        at = f"buffers.pools.{name}"
        if larger is None:
            yield Missing((f"{at}.size",))
        elif larger:
            yield Fault(
                message=f"pool {name} of {{here}} holds {pool.size}, and {pool.shared_headroom} of "
                "it are to be headroom",
                field=f"{at}.shared_headroom",
                or_fields=(f"{at}.size", at),
                expected=f"at most {pool.size}",
                actual=str(pool.shared_headroom),
            )
