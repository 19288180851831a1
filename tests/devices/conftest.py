"""Keys, and a real OpenSSH server, for what is asked of devices."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from lossless.devices import credentials, gate

from .openssh import Keys


def needed(program: str) -> str:
    """Return the path of a program; where it is missing, skip, or fail in CI."""
    found = shutil.which(program) or shutil.which(program, path="/usr/sbin:/usr/local/sbin:/sbin")
    if found is not None:
        return found
    if os.environ.get("CI") == "true":
        pytest.fail(f"{program} is needed in CI: apt-get install openssh-server openssh-client")
    pytest.skip(f"{program} is not installed: the real OpenSSH server is not tried")


@pytest.fixture(scope="session")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Keys:
    """Return a maker of keys that makes each of them once."""
    return Keys(tmp_path_factory.mktemp("keys"), needed("ssh-keygen"))


@pytest.fixture(scope="session")
def sshd() -> str:
    return needed("sshd")


@pytest.fixture(autouse=True)
def no_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep the home directory, the agent and the environment of who runs the tests out of them."""
    for name in list(os.environ):
        if name.startswith("LOSSLESS_") or name == "SSH_AUTH_SOCK":
            monkeypatch.delenv(name)
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    gate.forget()
    credentials.forget()
