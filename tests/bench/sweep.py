#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The sweep against ibnetdiscover, and a run with five table checks against the five tools that show the same tables.

sweep.py BUILD: simulated fat trees of 800, 2,560, 7,200 and 20,160 hosts, on each of which all take their turns; figures
are medians, ratios are medians of the ratios of each turn. ibnetdiscover and iblinkinfo have their best number of
outstanding SMPs (-o), found before (on the largest tree, that of the one before); ibswitches and ibhosts take none. No SM runs: none of them needs one but sminfo, which
is timed until it says so, and opensm takes minutes on the larger trees. Beside the sweep stands what its SMPs alone
take: as many of them, and nothing else (smp_floor). ibsim answers one after the other, and no sweep is faster than that.
Nothing here passes or fails.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lab"))
from subnet import Subnet, find_program, missing  # noqa: E402

TREES = ((40, 10, 20), (80, 16, 32), (200, 36, 36), (240, 84, 84))  # leaves, spines, hosts of a leaf
OUTSTANDING = (8, 16, 32, 64)
PROMISED = 7200  # the tree that the promises are about; smaller ones are over before they pay, larger ones widen the gap
DEADLINE = 120
WINDOW = 24  # SMPs in flight that ibsim and its clients take without waiting for each other for ever

# Two tables of switches and hosts, one of links, one of ports, one of the SM: what a first look at a subnet asks for.
SCENARIO = """rdmaspec: 1
steps:
  - ib.sm: {{count: {{max: 1}}}}
  - fabric.nodes: {{where: {{type: switch}}, count: {switches}, unique: [guid]}}
  - fabric.nodes: {{where: {{type: CA, aggregation: false}}, count: {hosts}, unique: [guid]}}
  - fabric.links: {{expect: {{physical_state: LinkUp, width: 4X, speed: HDR}}, count: {links}}}
  - fabric.ports: {{where: {{state: [Armed, Active]}}, count: 0}}
"""


def once(subnet, argv, want=0):
    """Seconds of one command on the subnet, and MiB of its largest process"""
    start = time.perf_counter()
    process = subprocess.Popen(["timeout", str(DEADLINE)] + argv, cwd=subnet.directory, env=subnet.environment("node-1"),
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != want:
        raise RuntimeError("%s: exit status %d" % (" ".join(argv), process.returncode))
    took = time.perf_counter() - start
    subnet.free_places()
    return took, usage.ru_maxrss / 1024


def together(subnet, commands):
    """Seconds of several commands after each other, and MiB of the largest process of all"""
    figures = [once(subnet, argv, 255 if argv[0].endswith("sminfo") else 0) for argv in commands]
    return sum(figure[0] for figure in figures), max(figure[1] for figure in figures)


def fastest(subnet, commands):
    """The command with the lowest median of three"""
    return min(commands, key=lambda argv: statistics.median(once(subnet, argv)[0] for _ in range(3)))


def show(name, figures, floor, limit):
    """One comparison: ours beside theirs"""
    seconds = [statistics.median(turn[side][0] for turn in figures) for side in (0, 1)]
    memory = [statistics.median(turn[side][1] for turn in figures) for side in (0, 1)]
    ratio = statistics.median(ours[0] / theirs[0] for ours, theirs in figures)
    print("  %-38s %7.3f s %s   against %7.3f s %s   time 1/%.1f   memory %s" % (
        name, seconds[0], mebibytes(memory[0], floor), seconds[1], mebibytes(memory[1], floor), 1 / ratio,
        "%.2f" % (memory[0] / memory[1]) if max(memory) > floor + 1 else "?"), end="")
    if limit:
        print("   promised 1/%d: %s" % (limit, "kept" if ratio <= 1 / limit else "NOT KEPT"), end="")
    print(flush=True)
    return seconds[0]


def mebibytes(measured, floor):
    """What a process used at most is never under what this one uses: it inherits the figure"""
    return "%6.1f MiB" % measured if measured > floor + 1 else "<%5.1f MiB" % (floor + 1)


def smps(subnet, sweep):
    """How many SMPs a sweep sends, by its own note"""
    said = subprocess.run(sweep, cwd=subnet.directory, env=subnet.environment("node-1"), stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=DEADLINE, check=True)
    subnet.free_places()
    return re.search(r"(\d+) SMPs", said.stderr).group(1)


def compare(subnet, build, leaves, spines, hosts, best):
    """Returns microseconds of the sweep a port, and the best ibnetdiscover"""
    links = leaves * hosts + leaves * spines
    rounds = 3 if leaves * hosts > PROMISED else 9
    promised = leaves * hosts == PROMISED
    with open(subnet.directory + "/checks.yaml", "w") as file:
        file.write(SCENARIO.format(switches=leaves + spines, hosts=leaves * hosts, links=links))
    theirs = best if leaves * hosts > PROMISED else fastest(
        subnet, [[find_program("ibnetdiscover"), "-o", str(number)] for number in OUTSTANDING])
    print("%s hosts, %d switches, %s cables; ibnetdiscover %s" % (
        format(leaves * hosts, ","), leaves + spines, format(links, ","), " ".join(theirs[1:])))
    sys.stdout.flush()
    sweep = [build + "/tests/unit/plugin-observe", build + "/plugins/fabric/fabric.so", "fabric.links", "-t"]
    floor = once(subnet, ["true"])[1]
    took = show("the sweep, ibnetdiscover", [(once(subnet, sweep), once(subnet, theirs)) for _ in range(rounds)], floor,
                promised and 3)
    floor_of = [build + "/tests/bench/smp_floor", smps(subnet, sweep), str(WINDOW)]
    show("its %s SMPs alone" % format(int(floor_of[1]), ","),
         [(once(subnet, floor_of), once(subnet, theirs)) for _ in range(rounds)], floor, None)
    tools = [[find_program("sminfo")], theirs, [find_program("iblinkinfo")] + theirs[1:], [find_program("ibswitches")],
             [find_program("ibhosts")]]
    checks = [build + "/runner/rdmaspec", "run", "checks.yaml"]
    show("a run with five checks, the five tools",
         [(once(subnet, checks), together(subnet, tools)) for _ in range(rounds)], floor, promised and 6)
    return took * 1e6 / (2 * links), theirs


def main():
    build = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
    lacking = missing()
    if lacking:
        print("the sweep is not measured: this machine lacks " + lacking)
        return 0
    each_port, best = [], None
    with tempfile.TemporaryDirectory() as directory:
        for leaves, spines, hosts in TREES:
            topology = os.path.join(directory, "tree.net")
            with open(topology, "w") as file:
                subprocess.run([sys.executable, HERE + "/fat_tree.py", "--leaves", str(leaves), "--spines", str(spines),
                                "--hosts", str(hosts)], stdout=file, check=True)
            with Subnet(topology, large=True) as subnet:
                figure, best = compare(subnet, build, leaves, spines, hosts, best)
                each_port.append(figure)
    print("growth: %s us a port" % ", ".join("%.1f" % figure for figure in each_port))
    return 0


if __name__ == "__main__":
    sys.exit(main())
