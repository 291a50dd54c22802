#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""What is wrong with a subnet, put in through ibsim's console, is in the tables, and nothing else is."""
import os
import re
import sys
import time

from subnet import Subnet, Tap, compare, skip_or_fail

DIRECTORY = os.environ.get("RDMASPEC_SOURCE", os.path.dirname(__file__) + "/../..") + "/tests/data/fabrics/"


def ends(rows):
    return {(row["description"], row["port"]): (row.get("remote_description"), row.get("remote_port")) for row in rows}


def check_unlink(tap):
    with Subnet(DIRECTORY + "parallel.net") as subnet:
        before = ends(subnet.observe("node-1", "fabric.links"))
        subnet.console('Unlink "node-4"[1]')
        after = ends(subnet.observe("node-1", "fabric.links"))
        before.pop(("leaf-2", 2))
        tap.check("a pulled cable is gone, and no other", compare(after, before, "the file"))
        tap.check("the sweep without it is complete", [subnet.errors] if "did not answer" in subnet.errors else [])
        ports = {(row["description"], row["port"]): row for row in subnet.observe("node-1", "fabric.ports")}
        row = ports["leaf-2", 2]
        tap.check("its switch port is down, and has no peer",
                  [row] if row["state"] != "Down" or row["remote_guid"] is not None or "width" in row else [])


def check_miswired(tap):
    with Subnet(DIRECTORY + "parallel.net") as subnet:
        for command in ('Unlink "node-1"[1]', 'Unlink "node-3"[1]', 'Link "node-1"[1] "leaf-2"[1]',
                        'Link "node-3"[1] "leaf-1"[1]'):
            subnet.console(command)
        found = ends(subnet.observe("node-2", "fabric.links"))
        tap.check("two cables changed over are found where they are now",
                  compare({end: found.get(end) for end in (("leaf-1", 1), ("leaf-2", 1))},
                          {("leaf-1", 1): ("node-3 mlx5_0", 1), ("leaf-2", 1): ("node-1 mlx5_0", 1)}, "the console"))


def check_silent(tap):
    with Subnet(DIRECTORY + "parallel.net") as subnet:
        before = ends(subnet.observe("node-1", "fabric.links"))
        subnet.console('Error "node-3"[1] 100')
        after = ends(subnet.observe("node-1", "fabric.links", "mad_timeout=0.2", "retries=1"))
        before["leaf-2", 1] = (None, None)
        tap.check("a node that does not answer leaves its cable's other end", compare(after, before, "the file"))
        tap.check("and is named", [] if "leaf-2 port 1: its link is up, but what is behind it did not answer" in
                  subnet.errors else [subnet.errors])
        subnet.console('Error "node-3"[1] 0')
        subnet.console('Error "leaf-2"[0] 30')
        rows = subnet.observe("node-1", "fabric.links", "mad_timeout=0.2", "retries=30")
        tap.check("one that loses three of ten is seen whole, with retries", compare(ends(rows), ends_of_file(), "the file"))


def ends_of_file():
    with Subnet(DIRECTORY + "parallel.net") as subnet:
        return ends(subnet.observe("node-1", "fabric.links"))


def check_duplicates(tap):
    with Subnet(DIRECTORY + "parallel.net") as subnet:
        subnet.start_sm("node-1")
        clean = subnet.observe("node-1", "fabric.summary")[0]
        tap.check("no duplicates without a fault",
                  [clean] if clean["duplicate_guids"] or clean["duplicate_lids"] or clean["duplicate_names"] else [])
        lid = next(row["lid"] for row in subnet.observe("node-1", "fabric.nodes") if row["description"] == "node-1 mlx5_0")
        subnet.console('Baselid "node-3"[1] %d' % lid)
        subnet.console('Guid "node-4" 0x100000')
        found = subnet.observe("node-1", "fabric.summary")[0]
        tap.check("a LID and a GUID that two nodes have",
                  compare({key: found[key] for key in ("duplicated_lids", "duplicated_guids", "nodes")},
                          {"duplicated_lids": [lid], "duplicated_guids": ["0x0000000000100000"], "nodes": clean["nodes"]},
                          "the console"))


def check_duplicate_switch(tap):
    """Behind two switches of one GUID nothing can be told apart: the second is left out, and each cable to it named"""
    with Subnet(DIRECTORY + "two-level.net") as subnet:
        clean = subnet.observe("node-1", "fabric.summary")[0]
        guids = {row["description"]: row["guid"] for row in subnet.observe("node-1", "fabric.nodes")}
        tap.check("no duplicate among the switches without a fault", [clean] if clean["duplicate_guids"] else [])
        subnet.console('Guid "spine-2" %s' % guids["spine-1"])
        found = subnet.observe("node-1", "fabric.summary")[0]
        said = re.findall(r"^(leaf-\d|spine-\d) port \d+: the switch behind it has GUID (\S+), as (spine-1|spine-2) has", subnet.errors, re.M)
        tap.check("a GUID that two switches have is counted", compare(
            {key: found[key] for key in ("duplicated_guids", "switches")},
            {"duplicated_guids": [guids["spine-1"]], "switches": clean["switches"] - 1}, "the console"))
        tap.check("and every cable to the second of them is named", [] if len(said) >= 4 and
                  {guid for _, guid, _ in said} == {guids["spine-1"]} else [subnet.errors])


def check_time(tap):
    """A node that is silent for longer than the observation may take: what is known comes out in time"""
    with Subnet(DIRECTORY + "parallel.net") as subnet:
        subnet.console('Error "node-3"[1] 100')
        os.environ["TIME_LIMIT_MS"] = "700"
        begun = time.monotonic()
        rows = subnet.observe("node-1", "fabric.links", "mad_timeout=1", "retries=1000000000")
        took = time.monotonic() - begun
        del os.environ["TIME_LIMIT_MS"]
        tap.check("when the time is up, there are the rows that are known", [] if len(rows) == 7 else [len(rows)])
        tap.check("and it says so", [] if "the time was up after 5 nodes" in subnet.errors else [subnet.errors])
        tap.check("before the time is up", [] if took < 0.7 else [took])


def main():
    skip_or_fail()
    tap = Tap()
    for check in (check_unlink, check_miswired, check_silent, check_duplicates, check_duplicate_switch, check_time):
        check(tap)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
