"""A simulated Nexus 9000 with NX-OS, written from manuals and public sessions.

`Nexus` is the box, `Terminal` a session at its command line, and `drift` what people change.
"""

from lossless.lab.cisco_nxos.drift import Change, changes, make
from lossless.lab.cisco_nxos.nexus import Nexus
from lossless.lab.cisco_nxos.state import Refused
from lossless.lab.cisco_nxos.terminal import Terminal

__all__ = ["Change", "Nexus", "Refused", "Terminal", "changes", "make"]
