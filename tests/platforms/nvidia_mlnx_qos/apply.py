"""Operations carried out on the fake host without a shell, for many examples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lossless.model.operation import Op, Verb
from lossless.model.values import OFF
from tests.platforms.nvidia_mlnx_qos import fake_host, fake_qos

Host = dict[str, Any]


def apply(state: Host, ops: Sequence[Op]) -> None:
    """Carry out operations in their order; a refusal is an error of the plan."""
    for op in ops:
        name = op.key[0]
        it = state["nics"][name]
        for tool, args, given in calls(op, name, it):
            code, text = fake_host.run(state, tool, args, given)
            assert code == 0, f"{op.verb.value} {op.object} {op.new}: {tool} {args}: {text}"


def calls(op: Op, name: str, it: dict[str, Any]) -> list[tuple[str, list[str], str]]:
    qos = _qos(op, it)
    if qos is not None:
        return [("mlnx_qos", ["-i", name, *qos], "")] if qos else []
    if op.object == "mtu":
        return [("ip", ["link", "set", "dev", name, "mtu", str(op.new)], "")]
    if op.object == "pause":
        words = ["on" if side is True else "off" for side in op.new if side is not None]
        told = [w for side, w in zip(op.new, ("rx", "tx"), strict=True) if side is not None]
        pairs = [word for pair in zip(told, words, strict=True) for word in pair]
        return [("ethtool", ["-A", name, *pairs], "")]
    if op.object in ("cm_tos", "cm_mode"):
        tool, flag = ("cma_roce_tos", "-t") if op.object == "cm_tos" else ("cma_roce_mode", "-m")
        value = str(op.new) if op.object == "cm_tos" else op.new.value.removeprefix("v")
        return [(tool, ["-d", it["rdma"], "-p", "1", flag, value], "")]
    return [("tee", [path], f"{value}\n") for path, value in _files(op, name, it)]


def _files(op: Op, name: str, it: dict[str, Any]) -> list[tuple[str, int]]:
    root = f"/class/net/{name}/ecn"
    if op.object == "global_tclass":
        value = -1 if op.verb is Verb.UNSET else op.new
        return [(f"/class/infiniband/{it['rdma']}/tc/1/traffic_class", value)]
    if op.object in ("notification_point", "reaction_point"):
        end = "np" if op.object == "notification_point" else "rp"
        wanted = [int(p in op.new) for p in range(8)]
        return [
            (f"{root}/roce_{end}/enable/{p}", bit)
            for p, bit in enumerate(wanted)
            if bit != it[end][p]
        ]
    if op.object == "cc_parameter":
        return [(f"{root}/roce_rp/{op.key[1]}", op.new)]
    leaf = {
        "cnp_dscp": ("cnp_dscp", 1),
        "cnp_priority": ("cnp_802p_prio", 1),
        "cnp_interval": ("min_time_between_cnps", 1000),
    }[op.object]
    return [(f"{root}/roce_np/{leaf[0]}", op.new // leaf[1])]


def _commas(values: Sequence[Any], now: Sequence[Any]) -> str:
    return ",".join(str(n if v is None else v) for v, n in zip(values, now, strict=True))


def _qos(op: Op, it: dict[str, Any]) -> list[str] | None:
    kind, new = op.object, op.new
    if kind == "dcb_owner":
        return ["--dcbx", "fw" if new.value == "fw" else "os"]
    if kind == "cable_length":
        return ["--cable_len", str(new // 1000)]
    if kind == "pfc":
        return ["--pfc", ",".join(str(int(p in new)) for p in range(8))]
    if kind == "trust":
        return ["--trust", new.value]
    if kind == "dscp":
        words = [(f"set,{d},{p}" if p is not OFF else _gone(d, it)) for d, p in new]
        return [word for w in words if w for word in ("--dscp2prio", w)]
    if kind == "ets":
        return _ets(new, it)
    if kind == "rate_limits":
        told = [None if rate is None else rate // 10**9 for rate in new]
        return ["--ratelimit", _commas(told, [k // 10**6 for k in it["kbps"]])]
    if kind == "priority_to_buffer":
        return ["--prio2buffer", _commas(new, it["p2b"])]
    if kind == "buffer_sizes":
        return ["--buffer_size", _commas(new, it["sizes"])]
    if kind == "buffer_room":
        return ["--buffer_size", ",".join(map(str, _room(new, it)))]
    return None


def _gone(dscp: int, it: dict[str, Any]) -> str:
    found = it["apps"].get(str(dscp))
    return "" if found is None else f"del,{dscp},{found}"


def _ets(new: Any, it: dict[str, Any]) -> list[str]:
    classes, algorithms, shares = new
    shown, real = fake_qos.shown_ets(it)
    tsa = _commas(algorithms, shown).split(",")
    share = _commas(shares, real).split(",")
    share = [s if t == "ets" else "0" for s, t in zip(share, tsa, strict=True)]
    options = ["--prio_tc", _commas(classes, it["prio_tc"]), "--tsa", ",".join(tsa)]
    return [*options, "--tcbw", ",".join(share)]


def _room(new: Any, it: dict[str, Any]) -> list[int]:
    sizes = [n if v is None else v for v, n in zip(new[0], it["sizes"], strict=True)]
    target = [n if v is None else v for v, n in zip(new[1], it["p2b"], strict=True)]
    largest = max(sizes)
    for p in range(8):
        if it["pfc"][p]:
            for b in (it["p2b"][p], target[p]):
                sizes[b] = max(sizes[b], it["sizes"][it["p2b"][p]], largest)
    return sizes
