#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The tables of generated fat trees against infiniband-diags, row by row, without an SM.

fat_tree_oracle.py [HOSTS ...]: 800 without arguments and without RDMASPEC_TREES, which may say "800 2560 7200".
"""
import os
import subprocess
import sys
import tempfile

from fabric_oracle import check_subnet
from subnet import Subnet, Tap, skip_or_fail

SOURCE = os.environ.get("RDMASPEC_SOURCE", os.path.dirname(__file__) + "/../..")
TREES = {"800": (40, 10, 20), "2560": (80, 16, 32), "7200": (200, 36, 36)}  # leaves, spines, hosts of a leaf


def main():
    skip_or_fail()
    tap = Tap()
    for hosts in sys.argv[1:] or os.environ.get("RDMASPEC_TREES", "800").split():
        leaves, spines, each = TREES[hosts]
        with tempfile.NamedTemporaryFile("w", suffix=".net") as topology:
            subprocess.run([sys.executable, SOURCE + "/tests/bench/fat_tree.py", "--leaves", str(leaves), "--spines",
                            str(spines), "--hosts", str(each)], stdout=topology, check=True)
            with Subnet(topology.name, large=True) as subnet:
                summary = subnet.observe("node-1", "fabric.summary")[0]
                expected = {"host_adapters": leaves * each, "switches": leaves + spines,
                            "links": leaves * (each + spines), "duplicate_guids": 0}
                tap.check("%s hosts: as many nodes and cables as the generator made" % hosts,
                          ["%s: %r, not %r" % (fact, summary[fact], value) for fact, value in expected.items()
                           if summary[fact] != value])
                check_subnet(tap, hosts + " hosts", subnet, "node-1")
                # the simulator's two sides wait for each other for ever where more are on the way than it holds
                wide = subnet.observe("node-1", "fabric.summary", "window=1024", "window_max=1024")[0]
                tap.check("%s hosts: a window wider than the simulator's queues" % hosts,
                          ["%r, not %r" % (wide, summary)] if wide != summary else [])
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
