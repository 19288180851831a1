"""The EOS box of the tests is the lab's."""

from __future__ import annotations

from lossless.lab.arista_eos.configuration import Configuration as Box
from lossless.lab.arista_eos.configuration import Refused

__all__ = ["Box", "Refused"]
