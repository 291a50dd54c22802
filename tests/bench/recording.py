#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""A recorded run of 7,200 hosts: how large it is, and what judging it again takes.

recording.py BUILD: the sweep of a simulated fat tree, recorded and judged; then a recording in which each of 7,200 hosts
has two tables of its own, made from that of one host, since so many agents do not fit on one machine. Verdicts must be those of the run; the
figures are printed beside what was promised.
"""
import copy
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lab"))
from subnet import missing  # noqa: E402

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
RDMASPEC = os.path.join(BUILD, "runner", "rdmaspec")
HOSTS = 7200
ROUNDS = 5

SWEEP = """rdmaspec: 1
steps:
  - fabric.nodes: {where: {type: switch}, count: 236, unique: [guid]}
  - fabric.nodes: {where: {type: CA, aggregation: false}, count: 7200, unique: [guid]}
  - fabric.links: {expect: {physical_state: LinkUp, width: 4X, speed: HDR}, count: 14400}
  - fabric.ports: {where: {state: [Armed, Active]}, count: 0}
"""
TABLES = """rdmaspec: 1
hosts: [{{name: "node-[0001-{:04}]"}}]
steps:
  - mock.rows: {{rows: 20, count: 20}}
  - mock.pass: {{count: 2, same: [text]}}
"""


def promise(text, value, limit, unit):
    print(f"  {text}: {value:.2f} {unit}, promised at most {limit} {unit}: {'kept' if value <= limit else 'NOT KEPT'}")


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def rdmaspec(folder, *arguments):
    """Seconds and peak MiB of a command that must pass."""
    start = time.perf_counter()
    process = subprocess.Popen([RDMASPEC, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"bench: rdmaspec {' '.join(arguments)} ended with {process.returncode}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def judge(folder, recording, scenario):
    figures = [rdmaspec(folder, "judge", "--on", recording, scenario) for _ in range(ROUNDS)]
    promise("compressed", os.path.getsize(f"{folder}/{recording}") / 2**20, 15, "MiB")
    promise("judged offline", statistics.median(figure[0] for figure in figures), 2, "s")
    promise("memory of that", max(figure[1] for figure in figures), 1024, "MiB")
    sys.stdout.flush()


def sweep(folder):
    with open(f"{folder}/tree.net", "w", encoding="utf-8") as file:
        subprocess.run([sys.executable, f"{HERE}/fat_tree.py", "--leaves", "200", "--spines", "36", "--hosts", "36"],
                       stdout=file, check=True)
    write(f"{folder}/sweep.yaml", SWEEP)
    rdmaspec(folder, "run", "--simulate", "tree.net", "--simulate-sm", "none", "--record", "sweep.zst", "sweep.yaml")
    print("\nThe recorded sweep of a fat tree of 7,200 hosts")
    judge(folder, "sweep.zst", "sweep.yaml")


def tables(folder):
    write(f"{folder}/one.yaml", TABLES.format(1))
    rdmaspec(folder, "run", "--record", "one.json", "one.yaml")
    with open(f"{folder}/one.json", encoding="utf-8") as file:
        recording = json.load(file)
    hosts, observations = recording["hosts"], recording["observations"]
    recording["hosts"], recording["observations"] = [], []
    for number in range(1, HOSTS + 1):
        for item in copy.deepcopy(observations):
            item["host"] = f"node-{number:04}"
            recording["observations"].append(item)
        recording["hosts"].append(dict(hosts[0], name=f"node-{number:04}"))
    write(f"{folder}/all.json", json.dumps(recording, indent=1))
    write(f"{folder}/all.yaml", TABLES.format(HOSTS))
    subprocess.run(["zstd", "-q", "-6", "all.json", "-o", "all.zst"], cwd=folder, check=True)
    print(f"\nA recording of {HOSTS:,} hosts with two tables each, {os.path.getsize(f'{folder}/all.json') / 2**20:.0f} MiB of JSON")
    judge(folder, "all.zst", "all.yaml")


def main():
    with tempfile.TemporaryDirectory() as folder:
        lacking = missing()
        if lacking:
            print("the sweep is not recorded: this machine lacks " + lacking)
        else:
            sweep(folder)
        tables(folder)


main()
