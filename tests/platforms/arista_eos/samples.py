"""Configurations in EOS's grammar, written for these tests."""

#: A leaf as an operator wrote it: names, remarks and lines that are none of ours.
LEAF = """\
! Command: show running-config
! device: tor7 (DCS-7060DX5-64S, EOS-4.31.2F)
!
! boot system flash:/EOS64.swi
!
service routing protocols model multi-agent
!
hostname tor7
!
spanning-tree mode mstp
!
qos profile AI-HOST
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   shape rate 95 percent
   !
   uc-tx-queue 3
      !! the one that must not drop
      no priority
      bandwidth percent 70
      random-detect ecn minimum-threshold 200 kbytes maximum-threshold 2000 kbytes weight 0
   !
   uc-tx-queue 6
      priority strict
   !
   mc-tx-queue 1
      bandwidth percent 10
!
qos profile OLD
   qos trust cos
!
interface Ethernet1/1
   description host 1
   mtu 9214
   speed 400g-4
   no switchport
   ip address 192.0.2.0/31
   service-profile AI-HOST
!
interface Ethernet2/1
   mtu 9214
   no switchport
   service-profile AI-HOST
   qos trust dscp
!
interface Ethernet3/1
   switchport mode trunk
   switchport trunk allowed vlan 10,20-22
   priority-flow-control mode on
   priority-flow-control priority 4 no-drop
   dcbx mode ieee
!
interface Ethernet4/1-4
   shutdown
!
interface Management1
   ip address 192.0.2.200/24
!
interface Vlan10
   mtu 9000
!
qos map dscp 24 26 to traffic-class 3
priority-flow-control pause watchdog default timeout 0.2
!
end
"""

#: A box that keeps everything on its interfaces and has a profile for its buffers.
SPINE = """\
platform trident mmu queue profile deep
   ingress threshold 1/4
   ingress headroom bytes 200000
   egress multicast queue 0 reserved 0
!
interface Ethernet1
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   tx-queue 3
      no priority
      bandwidth percent 60
      bandwidth guaranteed 100
!
interface Ethernet2
   priority-flow-control on
   priority-flow-control priority 3 no-drop
!
platform trident mmu queue profile deep apply
!
platform trident mmu headroom-pool limit cells 24000
"""
