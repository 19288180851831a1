"""What the files give back of an environment, and what they cannot carry."""

from __future__ import annotations

from typing import Final

from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.rdma import Environment, Variable
from lossless.model.settings import System
from lossless.model.values import is_value
from lossless.platforms.collective_env.files import KINDS, NAME, NCCL, UCX, Kind, kind_of
from lossless.platforms.contract import Inexpressible, Loss

LONGEST: Final = 1023  # NCCL's buffer for a name or a value (src/misc/param.cc)
LOSSES: Final = (
    Loss(
        "variables declared absent or at their default",
        "a file tells what it sets, not what it leaves out; they are removed and not compared",
        "NCCL src/misc/param.cc, setEnvFile",
    ),
    Loss(
        "an origin that is none of the files",
        "a variable is written to the file of its library",
        "NCCL user guide, environment variables; UCX FAQ",
    ),
)


def home(name: str, variable: Variable) -> Kind:
    """Return the file that carries a variable: where it was found, or its library's."""
    told = variable.origin if is_value(variable.origin) else None
    found = next((kind for kind in KINDS if kind.path == told), None)
    return found or kind_of(name)


def canonical(state: DeviceState) -> DeviceState:
    """Return the environment alone.  Idempotent."""
    kept = {
        name: Variable(value=variable.value, origin=home(name, variable).path)
        for name, variable in state.system.environment.variables
        if is_value(variable.value)
    }
    return DeviceState(system=System(environment=Environment(variables=table(kept))))


def fault(name: str, value: str) -> str | None:
    """Say why a file cannot carry a variable, or `None`."""
    if not NAME.match(name):
        return f"{name[:40]!r} cannot be the name of an environment variable"
    if not value.isprintable():
        return f"{name} holds a line break or a control character"
    kind = kind_of(name)
    if kind is NCCL and len(value.encode()) > LONGEST:
        return f"{name} is longer than the {LONGEST} bytes that NCCL reads"
    if kind is UCX and (value != value.strip() or " ;" in value or value[:1] in (";", "#")):
        return f"{name} would lose blanks or a remark in an INI file"
    return None


def inexpressible(state: DeviceState) -> tuple[Inexpressible, ...]:
    """List the variables that no file can carry."""
    found = []
    for name, variable in state.system.environment.variables:
        value = variable.value
        why = fault(name, value if is_value(value) else "")
        if why is not None:
            path = ("system", "environment", "variables", name, "value")
            found.append(Inexpressible(path, why))
    return tuple(found)
