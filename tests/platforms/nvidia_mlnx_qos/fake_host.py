"""A host with NICs that never were: the tools, the kernel files, and the rules of the kernel.

Written from mlnx-tools (`mlnx_qos`, `cma_roce_tos`, `cma_roce_mode`), linux mlx5 `en_dcbnl.c` and
`port_buffer.c`, and MLNX_OFED `en_ecn.c` and `main_ext.c`, so that it can disagree with the
project: it imports nothing of it.  The same rules serve twice: called from Python, and as
executables on PATH that keep their state in a file (`python fake_host.py TOOL ARGUMENT…`).
"""

import marshal
import os
import sys

if __package__:
    from tests.platforms.nvidia_mlnx_qos.fake_qos import VENDOR, Refused, deaf, log, mlnx_qos
else:  # run as an executable
    from fake_qos import VENDOR, Refused, deaf, log, mlnx_qos

LIMIT = 64 * 1024 * 1024
RP = {
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


def nic(rdma, **changes):
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


def host(*nics, **changes):
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


def run(state, tool, args, given=""):
    """Run one tool; gives exit code and output.  Counts calls, and fails the one asked to fail."""
    state["calls"] += 1
    if state["calls"] == state["fail"]:
        return 1, f"{tool}: cannot do that now"
    try:
        return 0, TOOLS[tool](state, args, given)
    except Refused as no:
        return no.code, no.text


# ---- the other tools ---------------------------------------------------------------------------


def _rdma(state, args, name):
    device = args[args.index("-d") + 1] if "-d" in args else "mlx5_0"
    if "rdma_cm" not in state["modules"]:
        raise Refused(1, "Module rdma_cm is not loaded or does not support configfs")
    for netdev, it in state["nics"].items():
        if it["rdma"] == device:
            return netdev, it
    raise Refused(1, f"Failed to create configuration for {device}")


def cma_roce_tos(state, args, given):
    netdev, it = _rdma(state, args, "cma_roce_tos")
    if "-t" in args:
        log(state, netdev, "tos")
        if not deaf(state, "tos"):
            it["tos"] = int(args[args.index("-t") + 1]) & 255
    return f"{it['tos']}\n"


def cma_roce_mode(state, args, given):
    netdev, it = _rdma(state, args, "cma_roce_mode")
    if "-m" in args:
        log(state, netdev, "mode")
        it["mode"] = {"1": "IB/RoCE v1", "2": "RoCE v2"}[args[args.index("-m") + 1]]
    return f"{it['mode']}\n"


def ethtool(state, args, given):
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


def ip(state, args, given):
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
        import json  # the tools start faster without

        return json.dumps([{"ifindex": 1, "ifname": "lo", "flags": ["UP"], "mtu": 65536}, *rows])
    if args[:3] != ["link", "set", "dev"] or args[3] not in state["nics"] or args[4] != "mtu":
        raise Refused(1, "Cannot find device")
    if int(args[5]) > 9978:
        raise Refused(2, "Error: mtu greater than device maximum.")
    log(state, args[3], "mtu")
    state["nics"][args[3]]["mtu"] = int(args[5])
    return ""


def modprobe(state, args, given):
    log(state, "host", "modprobe")
    state["modules"].append(args[0])
    return ""


def tee(state, args, given):
    path = args[-1]
    given = given.rstrip("\n")
    write_file(state, path[path.index("/class/") :], given)
    return given


# ---- kernel files, by their path below /sys ----------------------------------------------------


def files(state):
    """Every file with its content."""
    found = {}
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


def write_file(state, path, text):
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


TOOLS = {
    "mlnx_qos": mlnx_qos,
    "cma_roce_tos": cma_roce_tos,
    "cma_roce_mode": cma_roce_mode,
    "ethtool": ethtool,
    "ip": ip,
    "modprobe": modprobe,
    "tee": tee,
}


def answer(state, command):
    """What a shell on this host prints for one read."""
    words = command.split()
    if words[0] in TOOLS:
        return run(state, words[0], words[1:])[1]
    if words[0] == "head":
        blocks = []
        known = files(state)
        for path in words[4:]:
            content = known.get(path.removeprefix("/sys"))
            if content is None:
                blocks.append(f"head: cannot open '{path}' for reading: No such file or directory")
            else:
                blocks.append(f"==> {path} <==\n{content}")
        return "\n".join(blocks)
    if words[0] == "ls":
        return "".join(
            f"/sys/class/infiniband/{it['rdma']}/device/net/{name}\n"
            for name, it in state["nics"].items()
        )
    if words[0] == "ps":
        return "systemd\nsshd\n" + ("lldpad\n" if state["lldpad"] else "")
    return ""


# ---- as executables ----------------------------------------------------------------------------


def sync(state, root):
    """Write the kernel files below a directory."""
    for path, content in files(state).items():
        target = root + path
        os.makedirs(os.path.dirname(target), exist_ok=True)
        try:
            with open(target) as was:
                if was.read() == content:
                    continue
        except FileNotFoundError:
            pass
        with open(target, "w") as out:
            out.write(content)


def main(argv):
    place = os.environ["FAKE_HOST_STATE"]
    with open(place, "rb") as source:
        state = marshal.load(source)
    before = len(state["log"])
    tool = argv[0]
    given = sys.stdin.read() if tool == "tee" else ""
    code, text = run(state, tool, argv[1:], given)
    with open(place, "wb") as target:
        marshal.dump(state, target)
    if len(state["log"]) > before:
        sync(state, os.environ["LOSSLESS_SYSFS_ROOT"])
    sys.stdout.write(text)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
