"""Keeping libraries from writing what devices and people said into logs.

At their debug level netmiko logs every line that is read and written, and paramiko what servers
say.  Neither says anything that an error of ours does not, so that nothing of them is let through.
"""

from __future__ import annotations

import logging

_LIBRARIES = ("netmiko", "paramiko")
_MUTE = logging.CRITICAL + 1


def quieten() -> None:
    """Let no record of the SSH libraries pass, whatever levels and handlers were set before."""
    for name in _LIBRARIES:
        logger = logging.getLogger(name)
        logger.propagate = False
        logger.setLevel(_MUTE)
        if not logger.handlers:
            logger.addHandler(logging.NullHandler())
    for name in list(logging.root.manager.loggerDict):
        if name.startswith(tuple(f"{library}." for library in _LIBRARIES)):
            logging.getLogger(name).setLevel(_MUTE)
