"""What the NIC's tools call things, where the kernel keeps them, and how they stand at the factory.

Sources, named once here: mlnx-tools (`mlnx_qos`, `dcbnetlink.py`, `cma_roce_tos`, `cma_roce_mode`,
`show_gids`), linux `drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c` and `en/port_buffer.c`,
MLNX_OFED `en_ecn.c` (sysfs `ecn/`) and mlx5 `main_ext.c` (sysfs `tc/`).
"""

from __future__ import annotations

import re
from typing import Final

from lossless.model.profile import Grade, Source

PRIORITIES: Final = 8
DSCPS: Final = 64

#: linux `dev_valid_name`: no slash, colon or white space, 15 bytes; the first character may not be
#: a dash here, so that no tool takes a name for an option.
_NETDEV: Final = re.compile(r"(?!\.\.?\Z)[A-Za-z0-9_.][A-Za-z0-9_.@+-]{0,14}\Z")
#: names that udev and rdma-core give: mlx5_0, rocep1s0f0, mlx5_bond_0.
_RDMA: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}\Z")
_PCI: Final = re.compile(r"(?:[0-9a-fA-F]{4,8}:)?[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]\Z")

#: Reaction-point parameters that `ecn/roce_rp` holds, in the kernel's order and units
#: (en_ecn.c, mlx5e_fill_rp_attributes).
PARAMETERS: Final = (
    "clamp_tgt_rate",
    "clamp_tgt_rate_after_time_inc",
    "rpg_time_reset",
    "rpg_byte_reset",
    "rpg_threshold",
    "rpg_max_rate",
    "rpg_ai_rate",
    "rpg_hai_rate",
    "rpg_gd",
    "rpg_min_dec_fac",
    "rpg_min_rate",
    "rate_to_set_on_first_cnp",
    "dce_tcp_g",
    "dce_tcp_rtt",
    "rate_reduce_monitor_period",
    "initial_alpha_value",
)
PARAMETER_MAXIMUM: Final = 2**31 - 1  # sysfs reads them with "%d"

#: firmware default, and what `--trust dscp` writes (dcbnetlink.py setDefaultAppEntry).
DEFAULT_DSCP_MAP: Final = tuple(dscp >> 3 for dscp in range(DSCPS))
#: en_dcbnl.c mlx5e_ets_init: the first two are swapped on purpose.
DEFAULT_PRIORITY_TO_TC: Final = (1, 0, 2, 3, 4, 5, 6, 7)
DEFAULT_CABLE: Final = 7_000  # mm: MLX5E_DEFAULT_CABLE_LEN is 7 m
CABLE_METRES: Final = range(1, 1000)  # setpfc ignores 0 and MLX5E_MAX_CABLE_LENGTH (1000) upwards
DEFAULT_MTU: Final = 1500

GBIT: Final = 10**9
#: en_dcbnl.c setmaxrate: below 26 Gb/s steps of 100 Mb/s, above 1 Gb/s; both in eight bits.
RATE_STEP: Final = 10**8
COARSE_RATE: Final = 26 * GBIT
MAXIMUM_RATE: Final = 255 * GBIT
#: Sizes are kept in whole cells (128 bytes unless firmware says otherwise, 96 on ConnectX-7), so
#: that a size reads back at most this much smaller.
LARGEST_CELL: Final = 256

_CHECKED: Final = "2026-11-30"
SETPFC: Final = Source(
    "linux mlx5 en_dcbnl.c, mlx5e_dcbnl_ieee_setpfc: a changed bitmap calls mlx5_toggle_port_link",
    Grade.VERIFIED,
    _CHECKED,
)
SETETS: Final = Source(
    "linux mlx5 en_dcbnl.c, mlx5e_dcbnl_ieee_setets_core: map, groups and shares are written one "
    "after another on a running port; what is lost meanwhile was not measured",
    Grade.SECONDARY,
    _CHECKED,
)
SETBUFFER: Final = Source(
    "linux mlx5 port_buffer.c, port_set_buffer rewrites the port's buffer register under traffic; "
    "what is lost meanwhile was not measured",
    Grade.SECONDARY,
    _CHECKED,
)
SETAPP: Final = Source(
    "linux mlx5 en_dcbnl.c, mlx5e_dcbnl_ieee_setapp and set_trust_state: packets in flight change "
    "their priority",
    Grade.VERIFIED,
    _CHECKED,
)
SETMTU: Final = Source(
    "linux mlx5 en_main.c, mlx5e_change_mtu reopens the channels of a running interface",
    Grade.MEMORY,
    _CHECKED,
)
SETTCLASS: Final = Source(
    "MLNX_OFED mlx5 main_ext.c, tclass_update_qps: a write re-marks queue pairs that are already "
    "running",
    Grade.VERIFIED,
    _CHECKED,
)


def valid_netdev(name: str) -> bool:
    """Say whether a network interface's name can be handed to a tool as it is."""
    return bool(_NETDEV.match(name))


def valid_rdma(name: str) -> bool:
    """Say whether an RDMA device's name can be handed to a tool as it is."""
    return bool(_RDMA.match(name))


def valid_pci(name: str) -> bool:
    """Say whether this is a PCI address (domain optional)."""
    return bool(_PCI.match(name))
