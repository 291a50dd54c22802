#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""roce.*, rxe.links and host.* in a virtual machine with Soft RoCE, against rdma, ip, ethtool, ibv_devinfo and sysfs.

tests/lab/vm/roce-stages makes the states and writes down what everybody says; the comparing is done here, where a Python
does not run in an emulated processor.
"""
import ipaddress
import json
import os
import re
import shutil
import sys
import tempfile

from machine import boot
from tap import Tap, compare as same

RDMASPEC = os.path.join(os.environ["RDMASPEC_BUILD"], "runner", "rdmaspec")
STAGES = ("plain", "address-added", "address-removed", "mtu-4200", "ipv6-only", "link-local", "bond", "vlan", "down")
TOOLS = ("rdma", "ip", "ethtool", "ibv_devinfo", "setpriv")

tap = Tap()
check = tap.check


def read(*path):
    with open(os.path.join(OUT, *path), encoding="utf-8", errors="replace") as file:
        return file.read()


def rows(*path):
    return [row["facts"] for row in json.loads(read(*path))["rows"]]


# ---- What the others say ----

def devinfo(text):
    """ibv_devinfo -v: {device: {"active_mtu": ..., "gids": {index: (gid, type)}}}"""
    devices, device = {}, None
    for line in text.splitlines():
        found = re.match(r"hca_id:\s+(\S+)", line)
        if found:
            device = devices.setdefault(found.group(1), {"gids": {}})
        found = re.match(r"\s+(state|phys_state|max_mtu|active_mtu):\s+(\S+)", line)
        if found and device is not None:
            device[found.group(1)] = found.group(2)
        found = re.match(r"\s+GID\[\s*(\d+)\]:\s+([0-9a-f:.]+)(?:, (.*))?$", line)
        if found:
            device["gids"][int(found.group(1))] = (ipaddress.IPv6Address(found.group(2)), found.group(3))
    return devices


def addresses(text):
    return {link["ifname"]: sorted(one["local"] for one in link["addr_info"]) for link in json.loads(text)}


def table(text):
    """The lines of roce-stages: {index: (gid, type, netdev)}, without empty rows"""
    columns = {"gids": {}, "types": {}, "ndevs": {}}
    for line in text.splitlines():
        folder, index, value = line.split(":", 2)
        columns[folder][int(index)] = value
    return {index: (ipaddress.IPv6Address(gid), columns["types"].get(index), columns["ndevs"].get(index))
            for index, gid in columns["gids"].items() if set(gid) - set("0:")}


def statistics(text):
    return {tuple(line.split(":")[:2]): int(line.split(":")[2]) for line in text.splitlines()}


def ethtool(text):
    return {key.strip(): int(value) for key, value in
            (line.rsplit(":", 1) for line in text.splitlines()[1:] if ":" in line)} if text.startswith("NIC stat") else {}


# ---- Comparisons ----

def compare_links(stage):
    theirs = {link["ifname"]: (link["port"], link["state"].lower(), link["physical_state"], link.get("netdev"))
              for link in json.loads(read(stage, "rdma-link.json"))}
    physical = {"LinkUp": "LINK_UP", "Disabled": "DISABLED", "Polling": "POLLING"}
    ours = {row["device"]: (row["port"], row["state"].lower(), physical.get(row["physical_state"]), row["netdev"])
            for row in rows(stage, "rxe.links.json")}
    yield from same(ours, theirs, "rdma link")
    of_netdev = addresses(read(stage, "ip-addr.json"))
    yield from same({row["device"]: sorted(row["netdev_addresses"]) for row in rows(stage, "rxe.links.json")},
                    {name: of_netdev[link[3]] for name, link in theirs.items()}, "ip addr")


def compare_devices(stage):
    links = {link["ifname"]: link for link in json.loads(read(stage, "ip-link.json"))}
    info = devinfo(read(stage, "ibv_devinfo"))
    netdevs = {link["ifname"]: link.get("netdev") for link in json.loads(read(stage, "rdma-link.json"))}
    of_netdev = addresses(read(stage, "ip-addr.json"))
    ours = {row["device"]: row for row in rows(stage, "roce.devices.json")}
    yield from same({name: row["netdev"] for name, row in ours.items()}, netdevs, "rdma link")
    for name, row in ours.items():
        link = links[netdevs[name]]
        bond = link["ifname"] if link.get("linkinfo", {}).get("info_kind") == "bond" else link.get("master")
        theirs = {
            "netdev_state": link["operstate"].lower(),
            "mtu": link["mtu"],
            "active_mtu": info[name]["active_mtu"],
            "max_mtu": info[name]["max_mtu"],
            "state": {"PORT_ACTIVE": "Active", "PORT_DOWN": "Down"}[info[name]["state"]],
            "physical_state": {"LINK_UP": "LinkUp", "DISABLED": "Disabled"}[info[name]["phys_state"]],
            "addresses": of_netdev[netdevs[name]],
            "bond": bond,
            "bond_slaves": [one for one in links if links[one].get("master") == bond and bond],
            "bond_mode": links[bond]["linkinfo"]["info_data"]["mode"] if bond else None,
            "vlan": [one["linkinfo"]["info_data"]["id"] for one in links.values()
                     if one.get("link") == link["ifname"] and one["linkinfo"]["info_kind"] == "vlan"],
            "driver": "rxe",
            "protocol": "RoCE",
            "mtu_fits": True,
        }
        ours_now = {key: row.get(key) for key in theirs}
        ours_now["addresses"] = sorted(ours_now["addresses"])
        yield from same(ours_now, theirs, "%s: ip, ibv_devinfo" % name)


def compare_gids(stage):
    vlans = {link["ifname"]: link["linkinfo"]["info_data"]["id"] for link in json.loads(read(stage, "ip-link.json"))
             if link.get("linkinfo", {}).get("info_kind") == "vlan"}
    info = devinfo(read(stage, "ibv_devinfo"))
    ours, order = {}, []
    for row in rows(stage, "roce.gids.json"):
        ours[row["device"], row["index"]] = row
        order.append((row["device"], row["index"]))
    yield from same({key: (ipaddress.IPv6Address(row["gid"]), row["type"]) for key, row in ours.items()},
                    {(name, index): gid for name, device in info.items() for index, gid in device["gids"].items()},
                    "ibv_devinfo")
    if order != sorted(order):
        yield "the order of rows is %r" % order
    theirs = {}
    for name in info:
        for index, (gid, kind, netdev) in table(read(stage, "table-" + name)).items():
            theirs[name, index] = (kind, netdev, str(gid.ipv4_mapped or gid), gid.is_link_local, vlans.get(netdev))
    yield from same({key: (row["type"], row["netdev"], row["address"], row["link_local"], row["vlan"])
                     for key, row in ours.items()}, theirs, "sysfs")


def compare_counters(stage):
    ours = {}
    for row in rows(stage, "roce.counters.json"):
        ours.setdefault(row["source"], {})[row["device"], row["netdev"], row["name"]] = int(row["value"])
    theirs = {(device["ifname"], None, name): value for device in json.loads(read(stage, "rdma-statistic.json"))
              for name, value in device.items() if name not in ("ifname", "port", "ifindex")}
    yield from same(ours["hw_counters"], theirs, "rdma statistic")
    before, after = statistics(read(stage, "statistics-before")), statistics(read(stage, "statistics-after"))
    seen = {}
    for (_, netdev, name), value in ours["statistics"].items():
        seen.setdefault((netdev, name), set()).add(value)
        if not before[netdev, name] <= value <= after[netdev, name]:
            yield "%s %s: %d is not between %d and %d" % (netdev, name, value, before[netdev, name], after[netdev, name])
    for netdev in {netdev for netdev, _ in seen}:
        if {name for one, name in seen if one == netdev} != {name for one, name in before if one == netdev}:
            yield "not all statistics of " + netdev
        if netdev != "bond0":
            names = {name for _, one, name in ours.get("ethtool", {}) if one == netdev}
            theirs = set(ethtool(read(stage, "ethtool-" + netdev)))
            if names != theirs:
                yield "%s: ethtool -S differs in %r" % (netdev, names ^ theirs)


def compare_qos(stage):
    netdevs = {"rxe0": ["eth0"], "rxe1": ["eth1"], "rxeb": ["eth2", "eth3"]}
    present = [link["ifname"] for link in json.loads(read(stage, "rdma-link.json"))]
    expected = {(name, netdev, priority): None for name in present for netdev in netdevs[name] for priority in range(8)}
    table_rows = json.loads(read(stage, "roce.qos.json"))["rows"]
    yield from same({(row["facts"]["device"], row["facts"]["netdev"], row["facts"]["priority"]): row["facts"].get("pfc")
                     for row in table_rows}, expected, "rxe")
    for row in table_rows:
        if "has no DCB" not in row["not_observed"]["pfc"]:
            yield "why pfc is not observed: %r" % row["not_observed"]["pfc"]


def compare_stage(stage):
    check(stage + ": every observation succeeded", [read(stage, "failed")] if os.path.exists(
        os.path.join(OUT, stage, "failed")) else [])
    check(stage + ": rxe.links as rdma and ip", compare_links(stage))
    check(stage + ": roce.devices as rdma, ip and ibv_devinfo", compare_devices(stage))
    check(stage + ": roce.gids as ibv_devinfo, sysfs and ip", compare_gids(stage))
    check(stage + ": roce.counters as rdma, ethtool and sysfs", compare_counters(stage))
    check(stage + ": roce.qos: no DCB is said, not guessed", compare_qos(stage))


# ---- What each stage is there for: the oracles could all have missed it ----

def by_address(stage, address):
    return [(row["device"], row["index"], row["netdev"], row["vlan"]) for row in rows(stage, "roce.gids.json")
            if row["address"] == address]


def one_device(stage, device):
    return next(row for row in rows(stage, "roce.devices.json") if row["device"] == device)


def expected_in(got, expected):
    return [] if got == expected else ["got %r, expected %r" % (got, expected)]


def stages_show_what_they_should():
    check("two IPv4 addresses have a GID each", expected_in(
        [len(by_address("plain", one)) for one in ("10.0.0.1", "10.0.0.9", "fd00::1")], [1, 1, 1]))
    check("an added address has one", expected_in(
        [len(by_address(stage, "10.0.5.1")) for stage in ("plain", "address-added")], [0, 1]))
    removed = by_address("plain", "10.0.0.1")[0][1]
    indices = [row["index"] for row in rows("address-removed", "roce.gids.json")]
    check("a removed address leaves a hole", expected_in(
        (by_address("address-removed", "10.0.0.1"), removed in indices, max(indices) > removed), ([], False, True)))
    check("MTU 1500 makes 1024, MTU 4200 makes 4096", expected_in(
        [(one_device(stage, "rxe0")["mtu"], one_device(stage, "rxe0")["active_mtu"]) for stage in ("plain", "mtu-4200")],
        [(1500, "1024"), (4200, "4096")]))
    check("the speed is the netdev's", expected_in(one_device("plain", "rxe0").get("speed"), "25000"))
    check("an IPv6-only netdev has no IPv4 GID", expected_in(
        [":" in row["address"] for row in rows("ipv6-only", "roce.gids.json") if row["device"] == "rxe1"], [True, True]))
    check("link-local only", expected_in(
        [row["link_local"] for row in rows("link-local", "roce.gids.json") if row["device"] == "rxe1"], [True]))
    check("the bond and its slaves", expected_in(
        [one_device("bond", "rxeb")[key] for key in ("netdev", "bond", "bond_slaves", "bond_mode", "vlan")],
        ["bond0", "bond0", ["eth2", "eth3"], "active-backup", []]))
    check("the VLAN's GID names it", expected_in(
        [(name, netdev, vlan) for name, _, netdev, vlan in by_address("vlan", "10.1.100.1")],
        [("rxeb", "bond0.100", 100)]))
    check("a netdev that is down", expected_in(
        [one_device("down", "rxe1")[key] for key in ("netdev_state", "state", "physical_state")],
        ["down", "Down", "Disabled"]))


def host_plugin():
    loaded = {line.split()[0]: int(line.split()[2]) for line in read("lsmod").splitlines()[1:]}
    check("host.modules as lsmod", same(
        {row["name"]: row["references"] for row in rows("modules.json") if row["loaded"]}, loaded, "lsmod"))
    names = {row["name"]: (row["loaded"], row["available"]) for row in rows("module-names.json")}
    check("modules that are loaded, only there, and not at all", expected_in(names, {
        "rdma_rxe": (True, True), "rdma_ucm": (True, True), "mlx5_core": (False, True),
        "no_such_module": (False, False)}))
    check("host.processes", expected_in(
        [(row["name"], row["count"] > 0) for row in rows("processes.json")], [("sleep", True), ("opensm", False)]))
    check("host.limits under ulimit -l 8", expected_in(
        [(row["name"], row["soft"], row["soft_size"]) for row in rows("limits.json")], [("memlock", "8192", "8192")]))
    check("rdma_cm's defaults from configfs", expected_in(
        {(row["cm_roce_mode"], row["cm_tos"]) for row in rows("cm.json")},
        {(read("cm-mode").strip().replace("IB/", ""), 106)}))


def refusals():
    for name in ("no-rdma", "no-device"):
        check(name + ": an error that says so", [] if re.search("no RDMA d(river is loaded|evice)", read(name + ".err"))
              else [read(name + ".err")])
    check("a user without rights sees the same GIDs", same(
        {(row["device"], row["index"]): row["gid"] for row in rows("nobody.json")},
        {(row["device"], row["index"]): row["gid"] for row in rows("down", "roce.gids.json")}, "root"))


with tempfile.TemporaryDirectory(prefix="rdmaspec-roce.") as OUT:
    status = boot(OUT, "roce-stages", [RDMASPEC], TOOLS, nics=4, seconds=400)
    check("the virtual machine went through all stages",
          [] if status == 0 and os.path.exists(os.path.join(OUT, "complete")) else ["it ended with %d" % status])
    if not tap.failed:
        for one_stage in STAGES:
            compare_stage(one_stage)
        stages_show_what_they_should()
        host_plugin()
        refusals()
    if os.environ.get("RDMASPEC_KEEP"):
        shutil.copytree(OUT, os.environ["RDMASPEC_KEEP"], dirs_exist_ok=True)
sys.exit(tap.end())
