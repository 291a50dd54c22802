#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""fabric.routes against ibtracert, pair by pair, and fabric.route_counts against ibroute; with cables pulled under the tables."""
import os
import re
import sys

from subnet import Subnet, Tap, compare, skip_or_fail

DIRECTORY = os.environ.get("RDMASPEC_SOURCE", os.path.dirname(__file__) + "/../..") + "/tests/data/fabrics/"


def ibtracert(subnet, node, source, destination):
    """The switches on the way, each with the port it sends to, as fabric.routes tells them; None where it does not arrive"""
    text = subnet.run(node, "ibtracert", str(source), str(destination), check=False).decode("latin-1")
    stations = re.findall(r'^\[(\d+)\] -> (switch|ca|router) port \{0x[0-9a-f]+\}\[(\d+)\] lid \d+-\d+ "(.*)"$', text, re.M)
    if not re.search(r"^To ", text, re.M):
        return None
    names = [station[3] for station in stations]
    return ["%s port %s" % (name, following[0]) for name, following in zip(names, stations[1:])]


def ibroute_counts(subnet, node, lid, hosts):
    text = subnet.run(node, "ibroute", str(lid)).decode("latin-1")
    counts = {}
    for entry, port in re.findall(r"^0x([0-9a-f]+) (\d+) :", text, re.M):
        if int(entry, 16) in hosts:
            counts[int(port)] = counts.get(int(port), 0) + 1
    return counts


def check_pairs(tap, subnet, name, node, all_answer=True):
    rows = subnet.observe(node, "fabric.routes")
    ours, theirs = {}, {}
    for row in rows:
        key = row["lid"], row["remote_lid"]
        ours[key] = row["path"] if row["status"] == "ok" else None
        theirs[key] = ibtracert(subnet, node, *key)
    if not all_answer:  # ibtracert asks by LID, and does not get to every switch
        theirs = {key: path for key, path in theirs.items() if path}
        ours = {key: ours[key] for key in theirs}
    tap.check("%s: %d routes are ibtracert's" % (name, len(theirs)), compare(ours, theirs))
    tap.check("%s: hops are the switches on the way" % name,
              [row for row in rows if row["status"] == "ok" and row["hops"] != len(row["path"])])
    return rows


def check_counts(tap, subnet, name, node):
    nodes = subnet.observe(node, "fabric.nodes")
    lids = {row["description"]: row["lid"] for row in nodes if row["type"] == "switch"}
    hosts = {row["lid"] for row in subnet.observe(node, "fabric.ports") if row["type"] == "CA" and row["lid"]}
    ours, theirs = {}, {}
    for row in subnet.observe(node, "fabric.route_counts"):
        ours.setdefault(row["description"], {})[row["port"]] = row["routes"]
    for description, lid in lids.items():
        counts = ibroute_counts(subnet, node, lid, hosts)
        theirs[description] = {port: counts.get(port, 0) for port in ours[description]}
    tap.check("%s: routes of each port are ibroute's" % name, compare(ours, theirs))


def check_selection(tap, subnet):
    rows = subnet.observe("node-1", "fabric.routes", "from=NODE-1 *", "to=node-1[0-6] *")
    tap.check("globs choose the pairs", [] if len(rows) == 7 else [len(rows)])
    rows = subnet.observe("node-1", "fabric.routes", "limit=10")
    sources = {row["description"] for row in rows}
    tap.check("a limit takes pairs from all over", [] if len(rows) == 10 and len(sources) == 10 else [len(rows), sources])


def main():
    skip_or_fail()
    tap = Tap()
    for name in ("two-level.net", "dual-port.net"):
        with Subnet(DIRECTORY + name) as subnet:
            sm = subnet.start_sm("node-1")
            check_pairs(tap, subnet, name, "node-1")
            check_counts(tap, subnet, name, "node-1")
            if name == "two-level.net":
                check_selection(tap, subnet)
                # without an SM the tables stay, and lead to a port that is down
                sm.kill()
                sm.wait()
                subnet.console('Unlink "leaf-1"[5]')
                rows = check_pairs(tap, subnet, name + ", an uplink pulled", "node-1", False)
                broken = [row for row in rows if row["status"] == "unreachable"]
                tap.check("routes over the pulled uplink end there",
                          [row for row in broken if row["stops_at"] not in ("leaf-1 port 5", "spine-1 port 1")] or
                          ([] if broken else ["none"]))
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
