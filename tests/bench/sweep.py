#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The sweep against ibnetdiscover on simulated fat trees, in turn on the same subnet: seconds, MiB, ratios of medians.

sweep.py BUILD: 800, 2,560, 7,200 and 20,160 hosts. ibnetdiscover has its best number of outstanding SMPs (-o), found
before; the sweep has the better of two limits of its window. No SM runs: the sweep needs none, and one takes minutes on
the larger trees. Nothing here passes or fails.
"""
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lab"))
from subnet import Subnet, find_program, missing  # noqa: E402

TREES = (("800 hosts", 40, 10, 20), ("2,560 hosts", 80, 16, 32), ("7,200 hosts", 200, 36, 36), ("20,160 hosts", 240, 84, 84))
OUTSTANDING = (8, 16, 32, 64)
WINDOWS = (64, 128)
ROUNDS = 7


def once(subnet, argv):
    """Seconds and peak MiB of one process on the subnet"""
    start = time.perf_counter()
    process = subprocess.Popen(argv, cwd=subnet.directory, env=subnet.environment("node-1"), stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError("%s: exit status %d" % (argv[0], process.returncode))
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def fastest(subnet, commands):
    """The command with the lowest median of three"""
    return min(commands, key=lambda argv: statistics.median(once(subnet, argv)[0] for _ in range(3)))


def compare(subnet, name, build):
    sweep = [build + "/tests/unit/plugin-observe", build + "/plugins/fabric/fabric.so", "fabric.links", "-t"]
    ours = fastest(subnet, [sweep + ["window_max=%d" % window] for window in WINDOWS])
    theirs = fastest(subnet, [[find_program("ibnetdiscover"), "-o", str(number)] for number in OUTSTANDING])
    runs = [(once(subnet, ours), once(subnet, theirs)) for _ in range(ROUNDS)]
    seconds = [statistics.median(run[side][0] for run in runs) for side in (0, 1)]
    memory = [statistics.median(run[side][1] for run in runs) for side in (0, 1)]
    ratio = statistics.median(a[0] / b[0] for a, b in runs)
    print("%-13s sweep %.3f s %5.1f MiB (%s)   ibnetdiscover %.3f s %5.1f MiB (-o %s)   time 1/%.1f   memory %.2f" % (
        name, seconds[0], memory[0], ours[-1], seconds[1], memory[1], theirs[-1], 1 / ratio, memory[0] / memory[1]))
    sys.stdout.flush()


def main():
    build = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
    lacking = missing()
    if lacking:
        print("the sweep is not measured: this machine lacks " + lacking)
        return 0
    with tempfile.TemporaryDirectory() as directory:
        for name, leaves, spines, hosts in TREES:
            topology = os.path.join(directory, "tree.net")
            with open(topology, "w") as file:
                subprocess.run([sys.executable, HERE + "/fat_tree.py", "--leaves", str(leaves), "--spines", str(spines),
                                "--hosts", str(hosts)], stdout=file, check=True)
            with Subnet(topology, large=True) as subnet:
                compare(subnet, name, build)
    return 0


if __name__ == "__main__":
    sys.exit(main())
