"""Worked inventories of several vendors load, and an editor's schema accepts what loads."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args, get_origin, is_typeddict

import pytest
import yaml
from jsonschema import Draft202012Validator

from lossless.inventory import UNKNOWN, json_schema, read
from lossless.inventory.schema import Inventory
from lossless.inventory.shape import hints, plain
from lossless.model.pfc import PfcMode
from lossless.model.units import Bandwidth, BandwidthKind
from lossless.model.values import OFF

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
WORKED = sorted((HERE / "worked").glob("*.yaml"))
SHIPPED = [*ROOT.glob("inventory/*/*.yaml"), *ROOT.glob("lossless/inventory/starter/*.yaml")]


class CoreLoader(yaml.SafeLoader):
    """YAML 1.2's core schema, as an editor's language server reads it; a judge of our own."""


CoreLoader.yaml_implicit_resolvers = {}
for tag, pattern, first in (
    ("bool", r"true|True|TRUE|false|False|FALSE", "tTfF"),
    ("int", r"[-+]?[0-9]+|0x[0-9a-fA-F]+", "-+0123456789"),
    ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
):
    resolver = re.compile(f"(?:{pattern})\\Z")
    CoreLoader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", resolver, list(first))


def as_json(data: Any) -> Any:
    if isinstance(data, dict):
        return {str(key): as_json(value) for key, value in data.items()}
    return [as_json(item) for item in data] if isinstance(data, list) else data


def complaints(text: str) -> list[str]:
    data = as_json(yaml.load(text, CoreLoader))
    return [e.message[:300] for e in Draft202012Validator(json_schema()).iter_errors(data)]


@pytest.mark.parametrize("path", WORKED, ids=lambda p: p.stem)
def test_worked_inventories_load(path: Path) -> None:
    assert read([path]).data["format"] == 1


@pytest.mark.parametrize("path", [*WORKED, *SHIPPED], ids=lambda p: p.stem)
def test_the_schema_accepts_what_loads(path: Path) -> None:
    assert complaints(path.read_text()) == []


@pytest.mark.parametrize(
    "text",
    [
        "policy: {pfc: onn}",
        "policy: {trust: [dscp]}",
        "hosts: {h: {nics: {e: {speed: 400}}}}",
        "hosts: {h: {nics: {e: {sped: 400G}}}}",
        "hosts: {'a;b': {}}",
        "policy: {classes: {roce: {dscp: 64}}}",
        "policy: {classes: {roce: {bandwidth: {line: 1%, weight: 3}}}}",
        "switches: {s: {access: {address: a b}}}",
        "switches: {s: {breakout: {E1: 2x400}}}",
        "links: [{a: x:y}]",
        "password: x",
    ],
)
def test_the_schema_refuses_what_does_not_load(text: str) -> None:
    assert complaints(text)


def test_the_schema_is_valid_and_fresh() -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    written = json.loads((ROOT / "schemas" / "inventory.schema.json").read_text())
    assert written == schema, "run python -m lossless.inventory.write_schema"


def described(node: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, held in node.get("properties", {}).items():
        yield f"{path}.{name}", held


def test_every_key_is_described() -> None:
    schema = json_schema()
    nodes = [("", schema), *schema["$defs"].items()]
    without = [
        p for name, node in nodes for p, held in described(node, name) if "description" not in held
    ]
    assert without == []


def keys_of(kind: Any, seen: set[str]) -> Iterator[str]:
    """Yield `Mapping.key` for every key that the format knows."""
    kind = plain(kind)
    if is_typeddict(kind) and kind.__name__ not in seen:
        seen.add(kind.__name__)
        for name, held in hints(kind).items():
            yield f"{kind.__name__}.{name}"
            yield from keys_of(held, seen)
    elif get_origin(kind) in (dict, list):
        yield from keys_of(get_args(kind)[-1], seen)


def keys_in(kind: Any, data: Any) -> Iterator[str]:
    """Yield `Mapping.key` for every key that a declaration holds."""
    kind = plain(kind)
    if is_typeddict(kind) and isinstance(data, dict):
        for name, value in data.items():
            yield f"{kind.__name__}.{name}"
            yield from keys_in(hints(kind)[name], value)
    elif get_origin(kind) is dict and isinstance(data, dict):
        for value in data.values():
            yield from keys_in(get_args(kind)[1], value)
    elif get_origin(kind) is list and isinstance(data, list):
        for value in data:
            yield from keys_in(get_args(kind)[0], value)


def test_each_mapping_of_the_format_is_worked() -> None:
    """The settings that stand at every level count once; keys of the objects all do."""
    known = set(keys_of(Inventory, set()))
    read_keys = {key for path in WORKED for key in keys_in(Inventory, read([path]).data)}
    settings = {key.split(".")[1] for key in known if key.startswith("PolicyDecl.")}
    port = {key.split(".")[1] for key in known if key.startswith("PortDecl.")}
    general = settings | (port - {"role", "alias"})
    objects = {key for key in known if key.split(".")[1] not in general}
    assert objects - read_keys == set()
    of_shipped_policies = {"sources"}
    assert general - {key.split(".")[1] for key in read_keys} == of_shipped_policies


def test_words_and_short_forms() -> None:
    data = read([HERE / "worked" / "everything.yaml"]).data
    policy = data["policy"]
    assert policy["pfc"] is not None
    assert policy["pfc"]["mode"] is PfcMode.AUTO
    assert policy["pfc"]["watchdog"]["detect"] == 200_000_000
    assert policy["overrides"][0]["pfc"] == {"mode": OFF}
    assert data["fabrics"]["other"]["policy"]["pause"] == {"send": True, "honour": True}
    assert data["fabrics"]["other"]["lossless"] is OFF
    assert policy["classes"]["gone"] is OFF
    assert policy["classes"]["plain"] is None
    assert policy["classes"]["bulk"]["ecn"] == {"enabled": OFF}
    assert policy["classes"]["bulk"]["bandwidth"] == Bandwidth(BandwidthKind.ETS, 100_000)
    assert policy["collectives"] == {
        "NCCL_IB_HCA": "=mlx5_0:1,mlx5_1:1",
        "UCX_IB_TRAFFIC_CLASS": None,
    }
    leaf, spine = data["switches"]["leaf[01-02]"], data["switches"]["spine01"]
    assert leaf["version"] == "5.10"
    assert type(leaf["version"]) is str
    assert leaf["ports"]["swp[1-4]s0"]["lossless"] is UNKNOWN
    assert leaf["ports"]["swp[1-4]s0"]["rail"] == "[1-4]"
    assert leaf["ports"]["swp3"] == {}
    assert (spine["mlag"], spine["platform"], spine["access"]) == (OFF, UNKNOWN, OFF)
    nic = data["hosts"]["gpu[01-02]"]["nics"]["ens[1-2]"]
    assert nic["vlans"] == {"rdma": {711}, "ids": {"711": {"pcp_map": {"4": 4}, "mtu": 9000}}}
    assert data["links"][1]["for"] == {"n": (2, 1), "k": (1, 3)}
    assert data["links"][1]["cable"] == 500
