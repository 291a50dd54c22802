#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""fabric.cabling: plans in each notation against cables that are as planned, pulled, changed over, slow, and not planned."""
import os
import sys

from subnet import Subnet, Tap, compare, skip_or_fail

DIRECTORY = os.environ.get("RDMASPEC_SOURCE", os.path.dirname(__file__) + "/../..") + "/tests/data/fabrics/"

# the cables of parallel.net, by hand
CSV = """node,port,node,port,width,speed
# hosts
leaf-1,1,node-1 mlx5_0,1,4X,HDR
LEAF-1,2,"node-2 mlx5_0",1,4X,HDR
leaf-2 , 1 , node-3 mlx5_0 , 1
0x0000000000200001,2,node-4 mlx5_0,1,4X,FDR
leaf-1,3,leaf-2,3,1X,HDR
leaf-1,4,0000:0000:0020:0001,5,4x,edr
leaf-1,5,leaf-2,4,,HDR
"""


def statuses(rows):
    return {(row["description"], row["port"]): row["status"] for row in rows}


def cabling(subnet, plan, check=True):
    path = subnet.directory + "/plan"
    with open(path, "wb") as file:
        file.write(plan if isinstance(plan, bytes) else plan.encode())
    return subnet.observe("node-1", "fabric.cabling", "plan=@" + path, check=check)


def plans(subnet, topology):
    with open(topology, "rb") as file:
        yield "ibsim's", file.read(), 7
    yield "ibnetdiscover's", subnet.run("node-1", "ibnetdiscover"), 7
    yield "a CSV", CSV, 7


def check_faults(tap, topology, number):
    """Each plan is read before the faults, and held against them after"""
    with Subnet(topology) as subnet:
        name, plan, count = list(plans(subnet, topology))[number]
        rows = cabling(subnet, plan)
        tap.check("%s plan: all as planned" % name, [row for row in rows if row["status"] != "ok"])
        tap.check("%s plan: each cable once" % name, [] if len(rows) == count else [len(rows)])
        expected = statuses(rows)
        ends = {(row["remote_description"].split(" ")[0], row["remote_port"]): (row["description"], row["port"]) for row in rows}
        ends.update({(row["description"].split(" ")[0], row["port"]): (row["description"], row["port"]) for row in rows})
        for command in ('Unlink "node-4"[1]', 'Unlink "node-1"[1]', 'Unlink "node-3"[1]',
                        'Link "node-1"[1] "leaf-2"[1]', 'Link "node-3"[1] "leaf-1"[1]'):
            subnet.console(command)
        expected[ends["node-4", 1]] = "missing"
        expected[ends["node-1", 1]] = expected[ends["node-3", 1]] = "swapped"
        rows = cabling(subnet, plan)
        tap.check("%s plan: pulled and changed over" % name, compare(statuses(rows), expected, "the console"))
        row = next(row for row in rows if "node-1 mlx5_0" in (row["description"], row["remote_description"]) or
                   "node-1" in (row["description"], row["remote_description"]))
        found = {row["found_description"], row["remote_found_description"]}
        tap.check("%s plan: it says with which" % name, [] if found == {"node-3 mlx5_0", "leaf-2"} else [row])


def check_rates(tap, topology):
    wrong = CSV.replace("1,4X,HDR", "1,12X,HDR", 1).replace(",edr", ",HDR").replace("leaf-2 , 1 , node-3 mlx5_0 , 1\n", "")
    with Subnet(topology) as subnet:
        rows = cabling(subnet, wrong + "leaf-9,1,node-2 mlx5_0,7\n")
        expected = {("leaf-1", 1): "wrong_width", ("LEAF-1", 2): "ok", ("0x0000000000200001", 2): "ok",
                    ("leaf-1", 3): "ok", ("leaf-1", 4): "wrong_speed", ("leaf-1", 5): "ok", ("leaf-9", 1): "missing",
                    ("leaf-2", 1): "unexpected"}
        tap.check("other widths and speeds, unknown nodes, cables that are not planned",
                  compare(statuses(rows), expected, "the plan"))


def check_names(tap):
    topology = DIRECTORY + "names.net"
    with Subnet(topology) as subnet:
        plan = subnet.run("n1", "ibnetdiscover")
        path = subnet.directory + "/plan"
        with open(path, "wb") as file:
            file.write(plan)
        rows = subnet.observe("n1", "fabric.cabling", "plan=@" + path)
        tap.check("names that are hard on parsers, by ibnetdiscover's GUIDs", [row for row in rows if row["status"] != "ok"])
        tap.check("all ten of them", [] if len(rows) == 10 else [len(rows)])
        with open(path, "w") as file:
            file.write("MT4129 ConnectX7   Mellanox Technologies,1,say \"leaf\" # one,1\n")
        rows = subnet.observe("n1", "fabric.cabling", "plan=@" + path)
        tap.check("a name that two nodes have is ambiguous", [] if rows[0]["status"] == "ambiguous" else [rows[0]])


def check_refusals(tap, topology):
    with Subnet(topology) as subnet:
        for plan, words in (("leaf-1,1,node-1\n", 'line 1 is not "node, port, node, port"'),
                            ("leaf-1,1,node-1,1\nleaf-1,x,node-2,1\n", "line 2 has no port number after node leaf-1"),
                            ("leaf-1,1,node-1,1,4X,FAST\n", "line 1 has an unknown width or speed"),
                            ("# nothing\n", "the plan has no cable in it")):
            cabling(subnet, plan, check=False)
            tap.check("refused: " + words, [] if words in subnet.errors else [subnet.errors])


def main():
    skip_or_fail()
    tap = Tap()
    topology = DIRECTORY + "parallel.net"
    for number in range(3):
        check_faults(tap, topology, number)
    check_rates(tap, topology)
    check_names(tap)
    check_refusals(tap, topology)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
