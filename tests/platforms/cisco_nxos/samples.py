"""Configurations and answers written for the tests, in the grammar that boxes print."""

from __future__ import annotations

HEADER = """
!Command: show running-config
!Running configuration last done at: Mon Jan  5 10:00:00 2026
!Time: Mon Jan  5 10:01:00 2026

version 10.4(3) Bios:version 01.11
hostname leaf1

feature lldp
"""

#: A fabric for GPUs: DSCP, one lossless class, CNPs in the strict queue.
AI = (
    HEADER
    + """priority-flow-control watch-dog-interval on
class-map type qos match-any NOTICES
  match dscp 48
class-map type qos match-any RDMA
  match dscp 24,26
policy-map type network-qos NET
  class type network-qos c-8q-nq3
    mtu 4200
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
  class type queuing c-out-8q-q6
    bandwidth remaining percent 0
  class type queuing c-out-8q-q5
    bandwidth remaining percent 0
  class type queuing c-out-8q-q4
    bandwidth remaining percent 0
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
    burst-detect rise-threshold 60 percent fall-threshold 40 percent
    random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes \
drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q2
    bandwidth remaining percent 0
  class type queuing c-out-8q-q1
    bandwidth remaining percent 0
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 50
  class type queuing c-out-8q-q7
    priority level 1
system qos
  service-policy type queuing output OUT
  service-policy type network-qos NET

interface Ethernet1/1/1
  description first of the hosts
  switchport
  switchport access vlan 210
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  spanning-tree port type edge
  mtu 9216
  service-policy type qos input IN
  no shutdown

interface Ethernet1/1/2
  switchport
  switchport access vlan 210
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  mtu 9216
  service-policy type qos input IN
  no shutdown

interface Ethernet1/3

interface mgmt0
  vrf member management
"""
)

#: Storage behind a top-of-rack switch: CoS, a step of marking, TLVs sent.
AZURE = (
    HEADER
    + """class-map type qos match-all BEAT
  match cos 7
class-map type qos match-all STORE
  match cos 3
policy-map type network-qos NQ
  class type network-qos c-8q-nq3
    mtu 9216
    pause pfc-cos 3
  class type network-qos c-8q-nq-default
    mtu 9216
  class type network-qos c-8q-nq7
    mtu 9216
policy-map type qos SORT
  class STORE
    set qos-group 3
  class BEAT
    set qos-group 7
policy-map type queuing SHARE
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
    random-detect minimum-threshold 300 kbytes maximum-threshold 300 kbytes \
drop-probability 100 weight 0 ecn
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 48
  class type queuing c-out-8q-q7
    bandwidth percent 1
  class type queuing c-out-8q-q1
    bandwidth remaining percent 0
  class type queuing c-out-8q-q2
    bandwidth remaining percent 0
  class type queuing c-out-8q-q4
    bandwidth remaining percent 0
  class type queuing c-out-8q-q5
    bandwidth remaining percent 0
  class type queuing c-out-8q-q6
    bandwidth remaining percent 0
system qos
  service-policy type queuing output SHARE
  service-policy type network-qos NQ

interface Ethernet1/17
  switchport
  switchport mode trunk
  switchport trunk native vlan 99
  switchport trunk allowed vlan 711
  priority-flow-control mode on send-tlv
  mtu 9216
  service-policy type qos input SORT
  no shutdown
"""
)

#: An older box: four queues, classes of somebody's own, a group that is lossless without a CoS.
OLD = """
!Command: show running-config
!Time: Wed Mar 16 10:15:54 2016

version 6.0(2)U6(1)
hostname tor1

banner motd #

interface Ethernet1/1
  priority-flow-control mode off

#

hardware profile pfc mmu buffer-reservation 40
class-map type qos match-all STORE
  match cos 4
class-map type queuing STORE
  match qos-group 2
policy-map type qos SORT
  class STORE
    set qos-group 2
  class class-default
policy-map type queuing SHARE
  class type queuing STORE
    bandwidth percent 60
  class type queuing class-default
    bandwidth percent 40
policy-map type queuing ROOM
  class type queuing STORE
    pause buffer-size 101920 pause-threshold 46800 resume-threshold 34320
  class type queuing class-default
class-map type network-qos STORE
  match qos-group 2
class-map type network-qos IDLE
  match qos-group 1
policy-map type network-qos NET
  class type network-qos STORE
    mtu 2240
    pause no-drop
  class type network-qos class-default
    mtu 9216
policy-map type network-qos jumbo
  class type network-qos class-default
    mtu 9216
system qos
  service-policy type qos input SORT
  service-policy type queuing output SHARE
  service-policy type network-qos NET

interface Ethernet1/1
  speed 10000
  priority-flow-control mode on
  switchport mode trunk
  switchport trunk native vlan 12
  switchport trunk allowed vlan 7-12
  service-policy type queuing input ROOM
  no shutdown

interface Ethernet1/2
"""

PFC_TABLE = """
============================================================
Port               Mode Oper(VL bmap)  RxPPP      TxPPP
============================================================

Ethernet1/1/1      On   On  (18)      11          207
Ethernet1/2        Auto Off           0           0
Ethernet1/3        On   On  (0)       0           0
Ethernet1/4        Off  Off           0           0
Vethernet7         Auto Off           0           0
"""

QUEUING = """slot  1
=======


Egress Queuing for Ethernet1/7 [System]
------------------------------------------------------------------------------
QoS-Group# Bandwidth% PrioLevel                Shape                   QLimit
                                   Min          Max        Units
------------------------------------------------------------------------------
      7             -         1           -            -     -            9(D)
      6             0         -           -            -     -            9(D)
      5            30         -           -            -     -           (N/A)
      4             0         -           -            -     -            9(D)
      3             0         -           -            -     -            9(D)
      2             0         -           -            -     -            9(D)
      1             0         -           -            -     -            9(D)
      0            70         -           -            -     -            9(D)
+-------------------------------------------------------------+
|                              QOS GROUP 0                    |
+-------------------------------------------------------------+
|                           |  Unicast       |Multicast       |
+-------------------------------------------------------------+
|                   Tx Pkts |             812|              29|
+-------------------------------------------------------------+

Ingress Queuing for Ethernet1/7
--------------------------------------------------------
QoS-Group#                 Pause
           Buff Size       Pause Th      Resume Th
--------------------------------------------------------
      7              -            -            -
      6              -            -            -
      5         348608        77376        75712
      4              -            -            -
      3              -            -            -
      2              -            -            -
      1              -            -            -
      0              -            -            -

PFC Statistics
------------------------------------------------------------------------------
TxPPP:                  150,   RxPPP:                    0
------------------------------------------------------------------------------
PFC_COS QOS_Group   TxPause             TxCount   RxPause             RxCount
      0         0  Inactive                   0  Inactive                   0
      1         1  Inactive                   0  Inactive                   0
      2         2  Inactive                   0  Inactive                   0
      3         3  Inactive                   0  Inactive                   0
      4         5    Active                 150  Inactive                   0
      5         0  Inactive                   0  Inactive                   0
      6         6  Inactive                   0  Inactive                   0
      7         7  Inactive                   0  Inactive                   0
------------------------------------------------------------------------------
"""

WATCHDOG = """Ethernet1/7 Interface PFC watchdog: [Enabled]
Disable-action                     : No
PFC watch-dog interface-multiplier : 0
+----------------------------------------------------+
| QOS GROUP 5 [Active] PFC [YES] PFC-COS [4]
+----------------------------------------------------+
|                               |  Stats             |
|                       Shutdown|                   0|
+----------------------------------------------------+
Ethernet1/8 Interface PFC watchdog: [Disabled]
"""

STATUS = """
--------------------------------------------------------------------------------
Port          Name               Status    Vlan      Duplex  Speed   Type
--------------------------------------------------------------------------------
mgmt0         --                 connected routed    full    1000    --
Eth1/1/1      to the first host  connected 210       full    200G    QDD-2Q200G-COPPER
Eth1/2        --                 disabled  trunk     auto    auto    --
Eth1/3        a long name with  1connected routed    full    a-1000  10Gbase-SR
"""

NETWORK = """  Type network-qos policy-maps
  ============================
  policy-map type network-qos NET
    class type network-qos c-8q-nq3
      match qos-group 3
      mtu 4200
      pause pfc-cos 3
    class type network-qos c-8q-nq-default
      match qos-group 0
      mtu 9216
"""

VERSION = """Cisco Nexus Operating System (NX-OS) Software
Software
  BIOS: version 01.11
  NXOS: version 10.4(3) [Feature Release]
Hardware
  cisco Nexus9000 C9332D-GX2B Chassis
  Device name: leaf1
"""

INTERFACE_POLICY = """
Global statistics status :   enabled

Ethernet1/2

  Service-policy (queuing) output:   default-8q-out-policy
    SNMP Policy Index:  301990739

    Class-map (queuing):   c-out-8q-q7 (match-any)
      priority level 1
      queue dropped pkts : 0
      queue depth in bytes : 0

    Class-map (queuing):   c-out-8q-q-default (match-any)
      bandwidth remaining percent 100
      queue dropped pkts : 0
      queue depth in bytes : 0
"""

#: Every text above, for tests of damage.
EVERYTHING = (
    AI,
    AZURE,
    OLD,
    PFC_TABLE,
    QUEUING,
    WATCHDOG,
    STATUS,
    NETWORK,
    VERSION,
    INTERFACE_POLICY,
)
