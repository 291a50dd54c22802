#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""roce.path in network namespaces of its own, against "ip route get" and "ping -M do".

here -- eth0 10.1.0.0/24 -- router -- 10.2.0.0/24 -- far      The far link carries 1400 bytes where the near one carries 4200;
     -- eth1 10.3.0.0/24 -- hole                              "hole" has an MTU of 2000.
"""
import json
import os
import re
import shutil
import subprocess
import sys

from tap import Tap, skip

RDMASPEC = os.path.join(os.environ["RDMASPEC_BUILD"], "runner", "rdmaspec")
PREFIX = "rs%d" % os.getpid()
HERE, ROUTER, FAR, HOLE = (PREFIX + name for name in ("h", "r", "f", "o"))
NAMESPACES = (HERE, ROUTER, FAR, HOLE)
os.environ["PATH"] += ":/usr/sbin:/sbin"

tap = Tap()


def run(*argv, check=True):
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          check=False)
    if check and done.returncode:
        raise RuntimeError("%s: %s" % (" ".join(argv), done.stderr.strip()))
    return done


def inside(namespace, *argv, check=True):
    return run("ip", "netns", "exec", namespace, *argv, check=check)


def join(one, one_dev, other, other_dev, mtu):
    run("ip", "link", "add", one_dev, "mtu", str(mtu), "netns", one, "type", "veth", "peer", "name", other_dev, "mtu", str(mtu),
        "netns", other)
    for namespace, device in ((one, one_dev), (other, other_dev)):
        run("ip", "-n", namespace, "link", "set", device, "up")


def address(namespace, device, *addresses):
    for one in addresses:
        run("ip", "-n", namespace, "address", "add", one, "dev", device, *(["nodad"] if ":" in one else []))


def build():
    for namespace in NAMESPACES:
        run("ip", "netns", "add", namespace)
        run("ip", "-n", namespace, "link", "set", "lo", "up")
        # An address can be used at once, link-local ones too.
        inside(namespace, "sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0", "net.ipv6.conf.all.accept_dad=0")
    join(HERE, "eth0", ROUTER, "near", 4200)
    join(ROUTER, "away", FAR, "eth0", 1400)
    join(HERE, "eth1", HOLE, "eth0", 4200)
    address(HERE, "eth0", "10.1.0.1/24", "2001:db8:1::1/64")
    address(ROUTER, "near", "10.1.0.254/24", "2001:db8:1::254/64")
    address(ROUTER, "away", "10.2.0.254/24", "2001:db8:2::254/64")
    address(FAR, "eth0", "10.2.0.1/24", "2001:db8:2::1/64")
    address(HERE, "eth1", "10.3.0.1/24")
    address(HOLE, "eth0", "10.3.0.2/24")
    run("ip", "-n", HERE, "route", "add", "10.2.0.0/24", "via", "10.1.0.254")
    run("ip", "-n", HERE, "route", "add", "2001:db8:2::/64", "via", "2001:db8:1::254")
    run("ip", "-n", HERE, "route", "add", "unreachable", "10.9.0.0/24")
    run("ip", "-n", HERE, "route", "add", "10.4.0.0/24", "via", "10.1.0.254")
    run("ip", "-n", FAR, "route", "add", "default", "via", "10.2.0.254")
    run("ip", "-n", FAR, "-6", "route", "add", "default", "via", "2001:db8:2::254")
    for name in ("net/ipv4/ip_forward", "net/ipv6/conf/all/forwarding"):
        inside(ROUTER, "sysctl", "-qw", "%s=1" % name.replace("/", "."))
    # What is larger than the receiver's own MTU (and a VLAN header's 4 bytes) a veth drops, and nobody says a word.
    run("ip", "-n", HOLE, "link", "set", "eth0", "mtu", "2000")


def observe(*settings, wanted=0):
    done = inside(HERE, RDMASPEC, "observe", "--json", "roce.path", *settings, check=False)
    if done.returncode != wanted:
        return {}, ["exit status %d, expected %d: %s" % (done.returncode, wanted, done.stderr.strip())]
    rows = [row["facts"] for row in json.loads(done.stdout)["rows"]] if not wanted else []
    return {row["peer"]: row for row in rows}, [] if not wanted else [done.stderr]


def differences(row, **expected):
    """A fact that is none is None; one that was not observed is not in the row"""
    return ["%s is %r, expected %r" % (name, row.get(name, "?"), value) for name, value in expected.items()
            if row.get(name, "?") != value]


def route_of(peer):
    """What iproute2 says, in our words"""
    one = json.loads(inside(HERE, "ip", "-j", "route", "get", peer).stdout)[0]
    return {"netdev": one["dev"], "source": one["prefsrc"], "gateway": one.get("gateway")}


def ping(peer, size):
    """Whether ping gets a packet of this size through; its -s is without IP and ICMP headers"""
    headers = 48 if ":" in peer else 28
    return not inside(HERE, "ping", "-n", "-c", "1", "-W", "1", "-M", "do", "-s", str(size - headers), peer, check=False).returncode


def main():
    peers = ["10.1.0.1", "10.1.0.254", "10.2.0.1", "10.3.0.2", "2001:db8:1::254", "2001:db8:2::1"]
    missing = ["10.9.0.1", "10.1.0.77", "10.4.0.1", "198.51.100.1", "nobody.invalid"]
    rows, problems = observe("wait=500 ms", *("peers=" + peer for peer in peers + missing))
    tap.check("a row for each peer, in one observation", problems + differences({"rows": sorted(rows)}, rows=sorted(peers + missing)))
    if not rows:
        return tap.end()

    def rtt(peer, name):
        return float(rows[peer].get(name, "nan"))

    for peer in peers:
        tap.check("the route to %s is that of iproute2" % peer, differences(rows[peer], address=peer, **route_of(peer)))
        tap.check("%s is reachable" % peer, differences(rows[peer], reachable=True, problem=None, sent=3, received=3) +
                  ([] if 0 < rtt(peer, "rtt_min") <= rtt(peer, "rtt") <= rtt(peer, "rtt_max")
                   else ["round trips are not in order: %s" % rows[peer]]))
    for peer, expected in (("10.1.0.254", 4200), ("10.2.0.1", 1400), ("10.3.0.2", 2004), ("2001:db8:2::1", 1400)):
        tap.check("the largest packet to %s is ping's" % peer, differences(rows[peer], path_mtu=expected, mtu=4200) +
                  differences({"fits": ping(peer, expected), "more": ping(peer, expected + 1)}, fits=True, more=False))
    for peer, same in (("10.1.0.254", True), ("10.2.0.1", False), ("10.3.0.2", True), ("10.1.0.1", True),
                       ("2001:db8:1::254", True), ("2001:db8:2::1", False)):
        tap.check("%s: whether it is in the same subnet" % peer, differences(rows[peer], same_subnet=same))
    for peer, words in (("10.9.0.1", r"^no route: "), ("198.51.100.1", r"^no route: Network is unreachable"),
                        ("10.1.0.77", r"No route to host|no answer"), ("nobody.invalid", r"^has no address: "),
                        ("10.4.0.1", r"^10\.1\.0\.254 says: Network is unreachable")):
        row = rows[peer]
        tap.check("%s: why it cannot be reached" % peer, differences(row, reachable=False, received=0) +
                  ([] if re.search(words, row["problem"]) else ["%r does not match %r" % (row["problem"], words)]) +
                  (["has a path_mtu"] if row.get("path_mtu") else []))
    rows, problems = observe("peers=10.3.0.2", "netdev=eth0", "wait=200 ms", "echoes=1")
    tap.check("the wrong rail is not the right one", problems or differences(rows["10.3.0.2"], reachable=False, netdev="eth0"))
    _, problems = observe("peers=10.3.0.2", "netdev=eth7", wanted=2)
    tap.check("a netdev that is not there", [] if "this host has no netdev eth7" in problems[0] else problems)
    denied()
    return tap.end()


def denied():
    """Neither a ping socket nor a raw one: the range of groups is empty, and the user is nobody"""
    argv = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", RDMASPEC, "observe", "--json", "roce.path", "peers=127.0.0.1")
    inside(HERE, "sysctl", "-qw", "net.ipv4.ping_group_range=1 0")
    done = inside(HERE, *argv, check=False)
    tap.check("without rights the message says what would help", differences({"status": done.returncode}, status=2) +
              ([] if "net.ipv4.ping_group_range" in done.stderr else [done.stderr]))
    inside(HERE, "sysctl", "-qw", "net.ipv4.ping_group_range=0 2147483647")
    done = inside(HERE, *argv, check=False)
    tap.check("and with that it works without any", differences({"status": done.returncode}, status=0) +
              (differences(json.loads(done.stdout)["rows"][0]["facts"], reachable=True, path_mtu=65535) if not done.returncode
               else [done.stderr]))


lacking = [tool for tool in ("ip", "ping", "setpriv", "sysctl") if not shutil.which(tool)]
if lacking:
    skip("this machine lacks " + ", ".join(lacking))
try:
    try:
        build()
    except RuntimeError as why:
        skip("namespaces cannot be made here: %s" % why)
    status = main()
finally:
    for name in NAMESPACES:
        run("ip", "netns", "del", name, check=False)
sys.exit(status)
