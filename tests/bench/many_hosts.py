#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Many hosts: 1,000 agents on this machine, and a dry run of 10,000 hosts of which some are dead or slow.

many_hosts.py BUILD: the time until all 1,000 have answered, that of a trivial step over all of them, and what an agent
takes of memory; then 10,000 hosts behind a stand-in that answers as an agent does, 1 % of them dead, 1 % silent: the
counts must be exact, and nobody may be left. Only what is wrong fails; figures are printed beside what was promised.
"""
import collections
import datetime
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build")
RDMASPEC = os.path.join(BUILD, "runner", "rdmaspec")
FAR = os.path.join(BUILD, "tests", "bench", "far_agent")
PLUGINS = os.path.join(BUILD, "plugins")
LOCAL = int(os.environ.get("BENCH_AGENTS", 1000))
FAR_HOSTS = int(os.environ.get("BENCH_HOSTS", 10000))
SLOW_S = 30


def promise(text, value, limit, unit):
    print(f"  {text}: {value:.2f} {unit}, promised at most {limit} {unit}: {'kept' if value <= limit else 'NOT KEPT'}")


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def own_memory(pid):
    """KiB that this process has for itself: its part of what is shared, too."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("Pss:"))
    except (OSError, StopIteration):
        return 0


def local(folder):
    """--min-hosts of all of them: the step begins when the last one has answered."""
    with open(f"{folder}/local.yaml", "w", encoding="utf-8") as file:
        file.write(f"rdmaspec: 1\nhosts: [{{name: 'node-[0001-{LOCAL:04}]'}}]\nsteps:\n"
                   "  - {id: trivial, mock.pass: {count: 2}}\n")
    start = time.time()
    process = subprocess.Popen([RDMASPEC, "run", "--min-hosts", str(LOCAL), "-o", "json=out.json", "local.yaml"],
                               cwd=folder, stdout=subprocess.DEVNULL)
    peak = memory = count = 0
    while process.poll() is None:
        try:
            agents = children(process.pid)
        except OSError:
            break
        if len(agents) > peak:
            peak = len(agents)
            if peak == LOCAL:
                sample = agents[::50]
                memory = sum(own_memory(pid) for pid in sample)
                count = len(sample)
        time.sleep(0.05)
    if process.wait() != 0:
        sys.exit(f"bench: the run over {LOCAL} agents ended with {process.returncode}")
    with open(f"{folder}/out.json", encoding="utf-8") as file:
        result = json.load(file)
    step = result["scenarios"][0]["steps"][0]
    begun = datetime.datetime.fromisoformat(step["started"].replace("Z", "+00:00")).timestamp()
    if result["counts"]["passed"] != LOCAL:
        sys.exit(f"bench: {result['counts']['passed']} of {LOCAL} passed")
    print(f"\n{LOCAL:,} agents on this machine, {time.time() - start:.1f} s in all")
    promise("all have answered after", begun - start, 10, "s")
    promise("a trivial step over all of them", step["seconds"], 1, "s")
    if count:
        print(f"  memory of an agent: {memory / count:.0f} KiB (its part of what is shared included)")


def record(folder):
    """What an agent says to one request for the step's observation, as a file for the stand-in."""
    agent = subprocess.Popen([RDMASPEC, "agent", "--plugin-dir", PLUGINS], stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE)
    hello = agent.stdout.readline()
    greeting = json.loads(hello)
    greeting["runner"] = True
    lines = [json.dumps(greeting, separators=(",", ":")),
             '{"id":1,"params":"{}"}',
             '{"id":1,"observe":{"source":"mock.pass","wanted":["mock.pass"],"timeout":30000}}']
    agent.stdin.write("".join(line + "\n" for line in lines).encode())
    agent.stdin.flush()
    answer = [hello]
    while True:
        line = agent.stdout.readline()
        if not line:
            sys.exit("bench: the agent that was to be recorded ended: " + b"".join(answer).decode())
        answer.append(line)
        if b'"done":' in line:
            break
    agent.stdin.close()
    agent.wait()
    with open(f"{folder}/answer", "wb") as file:
        file.write(b"".join(answer))


def far(folder):
    dead, slow = FAR_HOSTS // 100, FAR_HOSTS // 100
    alive = FAR_HOSTS - dead - slow
    record(folder)
    with open(f"{folder}/far.yaml", "w", encoding="utf-8") as file:
        def group(name, count, state):
            words = json.dumps([FAR, f"{folder}/answer", state])
            file.write(f"  - {{name: '{name}-[00001-{count:05}]', connect: {{command: {words}}}, "
                       f"connect_timeout: {SLOW_S} s}}\n")

        file.write("rdmaspec: 1\nhosts:\n")
        group("slow", slow, "slow")
        group("dead", dead, "dead")
        group("node", alive, "alive")
        file.write("steps:\n  - {id: first, mock.pass: {count: 2}}\n"
                   "  - {id: second, needs: [first], fresh: true, mock.pass: {count: 2}}\n")
    start = time.perf_counter()
    process = subprocess.Popen([RDMASPEC, "run", "-j", "4", "--fanout", "100", "-o", "json=out.json", "far.yaml"],
                               cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - start
    with open(f"{folder}/out.json", encoding="utf-8") as file:
        result = json.load(file)
    counts = result["counts"]
    lost = dead + slow
    want = {"passed": 2 * alive, "failed": 0, "errors": lost, "skipped": lost}
    got = {key: counts[key] for key in want}
    if got != want or process.returncode != 2:
        said = collections.Counter(case["attempts"][-1]["sentence"] for case in
                                   result["scenarios"][0]["steps"][0]["cases"] if case["verdict"] == "error")
        sys.exit(f"bench: {FAR_HOSTS} hosts: exit status {process.returncode}, {got}, not {want}: {said.most_common(4)}")
    left = subprocess.run(["pgrep", "-c", "-f", f"{folder}/answer"], capture_output=True, text=True).stdout.strip()
    if left != "0":
        sys.exit(f"bench: {left} stand-ins are left")
    print(f"\nA dry run of {FAR_HOSTS:,} hosts, {dead} of them dead and {slow} silent for {SLOW_S} s: two steps")
    print(f"  {took:.1f} s; {got['passed']:,} passed, {got['errors']} could not be judged, {got['skipped']} skipped, "
          "as they should; nobody is left")
    print(f"  memory of the runner: {usage.ru_maxrss / 1024:.0f} MiB, "
          f"{usage.ru_maxrss / FAR_HOSTS:.1f} KiB a host")


def main():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    print(f"Many hosts (descriptors: {soft} of {hard})")
    with tempfile.TemporaryDirectory() as folder:
        local(folder)
        sys.stdout.flush()
        far(folder)


main()
