"""A simulated Nexus 9000 with NX-OS, written from manuals and public sessions.

`nexus.Nexus` is the box, `terminal.Terminal` a session at its command line, `drift` what people
change, and `switch.Switch` all of it as the lab runs it.
"""

from lossless.lab.cisco_nxos.switch import Switch
from lossless.lab.contract import Box, Clock, Plate


def box(plate: Plate, clock: Clock) -> Box:
    """Make a box with its ports at their defaults.  Nothing that it does needs the time."""
    del clock
    return Switch(plate)
