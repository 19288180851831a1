"""Small fabrics, generated: sets, refinements, overrides and cabling as plain data."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from lossless.intent import Built, build
from lossless.inventory import read
from lossless.nodeset import expand

Data = dict[str, Any]

#: Statements that may stand at any level, one field each so that refinements overlap often.
STATEMENTS: list[Data] = [
    {"pfc": {"mode": "off"}},
    {"pfc": {"mode": True, "watchdog": {"detect": "150ms"}}},
    {"pfc": {"watchdog": {"poll": "50ms"}}},
    {"pfc": {"priorities": [4]}},
    {"pfc": {"priorities": [2, 3]}},
    {"pfc": {"watchdog": {"detect": "160ms"}}},
    {"fec": "none"},
    {"trust": "dscp"},
    {"trust": "pcp"},
    {"mtu": {"switch": 5000, "nic": 5000}},
    {"mtu": {"min_l3": 5000}},
    {"classes": {"roce": {"bandwidth": "30%"}}},
    {"classes": {"roce": {"dscp": [24]}}},
    {"classes": {"cnp": None}},
    {"classes": {"cnp": "none"}},
    {"classes": {"bulk": {"dscp": [8], "priority": 1, "ecn": {"min": "10KB", "max": "20KB"}}}},
    {"pause": {"send": True}},
    {"lossless": "unknown"},
    {"lossless": False},
    {"fec": "rs544"},
]
WHERE = [{"role": "leaf"}, {"platform": "sonic"}, {"device": "leaf[1-2]"}, {"rail": "1-2"}]


def _merged(*parts: Data) -> Data:
    out: Data = {}
    for part in parts:
        for key, value in part.items():
            below = out.get(key)
            if isinstance(below, dict) and isinstance(value, dict):
                out[key] = _merged(below, value)
            else:
                out[key] = copy.deepcopy(value)
    return out


statements = st.lists(st.sampled_from(STATEMENTS), max_size=4).map(lambda held: _merged(*held))
kinds = st.sampled_from(["host", "fabric", "management"])


@st.composite
def fabrics(draw: st.DrawFn) -> Data:
    """Draw an inventory that is right: each refinement lies inside what it refines."""
    leaves, ports, hosts = draw(st.integers(2, 4)), draw(st.integers(2, 4)), draw(st.integers(2, 3))
    leaf: Data = {
        "platform": draw(st.sampled_from(["arista_eos", "sonic", "nobody"])),
        "role": "leaf",
        "rail": list(range(1, leaves + 1)),
        "access": {"address": f"192.0.2.[1-{leaves}]"},
        "ports": {
            f"e[1-{ports}]": _merged({"role": draw(kinds)}, draw(statements)),
            "e[1-2]": draw(statements),
            "e2": draw(statements),
        },
        **draw(statements),
    }
    switches: Data = {f"leaf[1-{leaves}]": leaf}
    inner = _merged({"description": "two of them"}, draw(statements))
    inner["ports"] = {f"e[1-{ports}]": draw(statements), "e2": draw(statements)}
    one = _merged({"description": "one of them"}, draw(statements))
    one["ports"] = {f"e[1-{ports}]": draw(statements), "e2": draw(statements)}
    if draw(st.booleans()):
        # Whoever is more exact in one selector and less in the other would be ambiguous.
        leaf["ports"] = {f"e[1-{ports}]": leaf["ports"][f"e[1-{ports}]"]}
        switches["leaf[1-2]"] = inner
        inner["ports"].pop("e2")
        if draw(st.booleans()):
            switches["leaf2"] = one
    return {
        "format": 1,
        "fabric": "small",
        "policy": {
            "classes": {
                "roce": {"dscp": [26], "priority": 3, "lossless": True},
                "cnp": {"dscp": [48], "priority": 6, "scheduler": "strict"},
            },
            "pfc": {"mode": True, "watchdog": {"detect": "200ms"}},
            "overrides": [
                {"match": where, **held}
                for where, held in draw(
                    st.lists(st.tuples(st.sampled_from(WHERE), statements), max_size=2)
                )
            ],
        },
        "roles": {"leaf": draw(statements), "host": draw(statements)},
        "switches": switches,
        "hosts": {
            f"gpu[1-{hosts}]": {
                "nics": {
                    "n[1-2]": _merged({"rdma": "mlx5_[0-1]", "rail": [1, 2]}, draw(statements)),
                    "n1": draw(statements),
                }
            }
        },
        "links": [
            {
                "for": {"h": f"1-{hosts}", "r": "1-2"},
                "a": "gpu{h}:n{r}",
                "b": "leaf{r}:e{h}" if hosts <= ports else "out:p{h*2+r}",
                "cable": "3m",
            }
        ],
        "external": {"out": {"lossless": "unknown"}},
    }


def write(data: Data, *paths: Path) -> None:
    """Write an inventory (JSON is YAML); with several paths, its entries spread over them."""
    parts: list[Data] = [{"format": 1} for _ in paths]
    turn = 0
    for section, held in data.items():
        if section in ("switches", "hosts", "links") and held:
            for key in list(held) if isinstance(held, dict) else range(len(held)):
                part = parts[turn % len(parts)]
                if isinstance(held, dict):
                    part.setdefault(section, {})[key] = held[key]
                else:
                    part.setdefault(section, []).append(held[key])
                turn += 1
        elif section != "format":
            parts[turn % len(parts)][section] = held
    for path, part in zip(paths, parts, strict=True):
        path.write_text(json.dumps(part, indent=1))


def make(data: Data, directory: Path, files: int = 1) -> Built:
    """Build an inventory that lies in one or several files."""
    for old in directory.glob("*.yaml"):
        old.unlink()
    write(data, *(directory / f"f{n}.yaml" for n in range(files)))
    return build(read([str(directory)]))


def in_full(data: Data) -> Data:
    """Write every set out: each device and each port under its own name, each link on its own."""
    out = {k: v for k, v in data.items() if k not in ("switches", "hosts", "links")}
    for section, inner in (("switches", "ports"), ("hosts", "nics")):
        out[section] = _devices(data[section], inner)
    out["links"] = [
        {
            "a": link["a"].format(h=h, r=r),
            "b": _end(link["b"], h, r),
            **{k: v for k, v in link.items() if k not in ("a", "b", "for")},
        }
        for link in data["links"]
        for h in range(1, int(link["for"]["h"][2:]) + 1)
        for r in (1, 2)
    ]
    return out


def _end(text: str, h: int, r: int) -> str:
    return text.replace("{h*2+r}", str(h * 2 + r)).format(h=h, r=r)


def _devices(entries: Data, inner: str) -> Data:
    out: Data = {}
    for key, held in entries.items():  # written from the widest to the narrowest
        names = expand(key)
        for place, name in enumerate(names):
            own = {k: v for k, v in held.items() if k != inner}
            if len(names) > 1:
                own = _unzipped(own, place)
            one = out.setdefault(name, {inner: {}})
            out[name] = {**_merged({k: v for k, v in one.items() if k != inner}, own)}
            out[name][inner] = _ports(one[inner], held.get(inner, {}))
    return out


def _ports(low: Data, entries: Data) -> Data:
    out = dict(low)
    for key, held in entries.items():
        names = expand(key)
        for place, name in enumerate(names):
            own = _unzipped(held, place) if len(names) > 1 else held
            out[name] = _merged(out.get(name, {}), own)
    return out


def _unzipped(held: Data, place: int) -> Data:
    out = copy.deepcopy(held)
    for key in ("rail", "rdma"):
        if key in out:
            value = out[key]
            out[key] = (expand(value) if isinstance(value, str) else value)[place]
    if "access" in out:
        out["access"]["address"] = expand(out["access"]["address"])[place]
    return out


def portrait(made: Built) -> Data:
    """Return everything about a fabric that must not depend on how it is written."""
    ports = {
        f"{name}:{port.name}": (
            device.configured.port(port.name),
            port.place,
            port.intent,
            port.rdma,
            port.platform,
        )
        for name, device in made.fabric.devices.items()
        for port in device.ports
    }
    links = sorted(
        (f"{li.a_device.name}:{li.a.name}", f"{li.b_device.name}:{li.b.name}", str(li.cable))
        for li in made.fabric.links
    )
    devices = {
        name: (d.role, d.platform, d.rail, d.access, d.configured.system)
        for name, d in made.fabric.devices.items()
    }
    return {"ports": ports, "links": links, "devices": devices}
