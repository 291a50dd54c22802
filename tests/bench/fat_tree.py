#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Write a two-level fat tree in ibsim's format to stdout.

Every leaf has --hosts hosts and one cable to each of the spines (--parallel of them, if given):
    fat_tree.py --leaves 200 --spines 36 --hosts 36     7,200 hosts, 236 switches, 7,200 cables between switches
"""
import argparse
import sys


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leaves", type=int, default=4)
    parser.add_argument("--spines", type=int, default=2)
    parser.add_argument("--hosts", type=int, default=4, help="hosts on each leaf")
    parser.add_argument("--parallel", type=int, default=1, help="cables from each leaf to each spine")
    options = parser.parse_args()
    if min(options.leaves, options.spines, options.hosts, options.parallel) < 1:
        parser.error("every count is at least 1")
    if max(options.hosts + options.spines * options.parallel, options.leaves * options.parallel) > 254:
        parser.error("a switch has at most 254 ports")
    return options


def main():
    options = arguments()
    leaf_ports = options.hosts + options.spines * options.parallel
    spine_ports = options.leaves * options.parallel
    out = ["width=3", "speed=7", "extspeed=7", ""]
    for leaf in range(1, options.leaves + 1):
        out.append(f'Switch {leaf_ports} "leaf-{leaf}" # "leaf-{leaf}"')
        for host in range(1, options.hosts + 1):
            out.append(f'[{host}] "node-{(leaf - 1) * options.hosts + host}"[1]')
        for spine in range(1, options.spines + 1):
            for cable in range(options.parallel):
                port = options.hosts + (spine - 1) * options.parallel + cable + 1
                remote = (leaf - 1) * options.parallel + cable + 1
                out.append(f'[{port}] "spine-{spine}"[{remote}]')
        out.append("")
    for spine in range(1, options.spines + 1):
        out.append(f'Switch {spine_ports} "spine-{spine}" # "spine-{spine}"')
        for leaf in range(1, options.leaves + 1):
            for cable in range(options.parallel):
                port = (leaf - 1) * options.parallel + cable + 1
                remote = options.hosts + (spine - 1) * options.parallel + cable + 1
                out.append(f'[{port}] "leaf-{leaf}"[{remote}]')
        out.append("")
    for node in range(1, options.leaves * options.hosts + 1):
        leaf, host = (node - 1) // options.hosts + 1, (node - 1) % options.hosts + 1
        out.append(f'Ca 1 "node-{node}" # "node-{node} mlx5_0"')
        out.append(f'[1] "leaf-{leaf}"[{host}]')
        out.append("")
    sys.stdout.write("\n".join(out))


if __name__ == "__main__":
    main()
