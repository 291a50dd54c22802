#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""fabric.counters and ib.counters against perfquery, port by port, with counters set through ibsim's console."""
import os
import re
import sys

from subnet import Subnet, Tap, compare, skip_or_fail

DIRECTORY = os.environ.get("RDMASPEC_SOURCE", os.path.dirname(__file__) + "/../..") + "/tests/data/fabrics/"

# what perfquery calls what we call by its sysfs name; traffic is left out, since every question adds to it
ERRORS = {"SymbolErrorCounter": "symbol_error", "LinkErrorRecoveryCounter": "link_error_recovery",
          "LinkDownedCounter": "link_downed", "PortRcvErrors": "port_rcv_errors",
          "PortRcvRemotePhysicalErrors": "port_rcv_remote_physical_errors",
          "PortRcvSwitchRelayErrors": "port_rcv_switch_relay_errors", "PortXmitDiscards": "port_xmit_discards",
          "PortXmitConstraintErrors": "port_xmit_constraint_errors",
          "PortRcvConstraintErrors": "port_rcv_constraint_errors",
          "LocalLinkIntegrityErrors": "local_link_integrity_errors",
          "ExcessiveBufferOverrunErrors": "excessive_buffer_overrun_errors", "VL15Dropped": "vl15_dropped",
          "PortXmitWait": "port_xmit_wait"}
EXTENDED = {"PortUnicastXmitPkts": "unicast_xmit_packets", "PortUnicastRcvPkts": "unicast_rcv_packets",
            "PortMulticastXmitPkts": "multicast_xmit_packets", "PortMulticastRcvPkts": "multicast_rcv_packets"}
SET = [('"leaf-1"[1]', "PortCounters.SymbolErrorCounter", 37), ('"leaf-1"[3]', "PortCounters.LinkDownedCounter", 255),
       ('"leaf-2"[4]', "PortCounters.PortXmitWait", 4294967295), ('"node-4"[1]', "PortCounters.PortRcvErrors", 65534),
       ('"node-4"[1]', "PortCounters.VL15Dropped", 3), ('"leaf-2"[2]', "PortCounters.PortXmitDiscards", 9),
       ('"leaf-2"[2]', "PortCounters.ExcessiveBufferOverrunErrors", 15),
       ('"leaf-2"[2]', "PortCounters.LinkErrorRecoveryCounter", 2)]


def perfquery(subnet, node, *arguments):
    text = subnet.run(node, "perfquery", *arguments).decode("latin-1")
    return {name: int(value, 0) for name, value in re.findall(r"^(\w+):\.*(\S+)$", text, re.M)}


def theirs(subnet, node, lid, port):
    """None of perfquery's words that we have no fact for"""
    plain = perfquery(subnet, node, str(lid), str(port))
    extended = perfquery(subnet, node, "-x", str(lid), str(port))
    out = {ours: plain[word] for word, ours in ERRORS.items()}
    out.update({ours: extended[word] for word, ours in EXTENDED.items()})
    return out


def errors_of(row, names):
    return {name: int(row[name]) for name in names if name in row}


def check_fabric(tap, subnet):
    expected, ours = {}, {}
    for row in subnet.observe("node-2", "fabric.counters"):
        key = row["description"], row["port"]
        expected[key] = theirs(subnet, "node-2", row["lid"], row["port"])
        ours[key] = errors_of(row, expected[key])
    tap.check("every port that is up has perfquery's counters", compare(ours, expected))
    tap.check("there are 14 such ports: 7 cables", [] if len(ours) == 14 else [len(ours)])
    found = {(row["description"], row["port"]): row["pegged"] for row in subnet.observe("node-2", "fabric.counters")
             if row["pegged"]}
    tap.check("those at their maximum are named", compare(found, {
        ("leaf-1", 3): ["link_downed"], ("leaf-2", 4): ["port_xmit_wait"],
        ("leaf-2", 2): ["excessive_buffer_overrun_errors"]}, "the console"))


def check_difference(tap, subnet):
    rows = {(row["description"], row["port"]): row for row in subnet.observe("node-2", "fabric.counters", "over=0.2")}
    tap.check("over an interval without errors, old ones do not show",
              [] if rows["leaf-1", 1]["symbol_error"] == "0" else [rows["leaf-1", 1]])
    tap.check("a difference of a pegged counter is not observed",
              [] if "link_downed" not in rows["leaf-1", 3] else [rows["leaf-1", 3]])
    # our own questions to the switch come in through the cable that leads to the observing host
    tap.check("traffic of the interval shows", [] if int(rows["leaf-1", 2]["port_rcv_packets"]) > 0 else [rows["leaf-1", 2]])


def check_silent(tap, subnet):
    subnet.console('Error "node-3"[1] 100 18')  # attribute 18: PortCounters
    rows = subnet.observe("node-2", "fabric.counters", "mad_timeout=0.2", "retries=1")
    row = next(row for row in rows if row["description"] == "node-3 mlx5_0")
    tap.check("a port that does not answer has a row without counters", [row] if "symbol_error" in row else [])
    tap.check("and is named", [] if "node-3 mlx5_0 port 1: its counters were not answered" in subnet.errors else [subnet.errors])
    subnet.console('Error "node-3"[1] 0')


def check_host(tap, subnet):
    for node in ("node-4", "node-1"):
        rows = subnet.observe(node, "ib.counters")
        lid = subnet.observe(node, "ib.ports")[0]["lid"]
        expected = theirs(subnet, node, lid, 1)
        tap.check("%s: ib.counters are perfquery's" % node, compare(errors_of(rows[0], expected), expected))


def main():
    skip_or_fail()
    tap = Tap()
    with Subnet(DIRECTORY + "parallel.net") as subnet:
        subnet.observe("node-2", "fabric.counters", check=False)
        tap.check("without LIDs it says so", [] if "no port has a LID" in subnet.errors else [subnet.errors])
        subnet.start_sm("node-1")
        for port, name, value in SET:
            subnet.console("PerformanceSet %s %s=%d" % (port, name, value))
        check_fabric(tap, subnet)
        check_difference(tap, subnet)
        check_silent(tap, subnet)
        check_host(tap, subnet)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
