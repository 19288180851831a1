"""Where passwords come from, and that they show nowhere."""

from __future__ import annotations

import json
import pickle
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lossless.devices import Credentials, Refused, Secret, Session, Target, ask_password
from lossless.findings import InputError

LEAF = Target(name="leaf01", address="192.0.2.1", session=Session())
OTHER = Target(name="leaf02", address="192.0.2.2", session=Session(), user="admin")


def revealed(secret: Secret | None) -> str | None:
    return None if secret is None else secret.reveal()


def test_a_secret_shows_nowhere() -> None:
    secret = Secret("canary")
    shown = [repr(secret), str(secret), f"{secret}", f"{secret!r:>20}"]
    shown.append(repr(Credentials(user="anna", password=secret)))
    assert not any("canary" in text for text in shown)
    assert secret.reveal() == "canary"
    with pytest.raises(TypeError, match="LOSSLESS_PASSWORD_COMMAND"):
        pickle.dumps(Credentials(password=secret))
    with pytest.raises(TypeError):
        json.dumps(secret)
    assert pickle.loads(pickle.dumps(Credentials(user="anna"))).user == "anna"


def test_who_logs_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "me")
    assert Credentials().user_for(LEAF) == "me"
    assert Credentials().user_for(LEAF, "of-ssh-config") == "of-ssh-config"
    monkeypatch.setenv("LOSSLESS_USERNAME", "of-environment")
    assert Credentials().user_for(LEAF, "of-ssh-config") == "of-environment"
    assert Credentials().user_for(OTHER, "of-ssh-config") == "admin"
    assert Credentials(user="said").user_for(OTHER, "of-ssh-config") == "said"


def test_what_was_typed_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Credentials().password_for(LEAF, "anna") is None
    monkeypatch.setenv("LOSSLESS_PASSWORD", "of-environment")
    assert revealed(Credentials().password_for(LEAF, "anna")) == "of-environment"
    typed = Credentials(password=Secret("typed"))
    assert revealed(typed.password_for(LEAF, "anna")) == "typed"
    assert revealed(typed.enable_for(LEAF, "anna")) == "typed"
    monkeypatch.setenv("LOSSLESS_ENABLE_PASSWORD", "raise")
    assert revealed(typed.enable_for(LEAF, "anna")) == "raise"


def test_a_device_s_password_is_not_given_to_jump_hosts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOSSLESS_PASSWORD", "of-devices")
    assert Credentials(password=Secret("typed")).jump_password() is None
    monkeypatch.setenv("LOSSLESS_JUMP_PASSWORD", "of-jump-hosts")
    assert revealed(Credentials().jump_password()) == "of-jump-hosts"


def program(folder: Path, text: str) -> str:
    path = folder / "give password"
    path.write_text(f"#!{sys.executable}\nimport sys\n{text}\n")
    path.chmod(0o755)
    return f"'{path}'"


def test_a_command_is_run_once_for_each_form_and_without_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log"
    command = program(
        tmp_path,
        f"open({str(log)!r}, 'a').write(repr(sys.argv[1:]) + '\\n')\nprint('pw'); print(2)",
    )
    monkeypatch.setenv("LOSSLESS_PASSWORD_COMMAND", f"{command} net/{{device}} '$(id); {{user}}'")
    for _ in range(2):
        assert revealed(Credentials().password_for(LEAF, "anna")) == "pw"
    assert revealed(Credentials().password_for(OTHER, "anna")) == "pw"
    assert log.read_text().splitlines() == [
        "['net/leaf01', '$(id); anna']",
        "['net/leaf02', '$(id); anna']",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('canary'); sys.exit(3)", "ended with 3"),
        ("sys.stderr.write('canary')", "printed nothing"),
    ],
)
def test_a_command_that_fails_tells_nothing_of_what_it_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.setenv("LOSSLESS_PASSWORD_COMMAND", program(tmp_path, text) + " token-canary")
    with pytest.raises(Refused, match=f"leaf01: the password command .* {said}") as raised:
        Credentials().password_for(LEAF, "anna")
    assert "canary" not in str(raised.value)


@pytest.mark.parametrize("command", ["/no/such/program", "'open quote", "   "])
def test_a_command_that_cannot_be_run_is_told(
    monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("LOSSLESS_PASSWORD_COMMAND", command)
    with pytest.raises(Refused, match=r"leaf01: .*PASSWORD_COMMAND|password command"):
        Credentials().password_for(LEAF, "anna")


def test_the_keyring_is_asked_for_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = ModuleType("keyring")
    held = {("fabric", "anna"): "of-keyring"}
    fake.get_password = lambda service, user: held.get((service, user))  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "keyring", fake)
    monkeypatch.setenv("LOSSLESS_KEYRING", "fabric")
    assert revealed(Credentials().password_for(LEAF, "anna")) == "of-keyring"
    assert Credentials().password_for(LEAF, "bert") is None

    def broken(service: str, user: str) -> str:
        raise RuntimeError("canary")

    fake.get_password = broken  # type: ignore[attr-defined]
    with pytest.raises(Refused, match="the keyring failed: RuntimeError") as raised:
        Credentials().password_for(LEAF, "anna")
    assert "canary" not in str(raised.value)


def test_a_missing_keyring_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)
    monkeypatch.setenv("LOSSLESS_KEYRING", "fabric")
    with pytest.raises(Refused, match=r"pip install 'lossless\[keyring\]'"):
        Credentials().password_for(LEAF, "anna")


def test_without_a_terminal_nothing_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: False, raising=False)
    with pytest.raises(InputError, match="no terminal"):
        ask_password("anna")
