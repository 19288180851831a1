"""paramiko's transport, asking for the authentication service once as RFC 4252 has it.

paramiko asks anew before each attempt, which strict servers answer by closing.  Its successor,
`ServiceRequestingTransport`, asks once, but may miss an answer that comes quickly, and waits for
ever for a server that went away.
"""

from __future__ import annotations

import functools
from importlib import import_module
from typing import Any


@functools.cache
def transport_class() -> Any:
    """Return the class of transports."""
    paramiko: Any = import_module("paramiko")
    request: bytes = import_module("paramiko.common").cMSG_SERVICE_REQUEST
    base: Any = paramiko.Transport

    class Once(base):  # type: ignore[misc]
        """A transport whose second request for a service is answered here."""

        def __init__(self, *args: Any, **settings: Any) -> None:
            self._asked = False
            super().__init__(*args, **settings)

        def _send_message(self, data: Any) -> None:
            if not self.authenticated and data.asbytes()[:1] == request:
                if self._asked:
                    accepted = paramiko.Message()
                    accepted.add_string("ssh-userauth")
                    accepted.rewind()
                    self.auth_handler._parse_service_accept(accepted)  # noqa: SLF001  there is no other way in
                    return
                self._asked = True
            super()._send_message(data)

    return Once
