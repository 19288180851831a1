"""Whatever a host prints, reading it never raises."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lossless.platforms.contract import Output
from lossless.platforms.nvidia_mlnx_qos import PLATFORM
from tests.platforms.nvidia_mlnx_qos import fake_host, rig

IF = "ens1np0"
FULL = fake_host.host(
    (IF, fake_host.nic("mlx5_0", apps={str(d): d >> 3 for d in range(64)}, tclass=106)),
    lldpad=True,
)
COMMANDS = [command.text for command in PLATFORM.commands(rig.device(FULL))]
TEXTS = {command: fake_host.answer(FULL, command) for command in COMMANDS}
NOISE = st.text(alphabet="\x00\t\n\r\x0b\x85 09:,=%{}[]\"'abé٣", max_size=12)


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A real answer with a cut, a swap, or something in the middle."""
    text = draw(st.sampled_from(sorted(TEXTS.values())))
    lines = text.split("\n")
    kind = draw(st.sampled_from(["cut", "insert", "drop", "twice", "swap", "join"]))
    at = draw(st.integers(0, max(len(text) - 1, 0)))
    row = draw(st.integers(0, len(lines) - 1))
    if kind == "cut":
        return text[:at]
    if kind == "insert":
        return text[:at] + draw(NOISE) + text[at:]
    if kind == "drop":
        return "\n".join(lines[:row] + lines[row + 1 :])
    if kind == "twice":
        return "\n".join([*lines[:row], lines[row], *lines[row:]])
    if kind == "swap":
        digit = draw(st.sampled_from("0123456789x-"))
        return text[:at] + digit + text[at + 1 :]
    return text.replace("\n", draw(st.sampled_from(["", " ", "\r"])))


@given(st.lists(st.tuples(st.sampled_from([*COMMANDS, ""]), broken()), max_size=6))
def test_broken_answers(answers: list[tuple[str, str]]) -> None:
    found = PLATFORM.parse([Output(command, text, "capture.txt") for command, text in answers])
    once = PLATFORM.canonical(found.state)
    assert PLATFORM.canonical(once) == once
    PLATFORM.inexpressible(found.state)
    for settings in found.state.ports.values():
        told = settings.classification.priority_to_tc
        assert told == () or all(isinstance(tc, int) and 0 <= tc <= 7 for tc in told)
        assert settings.pfc.send is None or set(settings.pfc.send) <= set(range(8))


@given(st.sampled_from([*COMMANDS, "", "mlnx_qos -i"]), st.text(max_size=200))
def test_anything_at_all(command: str, text: str) -> None:
    PLATFORM.recognises(text)
    PLATFORM.parse([Output(command, text)])


@given(st.text(max_size=60))
def test_any_command(command: str) -> None:
    PLATFORM.parse([Output(command, TEXTS[COMMANDS[0]])])


def test_json_that_is_none_and_json_that_is_deep() -> None:
    for text in (
        "[",
        "[" * 100_000,
        '[{"ifname": 3}]',
        "[null, 1]",
        '[{"ifname": "a", "mtu": 1e9}]',
    ):
        PLATFORM.parse([Output("ip -j -d link show", text)])
