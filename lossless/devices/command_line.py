"""Sessions with command lines of switches, through netmiko.

netmiko knows how each of them logs in, prompts and pages; logging in and reading are done here:
its own reading ends at the first thing that looks like a prompt, wherever in an answer that
stands, and does not notice a session that is over until the time for an answer is.
"""

from __future__ import annotations

import codecs
import functools
import re
import time
from importlib import import_module
from typing import Any, Final

from lossless.devices.credentials import Credentials
from lossless.devices.errors import Broken, Refused, Silent, Unreachable
from lossless.devices.seam import Reply, Session, Target

_CHUNK: Final = 1 << 16
_TAIL: Final = 1 << 10
_QUIET: Final = 0.02  # seconds without a word that make a prompt of what looks like one
_CUT: Final = "\0"  # stands where a page ended
#: What devices send to wipe the question out before they go on.
_WIPED: Final = re.compile(_CUT + r"(?:\x08+ *\x08*|\r *\r(?!\n)|\r?\x1b\[[0-9]*K|\r(?!\n))?")
_FIRST_LINES: Final = 3  # a refusal is the first thing that is said; a banner may quote one


@functools.cache
def _kind(device_type: str) -> Any:
    """Return netmiko's class of a device type, made to use a transport that is logged in."""
    from netmiko.channel import SSHChannel
    from netmiko.exceptions import ReadException
    from netmiko.ssh_dispatcher import CLASS_MAPPER

    base: Any = CLASS_MAPPER[device_type]

    class LoggedIn(base):  # type: ignore[misc]
        """netmiko without its own way of connecting, which knows neither hops nor host keys."""

        def __init__(self, transport: Any, **settings: Any) -> None:
            self._logged_in = transport
            super().__init__(**settings)

        def establish_connection(self, width: int = 511, height: int = 1000) -> None:
            self.remote_conn_pre = None
            self.remote_conn = self._logged_in.open_session()
            self.remote_conn.get_pty("vt100", width, height)
            self.remote_conn.invoke_shell()
            self.remote_conn.settimeout(self.blocking_timeout)
            self.channel = SSHChannel(conn=self.remote_conn, encoding=self.encoding)
            self.special_login_handler()

        def read_channel(self) -> str:
            said: str = super().read_channel()
            if not said and _is_over(self.remote_conn):
                raise ReadException("the session is over")
            return said

    return LoggedIn


def _is_over(channel: Any) -> bool:
    return channel is None or channel.closed or channel.eof_received


class CommandLine:
    """A session with a command line."""

    def __init__(
        self,
        target: Target,
        transport: Any,
        credentials: Credentials,
        user: str,
        *,
        timeout: float,
        connect_timeout: float,
    ) -> None:
        self._target = target
        self._session: Session = target.session
        self._credentials = credentials
        self._user = user
        self._timeout = timeout
        self._raised = False
        self._over: str | None = None
        self._line: Any = self._begin(transport, connect_timeout)
        self._prompt = re.compile(
            rf"(?:^|[\r\n]){re.escape(self._line.base_prompt)}(?:\([^()\n]{{1,40}}\))?[>#$] ?\Z"
        )
        self._pager = re.compile(rf"(?i)[ \t]*(?:{self._session.pager})\s*\Z")

    def _begin(self, transport: Any, seconds: float) -> Any:
        paramiko: Any = import_module("paramiko")

        try:
            return _kind(self._session.cli or "")(
                transport,
                host=self._target.name,
                username=self._user,
                device_type=self._session.cli,
                ssh_strict=True,
                fast_cli=True,
                blocking_timeout=seconds,
                read_timeout_override=seconds,
            )
        except KeyError:
            raise Unreachable(
                self._target.name, f"netmiko does not know {self._session.cli!r}"
            ) from None
        except (paramiko.SSHException, EOFError, OSError):
            raise Silent(self._target.name, "the device opens no command line") from None
        except Exception as error:  # netmiko's own, ValueError for a prompt that is not one
            raise self._no_prompt(transport, error) from None

    def _no_prompt(self, transport: Any, error: Exception) -> Silent:
        if not transport.is_active() or "over" in str(error):
            return Silent(self._target.name, "the session ended before there was a prompt")
        return Silent(
            self._target.name,
            f"no prompt of {self._session.cli} was seen",
            "is the platform right, and does the login end at its command line?",
        )

    def run(self, command: str, *, timeout: float | None = None, privileged: bool = False) -> Reply:
        """Run a command; after one that does not end, the session is over."""
        if privileged and self._session.enable:
            self._raise()
        seconds = timeout if timeout is not None else self._timeout
        text = self._ask(command, seconds)
        head = "\n".join(text.lstrip().split("\n", _FIRST_LINES)[:_FIRST_LINES])
        return Reply(text, refusal=self._session.refusal(head))

    def _ask(self, command: str, seconds: float) -> str:
        if self._over is not None:
            raise Broken(self._target.name, self._over)
        channel = self._line.remote_conn
        try:
            self._forget(channel)
            channel.sendall((command + self._line.RETURN).encode())
        except (OSError, EOFError):
            raise self._end("the session ended before a command") from None
        return self._listen(channel, command, seconds)

    def _forget(self, channel: Any) -> None:
        """Drop what came since the last answer, so that it is not taken for this one."""
        while channel.recv_ready():
            if not channel.recv(_CHUNK):
                raise EOFError

    def _listen(self, channel: Any, command: str, seconds: float) -> str:
        """Read until the prompt stands at the end and nothing follows it."""
        deadline = time.monotonic() + seconds
        heard = _Heard(command, self._line.base_prompt, self._line.strip_ansi_escape_codes)
        likely = False
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise self._end(f"no prompt {seconds:g} s after {command!r}", heard.text())
            channel.settimeout(min(left, _QUIET) if likely else left)
            try:
                chunk = channel.recv(_CHUNK)
            except TimeoutError:
                if likely:
                    return self._answer(heard)
                continue
            except OSError:
                chunk = b""
            if not chunk:
                raise self._end("the session ended in the middle of an answer", heard.text())
            heard.add(chunk)
            tail = heard.tail()
            likely = heard.echoed() and self._prompt.search(tail) is not None
            if not likely and (page := self._pager.search(tail)):
                heard.cut(page[0])
                channel.sendall(b" ")

    def _answer(self, heard: _Heard) -> str:
        text = self._prompt.sub("\n", heard.raw()).removesuffix("\n")
        return heard.without_echo(self._line.normalize_linefeeds(text))

    def _raise(self) -> None:
        """Enter the privileged mode, once; the password for it is sent once."""
        if self._raised:
            return
        try:
            if not self._line.check_enable_mode():
                secret = self._credentials.enable_for(self._target, self._user)
                self._line.secret = "" if secret is None else secret.reveal()
                try:
                    self._line.enable()
                finally:
                    self._line.secret = ""
        except Exception as error:
            if isinstance(error, Refused):
                raise
            raise self._not_raised() from None
        self._raised = True

    def _not_raised(self) -> Refused | Broken:
        if _is_over(self._line.remote_conn):
            return self._end("the session ended at the privileged mode")
        self._over = "the privileged mode was refused"
        return Refused(
            self._target.name,
            f"{self._over} to {self._user!r}",
            "give its password with LOSSLESS_ENABLE_PASSWORD; it is not tried again",
        )

    def _end(self, reason: str, partial: str = "") -> Broken:
        self._over = "the session is over"
        return Broken(self._target.name, reason, partial=partial)

    def close(self) -> None:
        """Close the session.

        netmiko would first ask whether it is in a configuration mode, and wait for an answer that
        a device which hangs does not give; a closed channel leaves any mode as well.
        """
        if self._line.remote_conn is not None:
            self._line.remote_conn.close()
        self._line.disconnect()


class _Heard:
    """What has come of an answer, with the echo of its command."""

    def __init__(self, command: str, prompt: str, plain: Any) -> None:
        self._command = command.strip()
        self._prompt = prompt
        self._strip = plain
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._parts: list[str] = []
        self._start = ""
        self._seen = not self._command

    def add(self, chunk: bytes) -> None:
        self._parts.append(self._decode(chunk))
        if not self._seen:
            self._start += self._parts[-1]
            self._seen = self._command in self._plain(self._start).replace("\r", "").replace(
                "\n", ""
            )

    def _plain(self, text: str) -> str:
        return str(self._strip(text)) if "\x1b" in text else text

    def echoed(self) -> bool:
        """Say whether the command came back, so that what follows is its answer."""
        return self._seen

    def tail(self) -> str:
        """Return the end of what has come, enough for a prompt."""
        tail = ""
        for part in reversed(self._parts):
            tail = part + tail
            if len(tail) >= _TAIL:
                break
        return self._plain(tail[-4 * _TAIL :])

    def cut(self, question: str) -> None:
        """Take the question for the next page out of what has come."""
        text = "".join(self._parts)
        end = text.rfind(question.rstrip())
        self._parts = [text[:end] + _CUT if end >= 0 else text]

    def raw(self) -> str:
        text = "".join(self._parts)
        return self._plain(_WIPED.sub("", text) if _CUT in text else text)

    def text(self) -> str:
        """Return what has come so far, without the command."""
        return self.without_echo(self.raw().replace("\r\n", "\n"))

    def without_echo(self, text: str) -> str:
        _, found, rest = text.partition(self._command)
        if not found or not self._command:
            return text
        # A line that the device paints again begins with the prompt and repeats the command.
        lines = rest.split("\n")
        again = len(lines) > 1 and lines[1].startswith(self._prompt)
        painted = again and lines[1].rstrip().endswith(self._command)
        return "\n".join(lines[2:] if painted else lines[1:])
