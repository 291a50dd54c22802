#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""fabric.nodes, fabric.links, fabric.ports and ib.sm against infiniband-diags, row by row.

fabric_oracle.py [TOPOLOGY ...]: those of tests/data/fabrics without arguments.
"""
import glob
import os
import re
import sys

from subnet import Subnet, Tap, as_diags, compare, normal, observe_simulated, skip_or_fail

SPEEDS = {"2.5 Gbps": "SDR", "5.0 Gbps": "DDR", "10.0 Gbps": "QDR", "10.0 Gbps (FDR10)": "FDR10",
          "14.0625 Gbps": "FDR", "25.78125 Gbps": "EDR", "53.125 Gbps": "HDR", "106.25 Gbps": "NDR"}
TYPES = {"CA": "H", "switch": "S", "router": "R"}

NODE = re.compile(r'^(Switch|Ca|Rt)\t(\d+) "([SHR])-([0-9a-f]{16})"\t\t# "(.*)"(?: (enhanced|base) port 0 lid (\d+) lmc (\d+))?$')
SWITCH_PORT = re.compile(r'^\[(\d+)\]\t"([SHR])-([0-9a-f]{16})"\[(\d+)\](?:\([0-9a-f]+\) )?\t\t# "(.*)" lid (\d+) (\d+x)(\w+)$')
CA_PORT = re.compile(r'^\[(\d+)\]\(([0-9a-f]+)\) \t"([SHR])-([0-9a-f]{16})"\[(\d+)\](?: \([0-9a-f]+\) )?\t\t# '
                     r'lid (\d+) lmc (\d+) "(.*)" lid (\d+) (\d+x)(\w+)$')
INFO = re.compile(r'^0x([0-9a-f]{16}) "(.*)" +(\d+) +(\d+)\[  \] ==\((.*)\)==> +(.*)$')
INFO_LINK = re.compile(r'^ *(\d+X) +(\S+ Gbps(?: \(FDR10\))?) +(\w+)/ *(\w+)$')
INFO_REMOTE = re.compile(r'^0x([0-9a-f]{16}) +(\d+) +(\d+)\[  \] "(.*)" \((.*)\)$')


def discover(text):
    """ibnetdiscover's nodes by GUID, and its ports by (GUID, port)"""
    nodes, ports, ids = {}, {}, {}
    guid = None
    for line in text.split("\n"):
        key, equals, value = line.partition("=")
        if equals and key in ("vendid", "devid", "sysimgguid"):
            ids[key] = int(value, 16)
            continue
        found = NODE.match(line)
        if found:
            kind, count, letter, guid, description, enhanced, lid, lmc = found.groups()
            nodes[guid] = {"type": letter, "ports": int(count), "description": description, "enhanced": enhanced,
                           "lid": lid and int(lid), "lmc": lmc and int(lmc), "vendor": ids.get("vendid"),
                           "device": ids.get("devid"), "system": ids.get("sysimgguid")}
            ids = {}
            continue
        found = SWITCH_PORT.match(line)
        if found:
            port, letter, remote, remote_port, description, lid, width, speed = found.groups()
            ports[guid, int(port)] = (letter, remote, int(remote_port), description, int(lid), width.upper(), speed)
            continue
        found = CA_PORT.match(line)
        if found:
            port, own, letter, remote, remote_port, lid, lmc, description, remote_lid, width, speed = found.groups()
            ports[guid, int(port)] = (letter, remote, int(remote_port), description, int(remote_lid), width.upper(), speed)
    return nodes, ports


def our_nodes(rows, theirs):
    out = {}
    for row in rows:
        guid = row["guid"][2:]
        switch = row["type"] == "switch"
        out[guid] = {"type": TYPES[row["type"]], "ports": row["ports"], "description": as_diags(row["description"]),
                     "enhanced": {True: "enhanced", False: "base", None: None}[row["enhanced_port0"]],
                     "lid": (row["lid"] or 0) if switch else None, "lmc": row["lmc"] if switch else None,
                     "vendor": int(row["vendor_id"], 0), "device": int(row["device_id"], 0),
                     "system": int(row["system_image_guid"], 16) or None}
    return out


def our_ends(rows):
    """Both directions of every cable, as ibnetdiscover tells it"""
    out = {}
    for row in rows:
        for near, far in (("", "remote_"), ("remote_", "")):
            out[row[near + "guid"][2:], row[near + "port"]] = (
                TYPES[row[far + "type"]], row[far + "guid"][2:], row[far + "port"], as_diags(row[far + "description"]),
                row[far + "lid"] or 0, row["width"], row["speed"])
    return out


def linkinfo(text):
    """iblinkinfo -l: ports by (port GUID, port)"""
    out = {}
    for line in text.split("\n"):
        found = INFO.match(line)
        if not found:
            if line.strip():
                raise ValueError("iblinkinfo says %r" % line)
            continue
        guid, description, lid, port, link, remote = found.groups()
        entry = {"description": description, "lid": int(lid)}
        if INFO_LINK.match(link):
            width, speed, state, physical = INFO_LINK.match(link).groups()
            entry.update(width=width, speed=SPEEDS[speed], state=state, physical=physical)
        else:
            state, physical = link.split("/")
            entry.update(state=state.strip(), physical=physical.strip())
        far = INFO_REMOTE.match(remote)
        if far:
            entry["remote"] = (far[1], int(far[2]), int(far[3]), far[4])
            entry["degraded"] = "Could be" in far[5]
        out[guid, int(port)] = entry
    return out


def our_linkinfo(ports, links):
    degraded, port_guids, lids = {}, {}, {}
    for row in ports:
        port_guids[row["guid"], row["port"]] = row.get("port_guid", row["guid"])[2:]
        lids[row["guid"], row["port"]] = row["lid"] or 0
    for row in links:
        degraded[row["guid"], row["port"]] = degraded[row["remote_guid"], row["remote_port"]] = row["degraded"]
    out = {}
    for row in ports:
        if row["type"] != "switch" and row["remote_guid"] is None:
            continue  # iblinkinfo asks no CA for a port that it did not come through
        entry = {"description": as_diags(row["description"]).rjust(30), "lid": row["lid"] or 0, "state": row["state"],
                 "physical": row["physical_state"]}
        if row["state"] != "Down":
            entry.update(width=row["width"], speed=row["speed"])
        if row["remote_guid"]:
            far = row["remote_guid"], row["remote_port"]
            entry["remote"] = (port_guids[far], lids[far], row["remote_port"], as_diags(row["remote_description"]))
            entry["degraded"] = degraded[row["guid"], row["port"]]
        out[port_guids[row["guid"], row["port"]], row["port"]] = entry
    return out


def first_node(topology):
    """The first CA with a cable at port 1, where ibsim's clients are, and True; else the first switch, and False"""
    kind = switch = None
    with open(topology, encoding="latin-1") as lines:
        for line in lines:
            found = re.match(r'^(Ca|Hca|Switch|Rt)\s+\d+\s+"([^"]+)"', line)
            if found:
                kind, name = found.groups()
                switch = switch or kind == "Switch" and name
            if kind in ("Ca", "Hca") and line.startswith("[1]"):
                return name, True
    if not switch:
        raise ValueError("no node with a cable in " + topology)
    return switch, False


def check_subnet(tap, name, subnet, node):
    nodes, ports = discover(subnet.run(node, "ibnetdiscover").decode("latin-1"))
    links = subnet.observe(node, "fabric.links")
    tap.check(name + ": nodes are ibnetdiscover's", compare(our_nodes(subnet.observe(node, "fabric.nodes"), nodes), nodes))
    tap.check(name + ": links are ibnetdiscover's", compare(our_ends(links), ports))
    tap.check(name + ": each cable is there once",
              ["%d rows, %d cables" % (len(links), len(our_ends(links)))]
              if len(links) != cables(ports) else [])
    check_summary(tap, name, subnet, node, nodes, ports)
    info = linkinfo(subnet.run(node, "iblinkinfo", "-l").decode("latin-1"))
    tap.check(name + ": ports are iblinkinfo's", compare(our_linkinfo(subnet.observe(node, "fabric.ports"), links), info))


def check_summary(tap, name, subnet, node, nodes, ports):
    kinds = [entry["type"] for entry in nodes.values()]
    theirs = {"nodes": len(nodes), "switches": kinds.count("S"), "routers": kinds.count("R"), "links": cables(ports)}
    aggregation = sum("Aggregation Node" in entry["description"] for entry in nodes.values())
    theirs.update(aggregation_nodes=aggregation, host_adapters=kinds.count("H") - aggregation)
    for place, names in ((5, ("1X", "2X", "4X", "8X", "12X")), (6, ("SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR"))):
        for word in names:
            theirs["links_" + word.lower()] = cables({end: far for end, far in ports.items() if far[place] == word})
    for program, fact in (("ibswitches", "switches"), ("ibrouters", "routers")):
        theirs[fact] = len(subnet.run(node, program).splitlines())
    ours = subnet.observe(node, "fabric.summary")[0]
    tap.check(name + ": the summary counts as ibnetdiscover, ibswitches and ibrouters do",
              compare({fact: ours[fact] for fact in theirs}, theirs))


def cables(ports):
    return len({frozenset(((guid, port), (far[1], far[2]))) for (guid, port), far in ports.items()})


def sminfo(subnet, node, *arguments):
    text = subnet.run(node, "sminfo", *arguments).decode("latin-1")
    found = re.search(r"sm lid (\d+) sm guid 0x([0-9a-f]+), activity count (\d+) priority (\d+) state \d+ SMINFO_(\w+)", text)
    lid, guid, activity, priority, state = found.groups()
    return {"lid": int(lid), "guid": "0x%016x" % int(guid, 16), "priority": int(priority), "state": state}


def our_sm(subnet, node, *settings):
    rows = subnet.observe(node, "ib.sm", *settings)
    return {key: rows[0][key] for key in ("lid", "guid", "priority", "state")} if len(rows) == 1 else {"rows": len(rows)}


def check_sms(tap, subnet, theirs):
    ours = subnet.observe("node-4", "fabric.sms")
    tap.check("two SMs: fabric.sms has both as sminfo has",
              compare({row["lid"]: {"lid": row["lid"], "guid": row["sm_guid"], "priority": row["priority"],
                                    "state": row["state"]} for row in ours}, theirs))
    tap.check("two SMs: both are at work", [row for row in ours if row["activity_advances"] is not True])


def check_two_sms(tap, directory):
    with Subnet(directory + "/parallel.net") as subnet:
        subnet.start_sm("node-1", 5)
        standby = subnet.start_sm("node-3", 3, "Entering STANDBY state")
        tap.check("two SMs: the master is sminfo's", compare(our_sm(subnet, "node-4"), sminfo(subnet, "node-4")))
        ports = subnet.observe("node-4", "fabric.ports")
        lid = next(row["lid"] for row in ports if row["description"] == "node-3 mlx5_0")
        ours, theirs = our_sm(subnet, "node-4", "lid=%d" % lid), sminfo(subnet, "node-4", str(lid))
        tap.check("two SMs: the standby is sminfo's", compare(ours, theirs))
        tap.check("two SMs: it is standby", [] if ours.get("state") == "STANDBY" else [ours])
        check_sms(tap, subnet, {row["lid"]: sminfo(subnet, "node-4", str(row["lid"])) for row in ports
                                if row["type"] == "CA" and row["description"] in ("node-1 mlx5_0", "node-3 mlx5_0")})
        standby.kill()
        standby.wait()
        subnet.observe("node-4", "ib.sm", "lid=%d" % lid, "retries=0", check=False)
        tap.check("two SMs: a dead one is named",
                  [] if "no subnet manager at LID %d" % lid in subnet.errors else [subnet.errors])


def check_no_sm(tap, directory):
    with Subnet(directory + "/parallel.net") as subnet:
        rows = subnet.observe("node-1", "ib.sm")
        tap.check("no SM: no row, and it says why",
                  [] if rows == [] and "has no SM LID" in subnet.errors else [rows, subnet.errors])


def main():
    skip_or_fail()
    directory = os.environ.get("RDMASPEC_SOURCE", os.path.dirname(__file__) + "/../..") + "/tests/data/fabrics"
    tap = Tap()
    for topology in sys.argv[1:] or sorted(glob.glob(directory + "/*.net")):
        name = os.path.basename(topology)
        node, is_ca = first_node(topology)
        with Subnet(topology) as subnet:
            check_subnet(tap, name + " without SM", subnet, node)
            subnet.start_sm(node)
            check_subnet(tap, name, subnet, node)
            for probe in ("fabric.nodes", "fabric.links", "fabric.ports") if is_ca else ():
                tap.check("%s: %s by rdmaspec is the same" % (name, probe),
                          compare(normal(observe_simulated(topology, probe)), normal(subnet.observe(node, probe)),
                                  "the plugin alone"))
            tap.check(name + ": the SM is sminfo's", compare(our_sm(subnet, node), sminfo(subnet, node)))
    if not sys.argv[1:]:
        check_two_sms(tap, directory)
        check_no_sm(tap, directory)
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
