"""What a plan does to a box that somebody else configured: names kept, windows closed, refusals."""

from __future__ import annotations

from lossless.model.classification import Classification, Trust
from lossless.model.device import DeviceState
from lossless.model.facet import table
from lossless.model.link import Mtu
from lossless.model.operation import ImpactKind, Phase, Verb
from lossless.model.pfc import Pfc, PfcMode, Watchdog
from lossless.model.profile import Grade
from lossless.model.scheduling import Ecn, Ets, QueueEcn, QueueScheduling
from lossless.model.values import DEFAULT, OFF, number_map
from tests.platforms.cisco_nxos.somebody import (
    BOTH,
    BOX,
    kbytes,
    lines,
    ops,
    ports,
    share,
)


def test_the_mtu_of_a_class_is_edited_where_it_stands() -> None:
    after = ports(*BOTH, mtu=Mtu(per_class=table({3: 4200})))
    assert lines(after) == [
        "policy-map type network-qos NET",
        "class type network-qos c-8q-nq3",
        "mtu 4200",
    ]
    (op,) = ops(after)
    assert (op.impact.kind, op.impact.scope) == (ImpactKind.BOX_RECARVE, "box")


def test_queues_are_edited_where_they_stand_and_decreases_come_first() -> None:
    rows = {0: QueueScheduling(bandwidth=share(40)), 3: QueueScheduling(bandwidth=share(60))}
    assert lines(ports(*BOTH, ets=Ets(queues=table(rows)))) == [
        "policy-map type queuing OUT",
        "class type queuing c-out-8q-q-default",
        "bandwidth remaining percent 40",
        "class type queuing c-out-8q-q3",
        "bandwidth remaining percent 60",
    ]


def test_a_curve_is_one_line_that_replaces() -> None:
    curve = QueueEcn(enabled=True, minimum=kbytes(150), maximum=kbytes(3000), probability=70_000)
    (*_, last) = lines(ports(*BOTH, ecn=Ecn(queues=table({3: curve}))))
    assert last == (
        "random-detect minimum-threshold 150 kbytes maximum-threshold 3000 kbytes "
        "drop-probability 7 weight 0 ecn"
    )


def test_one_port_alone_gets_a_policy_of_its_own_and_its_kept_lines() -> None:
    rows = table({3: QueueScheduling(bandwidth=share(40))})
    found = lines(ports("Ethernet1/2", ets=Ets(queues=rows)))
    assert found[0] == "policy-map type queuing LOSSLESS-QUEUING"
    assert found[-2:] == [
        "interface Ethernet1/2",
        "service-policy type queuing output LOSSLESS-QUEUING",
    ]
    assert not any("system qos" in line for line in found)


def test_classification_is_replaced_beside_and_never_emptied() -> None:
    maps = Classification(dscp_to_priority=number_map(64, {24: 3, 26: 3}))
    assert lines(ports(*BOTH, classification=maps)) == [
        "class-map type qos match-any LOSSLESS-GROUP-3",
        "match dscp 24,26",
        "exit",
        "policy-map type qos LOSSLESS-CLASSIFICATION",
        "class LOSSLESS-GROUP-3",
        "set qos-group 3",
        "class NOTICES",
        "set qos-group 7",
        "class class-default",
        "set qos-group 0",
        "exit",
        "exit",
        "interface Ethernet1/1",
        "service-policy type qos input LOSSLESS-CLASSIFICATION",
        "interface Ethernet1/2",
        "service-policy type qos input LOSSLESS-CLASSIFICATION",
        "exit",
        "no policy-map type qos IN",
        "no class-map type qos match-any RDMA",
    ]


def test_a_port_more_uses_the_policy_that_is_there() -> None:
    maps = Classification(trust=Trust.DSCP, dscp_to_priority=number_map(64, {26: 3, 48: 7}))
    after = ports("Ethernet1/3", classification=maps, pfc=Pfc(mode=PfcMode.ON))
    assert lines(after) == [
        "interface Ethernet1/3",
        "priority-flow-control mode on",
        "service-policy type qos input IN",
    ]


def test_another_pause_is_made_beside_attached_and_the_old_one_deleted() -> None:
    both = frozenset({3, 4})
    found = lines(ports(*BOTH, pfc=Pfc(mode=PfcMode.ON, send=both, honour=both)))
    assert found == [
        "policy-map type network-qos LOSSLESS-NETWORK-QOS",
        "class type network-qos c-8q-nq4",
        "pause pfc-cos 4",
        "class type network-qos c-8q-nq3",
        "mtu 2240",
        "pause pfc-cos 3",
        "class type network-qos c-8q-nq-default",
        "mtu 9216",
        "exit",
        "exit",
        "system qos",
        "service-policy type network-qos LOSSLESS-NETWORK-QOS",
        "exit",
        "no policy-map type network-qos NET",
    ]


def moved(group: int) -> DeviceState:
    cos = frozenset({group})
    return ports(
        *BOTH,
        classification=Classification(dscp_to_priority=number_map(64, {26: group})),
        pfc=Pfc(mode=PfcMode.ON, send=cos, honour=cos),
    )


def test_a_class_that_moves_has_both_groups_in_between() -> None:
    attached = [
        (op.verb, op.new, op.phase)
        for op in ops(moved(4))
        if op.object == "service_policy" and op.key[0] == "network-qos"
    ]
    assert attached == [
        (Verb.ATTACH, "LOSSLESS-NETWORK-QOS-BETWEEN", Phase.BUFFERS),
        (Verb.ATTACH, "LOSSLESS-NETWORK-QOS", Phase.BUFFERS),
    ]


def test_off_is_said_in_the_order_that_drains() -> None:
    maps = Classification(trust=Trust.NONE)
    after = ports(*BOTH, classification=maps, pfc=Pfc(mode=OFF))
    assert lines(after)[:8] == [
        "interface Ethernet1/1",
        "no service-policy type qos input IN",
        "interface Ethernet1/2",
        "no service-policy type qos input IN",
        "interface Ethernet1/1",
        "priority-flow-control mode off",
        "interface Ethernet1/2",
        "priority-flow-control mode off",
    ]


def test_a_default_is_auto_and_not_off() -> None:
    assert lines(ports("Ethernet1/1", pfc=Pfc(mode=DEFAULT))) == [
        "interface Ethernet1/1",
        "priority-flow-control mode auto",
    ]


def test_the_watchdog_of_the_box_is_not_typed_into_an_interface() -> None:
    text = BOX.replace("priority-flow-control watch-dog-interval on\n", "")
    found = lines(ports("Ethernet1/1", watchdog=Watchdog(enabled=True)), text)
    assert found == [
        "interface Ethernet1/1",
        "priority-flow-control watch-dog-interval on",
        "exit",
        "priority-flow-control watch-dog-interval on",
    ]


def test_every_operation_says_where_its_line_is_from() -> None:
    assert all(op.source for op in ops(moved(4)))
    for op in ops(moved(4)):
        if op.impact.kind is not ImpactKind.NONE:
            assert op.impact.source is not None
    queues = Ets(queues=table({3: QueueScheduling(bandwidth=share(40))}))
    (op,) = ops(ports(*BOTH, ets=queues))
    assert op.impact.source is not None
    assert op.impact.source.grade is Grade.VERIFIED
