"""Everything generated passes NVIDIA's schema of its release, with unknown fields forbidden."""

from __future__ import annotations

from functools import cache
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lossless.platforms.nvidia_cumulus import PLATFORM
from lossless.platforms.nvidia_cumulus.render import tree
from tests.judges import judge
from tests.platforms.nvidia_cumulus.strategies import RELEASES, profile_of, states


@cache
def model(release: int) -> Any:
    judge("nvueschema")
    return judge(f"nvueschema.models.v5_{release}").NvueConfig


def strays(release: int, held: dict[str, Any]) -> Any:
    """What the schema does not know: it ignores such fields, so what it kept is compared."""
    checked = model(release).model_validate(held)  # raises for a wrong word or number
    kept = checked.model_dump(by_alias=True, exclude_unset=True)
    return _strays(held, kept)


def _strays(held: Any, kept: Any, at: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    if not isinstance(held, dict):
        return [] if held == kept else [at]
    return [
        stray
        for key, value in held.items()
        for stray in (_strays(value, kept[key], (*at, key)) if key in kept else [(*at, key)])
    ]


@given(st.data())
def test_what_is_generated_passes_the_schema_of_its_release(data: st.DataObject) -> None:
    release = data.draw(st.sampled_from(RELEASES))
    state = data.draw(states(release))
    profile = profile_of(release)
    held = tree(PLATFORM.plan(state, None, None, profile), release)
    assert strays(release, held) == []


def test_the_judge_finds_words_of_another_release() -> None:
    assert strays(14, {"qos": {"roce": {"state": "enabled"}}}) == [("qos", "roce", "state")]
    assert strays(15, {"qos": {"roce": {"enable": "on"}}}) == [("qos", "roce", "enable")]
    assert strays(15, {"qos": {"roce": {"state": "enabled", "mode": "lossless"}}}) == []
