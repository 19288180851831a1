"""Why a device could not be asked: its name, the reason, and what to do.  Never a secret."""

from __future__ import annotations

from typing import ClassVar


class DeviceError(Exception):
    """A device could not be asked.

    `transient`: the same may succeed a little later, so that it is worth trying again.  The
    exception can be pickled, so that it comes back from other processes as it was.
    """

    transient: ClassVar[bool] = False

    def __init__(self, device: str, reason: str, remedy: str = "") -> None:
        self.device = device
        self.reason = reason
        self.remedy = remedy
        super().__init__(device, reason, remedy)

    def __str__(self) -> str:
        return f"{self.device}: {self.reason}" + (f" ({self.remedy})" if self.remedy else "")


class Unreachable(DeviceError):  # noqa: N818  the seam's own word
    """No connection: an unknown name, a closed port, silence, or a way that is not open."""


class Silent(Unreachable):
    """No connection this time: a timeout or a reset.  Worth another attempt."""

    transient = True


class Refused(DeviceError):  # noqa: N818  the seam's own word
    """The device does not let us in.  Never tried again: accounts get locked."""


class HostKey(DeviceError):  # noqa: N818  the seam's own word
    """The device's host key is not known, was revoked, or is not the one that is known."""


class Broken(DeviceError):  # noqa: N818  the seam's own word
    """The session ended before its answer did.  `partial` is what had come until then."""

    transient = True

    def __init__(self, device: str, reason: str, remedy: str = "", partial: str = "") -> None:
        super().__init__(device, reason, remedy)
        self.partial = partial
        self.args = (device, reason, remedy, partial)
