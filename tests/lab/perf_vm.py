#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rxe.bandwidth and rxe.latency with perftest itself on Soft RoCE in a virtual machine; vm/perf-stages makes the faults.

No figure is expected of an emulated processor; those of the tables have to be those that stand in the evidence.
"""
import json
import os
import re
import sys
import tempfile
import xml.etree.ElementTree as ET

from machine import boot
from tap import Tap

SOURCE = os.environ["RDMASPEC_SOURCE"]
RDMASPEC = os.path.join(os.environ["RDMASPEC_BUILD"], "runner", "rdmaspec")
TOOLS = ("rdma", "ip", "ib_write_bw")

tap = Tap()


def check(name, *differences):
    tap.check(name, [text for text in differences if text])


def boot_stages(out):
    return boot(out, "perf-stages", [RDMASPEC, os.path.join(SOURCE, "scenarios")], TOOLS, nics=1, seconds=500)


def status(name):
    with open(os.path.join(OUT, name + ".status"), encoding="utf-8") as file:
        return int(file.read())


def document(name):
    with open(os.path.join(OUT, name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def sentence(name, step=None):
    for scenario in document(name)["scenarios"]:
        for one in scenario["steps"]:
            for case in one["cases"]:
                if case["verdict"] not in ("pass", "skip") and (step is None or case["name"].startswith(step)):
                    return case["attempts"][-1]["sentence"] or ""
    return ""


def differs(what, seen, expected):
    return "" if seen == expected else "%s is %r, expected %r" % (what, seen, expected)


def matches(text, pattern):
    return "" if re.search(pattern, text) else "%r does not match %r" % (text, pattern)


def passes(name):
    return differs("exit status", status(name), 0) or ""


def errs(name, pattern):
    check(name, differs("exit status", status(name), 2), matches(sentence(name), pattern))


def figures():
    """Every figure of the two tables stands as such in what perftest printed, and in the JUnit properties."""
    properties = " ".join(one.get("value") for one in ET.parse(os.path.join(OUT, "scenario.xml")).iter("property"))
    seen = 0
    for observation in document("scenario")["observations"]:
        text = "".join(one["head"] for one in observation["evidence"] if one["name"].endswith(("bw stdout", "lat stdout"))
                       and not one["name"].startswith("server"))
        if not text:
            continue
        row = text.split("#bytes", 1)[1].splitlines()[1].split()
        for scenario in document("scenario")["scenarios"]:
            for step in scenario["steps"]:
                for case in step["cases"]:
                    for kept in case["attempts"][-1].get("rows", []):
                        facts = kept["facts"]
                        for fact in ("bw_average", "msg_rate", "t_avg", "p99", "p99_9"):
                            figure = str(facts.get(fact, "")).split(" ")[0]
                            if figure and figure in row:
                                seen += 1
                                if figure not in properties:
                                    yield "%s %s is not among the properties" % (fact, figure)
    if seen != 5:
        yield "%d of 5 figures stand in the evidence" % seen


def main():
    check("the machine ran to its end", differs("exit status", boot_stages(OUT), 0))
    check("from the link to the verdict of bandwidth and p99", passes("scenario"))
    check("the figures are those of the evidence and of JUnit", *figures())
    check("a limit above what is there fails", differs("exit status", status("above"), 1),
          matches(sentence("above", "bandwidth"),
                  r"bw_average is [0-9.]+ Gb/s, expected at least 100000 Gb/s \(.*soft-roce-pair.yaml:\d+:\d+\)"))
    check("the same for p99", differs("exit status", status("p99-above"), 1),
          matches(sentence("p99-above"), r"p99 is [0-9.]+ us, expected at most 0.001 us \(p99-above.yaml:\d+:\d+\)"))
    check("rdma_cm: its listener is seen in RDMA netlink", passes("rdma-cm") and sentence("rdma-cm"))
    # The perftest of Debian 12 cannot, later ones can.
    check("IPv6", passes("ipv6") and matches(sentence("ipv6"), "perftest connects over IPv4 only"))
    check("RoCE's own probes over the same device", passes("roce") and sentence("roce"))
    errs("gid-empty", r"(Incompatibility issue with GID types|Failed to modify QP).*the server on b: ")
    errs("bad-argument", r"unrecognized option|this version does not have it")
    errs("memlock", r"the memlock limit is 16 KiB here")
    errs("absent-address", r"gid auto: no RoCE v2 entry of rxe0 carries 10\.9\.9\.9.*10\.0\.0\.1")
    return tap.end()


with tempfile.TemporaryDirectory(prefix="rdmaspec-perf.") as OUT:
    if len(sys.argv) > 1:
        OUT, boot_stages = sys.argv[1], lambda out: 0
    sys.exit(main())
