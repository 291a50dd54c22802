#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""rxe.link in a virtual machine, against "rdma link": made, found, refused, and removed however the run ends."""
import json
import os
import re
import sys
import tempfile

from machine import boot
from tap import Tap

SOURCE = os.environ["RDMASPEC_SOURCE"]
RDMASPEC = os.path.join(os.environ["RDMASPEC_BUILD"], "runner", "rdmaspec")
TOOLS = ("rdma", "ip", "ib_write_bw")

tap = Tap()


def check(name, *differences):
    tap.check(name, [text for text in differences if text])


def read(name):
    with open(os.path.join(OUT, name), encoding="utf-8") as file:
        return file.read()


def differs(what, seen, expected):
    return "" if seen == expected else "%s is %r, expected %r" % (what, seen, expected)


def matches(text, pattern):
    return "" if re.search(pattern, text) else "%r does not match %r" % (text, pattern)


def status(name, expected):
    return differs("exit status of " + name, int(read(name + ".status")), expected)


def links(name):
    """device and netdev of each link, as rdma -j link has them"""
    return [(link["ifname"], link.get("netdev")) for link in json.loads(read(name) or "[]")]


def left(name, *expected):
    return differs("what is left of " + name, links(name + ".after"), list(expected))


def refused(name, pattern, *there):
    check(name, status(name, 2), matches(read(name + ".err"), pattern), left(name, *there))



def verdicts(name):
    return [case["verdict"] for scenario in json.loads(read(name))["scenarios"]
            for step in scenario["steps"] for case in step["cases"]]


def main():
    check("the machine ran to its end",
          differs("exit status", boot(OUT, "link-stages", [RDMASPEC, os.path.join(SOURCE, "scenarios")], TOOLS, nics=2,
                                      seconds=400), 0))
    refused("no-module", r"no Soft RoCE: the module rdma_rxe is not loaded")
    refused("no-address", r"bare has no IPv4 or IPv6 address but link-local ones")
    refused("no-netdev", r"there is no network device eth7")
    refused("bad-name", r"'rxe%d' cannot be the name")
    refused("denied", r"does not allow a link on eth0: it takes CAP_NET_ADMIN")
    check("made, and removed at the end", status("made", 0), left("made"), matches(read("made.out"), "created"),
          matches(read("made.out"), r"10\.0\.0\.1"))
    check("rdma link sees it while the run goes on", status("during", 0),
          differs("links", links("during.json"), [("rxe0", "eth0")]), left("during"))
    check("one that is there is found, by its own name, and stays", status("found", 0), left("found", ("mine", "eth0")),
          matches(read("found.out"), "found"), matches(read("found.out"), "mine"))
    refused("taken", r"the name mine is taken by another RDMA device, that of eth0", ("mine", "eth0"))
    # 128 and the number of the signal
    for name, code in (("INT", 130), ("TERM", 143), ("KILL", 137)):
        check("a run that gets SIG%s leaves no link" % name, status(name, code), left(name))
    check("the scenario, from the link to the verdict of bandwidth and p99", status("scenario", 0), left("scenario"),
          *(differs("verdict", one, "pass") for one in verdicts("scenario.json")))
    return tap.end()


with tempfile.TemporaryDirectory(prefix="rdmaspec-link.") as OUT:
    if len(sys.argv) > 1:
        OUT, boot = sys.argv[1], lambda *_, **__: 0
    sys.exit(main())
