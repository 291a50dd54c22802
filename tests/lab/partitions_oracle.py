#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""fabric.partitions and ib.pkeys against smpquery, port by port, with partitions that opensm has set up."""
import os
import re
import sys

from subnet import Subnet, Tap, compare, skip_or_fail

DIRECTORY = os.environ.get("RDMASPEC_SOURCE", os.path.dirname(__file__) + "/../..") + "/tests/data/fabrics/"

# port GUIDs of node-1 (ports 1 and 2) and node-2 (port 1); ibsim numbers CAs from 0x100000
PARTITIONS = """Default=0x7fff, ipoib: ALL=full;
storage=0x0010: 0x100001=full, 0x100002=limited, 0x100004=limited;
compute=0x0020: 0x100004=full;
"""


def smpquery(subnet, lid, port):
    """The entries in use, by their place"""
    arguments = ["pkeys", str(lid)] + ([str(port)] if port else [])
    text = subnet.run("node-4", "smpquery", *arguments).decode("latin-1")
    entries = {}
    for place, line in re.findall(r"^ *(\d+): (.*)$", text, re.M):
        for offset, entry in enumerate(line.split()):
            if int(entry, 16):
                entries[int(place) + offset] = int(entry, 16)
    return entries


def saquery(subnet, lid):
    """The same by the subnet administration, of which ibsim passes on two blocks: {place: entry}, or None if not all came"""
    text = subnet.run("node-4", "saquery", "--smkey", "1", "PKTR", "%d/0/0" % lid).decode("latin-1")
    found = re.findall(r"^\s*Block\.+(\d+)\n\s*PKey Table:\n((?:\s*0x.*\n)+)", text, re.M)
    return {int(block) * 32 + place: int(entry, 16) for block, table in found
            for place, entry in enumerate(table.split()) if int(entry, 16)}


def check_administration(tap, subnet):
    """Its answer is cut off by ibsim: what it has whole comes from there, all else from the ports, and they agree"""
    rows = subnet.observe("node-4", "fabric.partitions")
    errors = subnet.errors
    told = {}
    for row in rows:
        if row["source"] == "SA":
            told.setdefault(row["lid"], {})[row["index"]] = int(row["pkey"], 0)
    tap.check("what the subnet administration tells is saquery's", compare(told, {lid: saquery(subnet, lid) for lid in told}))
    tap.check("it tells of one port at least, and it says of how many", [] if told and re.search(
        r"cut off after 2 records\n%d of 13 partition tables by the subnet administration" % len(told), errors) else [errors])
    bare = [{fact: value for fact, value in row.items() if fact != "source"} for row in rows]
    for settings, words in ((["through=smp"], ""), (["sm_key=0x0"], "refused it with status 0x0200 (invalid request)")):
        other = subnet.observe("node-4", "fabric.partitions", *settings)
        tap.check("the same by the ports alone: " + settings[0],
                  [] if {row.pop("source") for row in other} == {"port"} and other == bare else ["rows differ"])
        tap.check("and it says why: " + settings[0], [] if words in subnet.errors else [subnet.errors])


def main():
    skip_or_fail()
    tap = Tap()
    with Subnet(DIRECTORY + "dual-port.net") as subnet:
        subnet.start_sm("node-1", partitions=PARTITIONS)
        ours, ports = {}, {}
        for row in subnet.observe("node-4", "fabric.partitions"):
            key = row["description"], row["port"]
            ours.setdefault(key, {})[row["index"]] = int(row["pkey"], 0)
            ports[key] = row["lid"], row["port"]
        theirs = {key: smpquery(subnet, lid, port) for key, (lid, port) in ports.items()}
        tap.check("every port's table is smpquery's", compare(ours, theirs))
        tap.check("13 ports have one: 11 of CAs and the router that are up, and 2 switches' own",
                  [] if len(ports) == 13 else [len(ports)])
        rows = subnet.observe("node-4", "fabric.partitions")
        storage = {(row["description"], row["port"]): row["membership"] for row in rows if int(row["partition"], 0) == 0x10}
        tap.check("who is in partition 0x10, and how",
                  compare(storage, {("node-1 mlx4_0", 1): "full", ("node-1 mlx4_0", 2): "limited",
                                    ("node-2 mlx4_0", 1): "limited"}, "opensm's configuration"))
        local = {row["index"]: int(row["pkey"], 0) for row in subnet.observe("node-1", "ib.pkeys")}
        tap.check("ib.pkeys of a host are smpquery's", compare(local, smpquery(subnet, ports["node-1 mlx4_0", 1][0], 1)))
        check_administration(tap, subnet)
        subnet.console('Error "node-3"[1] 100 22')  # attribute 22: P_KeyTable
        subnet.observe("node-4", "fabric.partitions", "mad_timeout=0.2", "retries=0")
        tap.check("a port that does not answer is named",
                  [] if "node-3 mlx4_0 port 1: its partition table was not answered in full" in subnet.errors else [subnet.errors])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
