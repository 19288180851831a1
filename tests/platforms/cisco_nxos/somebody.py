"""A box that somebody else configured, and what a plan writes to it."""

from __future__ import annotations

from typing import Any

from lossless.model.device import Device, DeviceState
from lossless.model.operation import Op
from lossless.model.settings import Settings
from lossless.model.units import Bandwidth, BandwidthKind, Quantity, Unit
from lossless.platforms.cisco_nxos import PLATFORM
from lossless.platforms.contract import Output, Parsed

LEAF = Device(name="leaf1", kind="switch", platform="cisco_nxos")

#: Somebody's own box, with their names.
BOX = """!Command: show running-config
version 10.4(3) Bios:version 01.11
hostname leaf1
priority-flow-control watch-dog-interval on
class-map type qos match-any NOTICES
  match dscp 48
class-map type qos match-any RDMA
  match dscp 26
policy-map type network-qos NET
  class type network-qos c-8q-nq3
    mtu 2240
    pause pfc-cos 3
  class type network-qos c-8q-nq-default
    mtu 9216
policy-map type qos IN
  class RDMA
    set qos-group 3
  class NOTICES
    set qos-group 7
  class class-default
    set qos-group 0
policy-map type queuing OUT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
    burst-detect rise-threshold 60 percent fall-threshold 40 percent
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 50
  class type queuing c-out-8q-q7
    priority level 1
system qos
  service-policy type queuing output OUT
  service-policy type network-qos NET
interface Ethernet1/1
  priority-flow-control mode on
  service-policy type qos input IN
interface Ethernet1/2
  priority-flow-control mode on
  service-policy type qos input IN
interface Ethernet1/3
"""


def shown(text: str = BOX) -> Parsed:
    return PLATFORM.parse([Output("show running-config", text)])


def ops(after: DeviceState, text: str = BOX) -> tuple[Op, ...]:
    found = shown(text)
    return PLATFORM.plan(after, found.state, found.native)


def lines(after: DeviceState, text: str = BOX) -> list[str]:
    written = PLATFORM.render(ops(after, text), LEAF)[0].text.split("\n")
    return [line.strip() for line in written[1:] if line.strip()]


def ports(*names: str, **facets: Any) -> DeviceState:
    return DeviceState(ports={name: Settings(**facets) for name in names})


def share(percent: int, kind: BandwidthKind = BandwidthKind.REMAINING) -> Bandwidth:
    return Bandwidth(kind, percent * 10_000)


def kbytes(number: int) -> Quantity:
    return Quantity(number, Unit.KBYTES)  # type: ignore[arg-type]


BOTH = ("Ethernet1/1", "Ethernet1/2")
