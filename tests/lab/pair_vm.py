#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Two virtual machines on one wire: the runner on the first drives both over ssh; vm/pair-stages makes the faults.

No figure is expected of emulated processors; presence, units and directions are.
"""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading

from machine import boot
from tap import Tap

SOURCE = os.environ["RDMASPEC_SOURCE"]
RDMASPEC = os.path.join(os.environ["RDMASPEC_BUILD"], "runner", "rdmaspec")
TOOLS = ("rdma", "ip", "tc", "ib_write_bw", "iperf3", "ssh", "ssh-keygen", "sshd")

tap = Tap()


def free_ports(count):
    sockets = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def nics(number, ports):
    """The fabric and the link for ssh: each two UDP ports of the loopback, crossed"""
    words = []
    for link, pair in enumerate((ports[:2], ports[2:])):
        own, peer = pair if number == 1 else reversed(pair)
        words += ["-netdev", "dgram,id=l%d,local.type=inet,local.host=127.0.0.1,local.port=%d,remote.type=inet,"
                  "remote.host=127.0.0.1,remote.port=%d" % (link, own, peer),
                  "-device", "virtio-net-pci,netdev=l%d,host_mtu=9000,mac=52:54:00:00:0%d:0%d" % (link, link, number)]
    return " ".join(words)


def boot_both():
    keys = os.path.join(OUT, "keys")
    os.mkdir(keys, 0o700)
    for name in ("host", "user"):
        subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "throw-away", "-f", os.path.join(keys, name)],
                       check=True)
    ports = free_ports(4)
    statuses = {}

    def machine(number):
        out = os.path.join(OUT, str(number))
        try:
            statuses[number] = boot(out, "pair-stages", [RDMASPEC, os.path.join(SOURCE, "scenarios"), keys, str(number)], TOOLS,
                                    nics=0, seconds=500, qemu=nics(number, ports))
        except SystemExit as skipped:
            statuses[number] = skipped

    threads = [threading.Thread(target=machine, args=(number,)) for number in (1, 2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    for one in statuses.values():
        if isinstance(one, SystemExit):
            sys.exit(one.code)
    return statuses


def status(name):
    with open(os.path.join(OUT, "1", name + ".status"), encoding="utf-8") as file:
        return int(file.read())


def cases(name, step):
    with open(os.path.join(OUT, "1", name + ".json"), encoding="utf-8") as file:
        document = json.load(file)
    return [case for scenario in document["scenarios"] for one in scenario["steps"] for case in one["cases"]
            if case["name"].startswith(step)]


def differs(what, seen, expected):
    return ["%s is %r, expected %r" % (what, seen, expected)] if seen != expected else []


def sentence_is(name, step, pattern):
    """The first case of that step that did not pass says so"""
    texts = [case["attempts"][-1]["sentence"] or "" for case in cases(name, step) if case["verdict"] != "pass"]
    return [] if texts and re.search(pattern, texts[0]) else ["%s does not match %r" % (texts, pattern)]


def verdicts(name, step):
    return [case["verdict"] for case in cases(name, step)]


def figures(step, fact):
    """Both directions of a step have a figure above zero"""
    seen = {case["name"]: [row["facts"].get(fact) for row in case["attempts"][-1].get("rows", [])] for case in cases("scenario", step)}
    labels = sorted(re.search(r"\[(.*)\]", label).group(1) for label in seen)
    yield from differs("what ran", labels, ["node-01→node-02", "node-02→node-01"])
    for label, values in seen.items():
        if len(values) != 1 or not values[0] or float(values[0].split()[0]) <= 0:
            yield "%s: %s is %r" % (label, fact, values)


def main():
    tap.check("both machines ran to their end", differs("exit statuses", boot_both(), {1: 0, 2: 0}))
    tap.check("TCP against Soft RoCE: paths, bandwidth both ways, latency", differs("exit status", status("scenario"), 0))
    tap.check("TCP has a figure each way", figures("tcp", "bw_average"))
    tap.check("Soft RoCE has one too", figures("roce", "bw_average"))
    tap.check("UDP 4791 dropped: TCP goes through", differs("verdicts", verdicts("dropped", "tcp"), ["pass"]))
    tap.check("and RDMA is an error that says where to look", differs("verdicts", verdicts("dropped", "roce"), ["error"]) +
              sentence_is("dropped", "roce", r"the handshake with 10\.0\.0\.2 succeeded, the data path did not.*UDP port 4791"))
    tap.check("MTUs that differ are named with their hosts",
              sentence_is("mtu", "mtu", r"node-01 says mtu 4200, node-02 says mtu 1500"))
    tap.check("the way back carries 1500 only", sentence_is("mtu", "back", r"path_mtu is 1500, expected at least 4200"))
    tap.check("a link that is down: not reachable", differs("verdicts", verdicts("down", "path"), ["fail"]) +
              sentence_is("down", "path", r"reachable is false, expected true"))
    tap.check("and nothing is measured", differs("verdicts", verdicts("down", "tcp"), ["error"]) +
              sentence_is("down", "tcp", r"iperf3.*(No route to host|did not end in time)"))
    return tap.end()


with tempfile.TemporaryDirectory(prefix="rdmaspec-pair.") as OUT:
    if len(sys.argv) > 1:
        OUT, boot_both = sys.argv[1], lambda: {1: 0, 2: 0}
    sys.exit(main())
