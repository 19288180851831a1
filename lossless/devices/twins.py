"""Twins of a live session: answers of a snapshot, and a device made of a function."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lossless.devices.seam import Reply


class Replay:
    """Answers of a snapshot by command.  What was not asked then is an incomplete answer."""

    def __init__(self, answers: Mapping[str, str | Reply]) -> None:
        self._answers = dict(answers)

    def run(self, command: str, *, timeout: float | None = None, privileged: bool = False) -> Reply:
        """Return the answer that the snapshot holds."""
        del timeout, privileged
        answer = self._answers.get(command)
        if answer is None:
            return Reply("", complete=False, refusal="the snapshot does not hold this command")
        return Reply(answer) if isinstance(answer, str) else answer


class InMemory:
    """A device made of a function of its commands, which may raise a `DeviceError`.

    `asked` lists the commands in order, each with whether it was asked with privileges.
    """

    def __init__(self, answer: Callable[[str], str | Reply]) -> None:
        self._answer = answer
        self.asked: list[tuple[str, bool]] = []

    def run(self, command: str, *, timeout: float | None = None, privileged: bool = False) -> Reply:
        """Return what the function answers."""
        del timeout
        self.asked.append((command, privileged))
        answer = self._answer(command)
        return Reply(answer) if isinstance(answer, str) else answer
