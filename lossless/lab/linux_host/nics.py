"""The NICs of a simulated host: their state, the smaller tools, and the kernel's files.

Written from mlnx-tools (`cma_roce_tos`, `cma_roce_mode`, `show_gids`), rdma-core, iproute2,
ethtool, and MLNX_OFED `en_ecn.c` and `main_ext.c`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from lossless.lab.linux_host.qos import VENDOR, Refused, State, deaf, log, mlnx_qos

LIMIT: Final = 64 * 1024 * 1024
RP: Final = {
    "clamp_tgt_rate": 0,
    "clamp_tgt_rate_after_time_inc": 1,
    "rpg_time_reset": 300,
    "rpg_byte_reset": 32767,
    "rpg_threshold": 1,
    "rpg_max_rate": 0,
    "rpg_ai_rate": 5,
    "rpg_hai_rate": 50,
    "rpg_gd": 11,
    "rpg_min_dec_fac": 50,
    "rpg_min_rate": 1,
    "rate_to_set_on_first_cnp": 0,
    "dce_tcp_g": 1019,
    "dce_tcp_rtt": 1,
    "rate_reduce_monitor_period": 4,
    "initial_alpha_value": 1023,
}


def nic(rdma: str, **changes: Any) -> State:
    """A NIC as it leaves the factory."""
    state = {
        "rdma": rdma,
        "owner": "os",
        "apps": {},
        "pfc": [0] * 8,
        "cable": 7,
        "manual": False,
        "sizes": [262016] + [0] * 7,
        "p2b": [0] * 8,
        "total": LIMIT,
        "buffers": True,
        "rate": True,
        "prio_tc": [1, 0, 2, 3, 4, 5, 6, 7],
        "tsa": [VENDOR] * 8,
        "group": [7] * 8,
        "share": [100] * 8,
        "kbps": [0] * 8,
        "mtu": 1500,
        "rx": "on",
        "tx": "on",
        "pause": True,
        "np": [1] * 8,
        "rp": [1] * 8,
        "cnp_dscp": 48,
        "cnp_802p_prio": 6,
        "min_time_between_cnps": 4,
        "params": dict(RP),
        "tclass": -1,
        "tos": 0,
        "mode": "RoCE v2",
        "ofed": True,
        "speed": 400000,
        "flaps": 0,
    }
    return {**state, **changes}


def host(*nics: tuple[str, State], **changes: Any) -> State:
    """A host: interfaces by name, modules, and whether lldpad runs."""
    return {
        "nics": dict(nics),
        "modules": ["rdma_cm"],
        "lldpad": False,
        "log": [],
        "calls": 0,
        "fail": 0,
        "deaf": [],
        **changes,
    }


def run(state: State, tool: str, args: Sequence[str], given: str = "") -> tuple[int, str]:
    """Run one tool; gives exit code and output.  Counts calls, and fails the one asked to fail."""
    state["calls"] += 1
    if state["calls"] == state["fail"]:
        return 1, f"{tool}: cannot do that now"
    try:
        return 0, TOOLS[tool](state, args, given)
    except Refused as no:
        return no.code, no.text


# ---- the other tools ---------------------------------------------------------------------------


def _rdma(state: State, args: Sequence[str]) -> tuple[str, State]:
    device = args[args.index("-d") + 1] if "-d" in args else "mlx5_0"
    if "rdma_cm" not in state["modules"]:
        raise Refused(1, "Module rdma_cm is not loaded or does not support configfs")
    for netdev, it in state["nics"].items():
        if it["rdma"] == device:
            return netdev, it
    raise Refused(1, f"Failed to create configuration for {device}")


def cma_roce_tos(state: State, args: Sequence[str], given: str) -> str:
    """Read or set the ToS of RDMA-CM connections."""
    netdev, it = _rdma(state, args)
    if "-t" in args:
        log(state, netdev, "tos")
        if not deaf(state, "tos"):
            it["tos"] = int(args[args.index("-t") + 1]) & 255
    return f"{it['tos']}\n"


def cma_roce_mode(state: State, args: Sequence[str], given: str) -> str:
    """Read or set the version of RoCE of RDMA-CM."""
    netdev, it = _rdma(state, args)
    if "-m" in args:
        log(state, netdev, "mode")
        it["mode"] = {"1": "IB/RoCE v1", "2": "RoCE v2"}[args[args.index("-m") + 1]]
    return f"{it['mode']}\n"


def ethtool(state: State, args: Sequence[str], given: str) -> str:
    """Read the driver, the speed or pause, or set pause."""
    flag, name = (args[0], args[1]) if args[0].startswith("-") else ("", args[0])
    if name not in state["nics"]:
        raise Refused(75, "netlink error: No such device")
    it = state["nics"][name]
    if flag == "-i":
        return (
            "driver: mlx5_core\nversion: 24.10-1.1.4\n"
            "firmware-version: 28.43.1014 (MT_0000000838)\n"
        )
    if not flag:
        return f"Settings for {name}:\n\tSpeed: {it['speed']}Mb/s\n\tDuplex: Full\n"
    if not it["pause"]:
        raise Refused(1, "netlink error: Operation not supported")
    if flag == "-A":
        told = dict(zip(args[2::2], args[3::2], strict=True))
        if told.get("rx", it["rx"]) == it["rx"] and told.get("tx", it["tx"]) == it["tx"]:
            raise Refused(
                78,
                "rx unmodified, ignoring\nno pause parameters changed, aborting",
            )
        log(state, name, "pause")
        it.update(told)
        return ""
    head = f"Pause parameters for {name}:\nAutonegotiate:\toff\n"
    return f"{head}RX:\t\t{it['rx']}\nTX:\t\t{it['tx']}\n\n"


def ip(state: State, args: Sequence[str], given: str) -> str:
    """List links, or set an MTU."""
    if args[:1] == ["-j"]:
        rows = [
            {
                "ifindex": n,
                "ifname": name,
                "flags": ["BROADCAST", "UP", "LOWER_UP"],
                "mtu": it["mtu"],
                "operstate": "UP",
                "link_type": "ether",
            }
            for n, (name, it) in enumerate(state["nics"].items(), 2)
        ]
        return json.dumps([{"ifindex": 1, "ifname": "lo", "flags": ["UP"], "mtu": 65536}, *rows])
    if args[:3] != ["link", "set", "dev"] or args[3] not in state["nics"] or args[4] != "mtu":
        raise Refused(1, "Cannot find device")
    if int(args[5]) > 9978:
        raise Refused(2, "Error: mtu greater than device maximum.")
    log(state, args[3], "mtu")
    state["nics"][args[3]]["mtu"] = int(args[5])
    return ""


def modprobe(state: State, args: Sequence[str], given: str) -> str:
    """Load a module."""
    log(state, "host", "modprobe")
    state["modules"].append(args[0])
    return ""


def tee(state: State, args: Sequence[str], given: str) -> str:
    """Write a kernel file."""
    path = args[-1]
    given = given.rstrip("\n")
    write_file(state, path[path.index("/class/") :], given)
    return given


def ibv_devinfo(state: State, args: Sequence[str], given: str) -> str:
    """Tell of the RDMA devices."""
    wanted = args[args.index("-d") + 1] if "-d" in args else None
    names = [it["rdma"] for it in state["nics"].values() if wanted in (None, it["rdma"])]
    if not names:
        raise Refused(255, "No IB devices found")
    return "".join(
        f"hca_id:\t{name}\n\ttransport:\t\t\tInfiniBand (0)\n\tfw_ver:\t\t\t\t28.43.1014\n"
        "\tboard_id:\t\t\tMT_0000000838\n\tphys_port_cnt:\t\t\t1\n\t\tport:\t1\n"
        "\t\t\tstate:\t\t\tPORT_ACTIVE (4)\n\t\t\tmax_mtu:\t\t4096 (5)\n"
        "\t\t\tactive_mtu:\t\t4096 (5)\n\t\t\tlink_layer:\t\tEthernet\n\n"
        for name in names
    )


def show_gids(state: State, args: Sequence[str], given: str) -> str:
    """List the GIDs: the link-local address of each NIC, in both versions."""
    lines = ["DEV\tPORT\tINDEX\tGID\t\t\t\t\tIPv4  \t\tVER\tDEV", "---\t----\t-----\t---"]
    for number, (netdev, it) in enumerate(state["nics"].items(), 1):
        gid = f"fe80:0000:0000:0000:0000:00ff:fe00:{number:04x}"
        lines += [f"{it['rdma']}\t1\t{n}\t{gid}\t\t\tv{n + 1}\t{netdev}" for n in range(2)]
    return "\n".join([*lines, f"n_gids_found={2 * len(state['nics'])}", ""])


def mlxconfig(state: State, args: Sequence[str], given: str) -> str:
    """Show parameters that the NIC keeps over reboots: default, current, next boot."""
    address = args[args.index("-d") + 1] if "-d" in args else ""
    if address not in [it.get("pci") for it in state["nics"].values()] or "query" not in args:
        raise Refused(3, f"-E- Failed to open device: {address}")
    rows = (("ROCE_CC_PRIO_MASK_P1", 255), ("CNP_DSCP_P1", 48), ("CNP_802P_PRIO_P1", 6))
    lines = [f"\nDevice #1:\n----------\n\nDevice type:        ConnectX7\nDevice: {address}\n"]
    lines.append(
        "Configurations:                          Default         Current         Next Boot"
    )
    lines += [f"        {name:<32} {value:<15} {value:<15} {value}" for name, value in rows]
    return "\n".join([*lines, ""])


# ---- kernel files, by their path below /sys ----------------------------------------------------


def files(state: State) -> dict[str, str]:
    """Every file with its content."""
    found: dict[str, str] = {}
    for name, it in state["nics"].items():
        found[f"/class/net/{name}/mtu"] = f"{it['mtu']}\n"
        found[f"/class/net/{name}/device/infiniband/{it['rdma']}/fw_ver"] = "28.43.1014\n"
        found[f"/class/infiniband/{it['rdma']}/fw_ver"] = "28.43.1014\n"
        if not it["ofed"]:
            continue
        root = f"/class/net/{name}/ecn"
        for end in ("np", "rp"):
            for p in range(8):
                found[f"{root}/roce_{end}/enable/{p}"] = f"{it[end][p]}\n"
        for leaf in ("cnp_dscp", "cnp_802p_prio", "min_time_between_cnps"):
            found[f"{root}/roce_np/{leaf}"] = f"{it[leaf]}\n"
        for leaf, value in it["params"].items():
            found[f"{root}/roce_rp/{leaf}"] = f"{value}\n"
        forced = f"Global tclass={it['tclass']}\n" if it["tclass"] >= 0 else ""
        found[f"/class/infiniband/{it['rdma']}/tc/1/traffic_class"] = forced
    if "rdma_cm" in state["modules"]:
        found["/kernel/config/rdma_cm/.here"] = ""
    return found


def write_file(state: State, path: str, text: str) -> None:
    """Write a kernel file, by its path below /sys.  Raises `Refused`."""
    if path not in files(state):
        raise Refused(1, f"tee: {path}: No such file or directory")
    if not text.removeprefix("-").isdigit():
        raise Refused(1, f"tee: {path}: Invalid argument")
    value = int(text)
    parts = path.split("/")[2:]
    if parts[0] == "infiniband" and parts[-1] == "traffic_class":
        name = next(n for n, it in state["nics"].items() if it["rdma"] == parts[1])
        if value > 255:
            raise Refused(1, f"tee: {path}: Invalid argument")
        log(state, name, "tclass")
        state["nics"][name]["tclass"] = value
        return
    if parts[2] != "ecn":
        raise Refused(1, f"tee: {path}: Permission denied")
    name, end, enable, leaf = parts[1], parts[3].removeprefix("roce_"), parts[-2], parts[-1]
    it = state["nics"][name]
    log(state, name, f"{end}/{leaf}")
    if enable == "enable":
        if value and it[end][int(leaf)]:
            raise Refused(1, f"tee: {path}: Operation not permitted")  # mlx5e_store_ecn_enable
        it[end][int(leaf)] = value
    elif leaf in it["params"]:
        it["params"][leaf] = value
    else:
        it[leaf] = value


TOOLS: Final[dict[str, Callable[[State, Sequence[str], str], str]]] = {
    "mlnx_qos": mlnx_qos,
    "cma_roce_tos": cma_roce_tos,
    "cma_roce_mode": cma_roce_mode,
    "ethtool": ethtool,
    "ibv_devinfo": ibv_devinfo,
    "show_gids": show_gids,
    "mlxconfig": mlxconfig,
    "ip": ip,
    "modprobe": modprobe,
    "tee": tee,
}
