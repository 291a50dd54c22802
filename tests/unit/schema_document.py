#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""The JSON Schema of scenarios: what "rdmaspec schema" prints, what is in schemas/, and what both say of scenarios.

usage: schema_document.py RDMASPEC BUILD SOURCE
RDMASPEC_UPDATE=1 writes the file in schemas/ anew.
"""
import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    import yaml
    from jsonschema import Draft202012Validator
except ImportError:
    if os.environ.get("CI") == "true":
        print("Bail out! python3-jsonschema or python3-yaml is not installed")
        sys.exit(1)
    print("1..0 # SKIP python3-jsonschema or python3-yaml is not installed")
    sys.exit(0)

rdmaspec, build, source = sys.argv[1:4]
published = os.path.join(source, "schemas/scenario.schema.json")
results = []


def result(good, name, *notes):
    results.append(good)
    print(f"{'ok' if good else 'not ok'} {len(results)} - {name}")
    for note in notes if not good else ():
        print("# " + str(note).replace("\n", "\n# "))


def plain(node):
    """YAML 1.1's resolver makes dates of some texts; JSON has none."""
    if isinstance(node, dict):
        return {str(key): plain(value) for key, value in node.items()}
    if isinstance(node, list):
        return [plain(value) for value in node]
    return node if node is None or isinstance(node, (bool, int, float, str)) else str(node)


# Each of MISTAKES is one in this, which the check and the schema must both see.
GOOD = """\
rdmaspec: 1
vars: {rate: 100 Gb/s}
hosts:
  - name: node-[01-02]
    connect: simulated
    device: mlx5_0
defaults: {timeout: 30 s}
steps:
  - id: ports
    name: every port is up
    hosts: node-01
    tags: [smoke, 12]
    severity: warning
    waive: {reason: known, until: 2027-01-31}
    ib.ports:
      device: $(device)
      port: 010
      where: {link_layer: InfiniBand}
      expect: {state: Active, speed: [HDR, NDR], rate: {min: $(rate)}, active_mtu: 4096, lid: {not: 0x0}}
      count: {min: 1}
      unique: [device, port]
"""
MISTAKES = [
    ("rdmaspec: 1", "rdmaspec: 2"),
    ("hosts:\n", "host:\n"),
    ("name: node-[01-02]", "nam: node-[01-02]"),
    ("connect: simulated", "connect: {ssh: {port: 0}}"),
    ("connect: simulated", "connect: {ssh: {}, slurm: {}}"),
    ("connect: simulated", "connect: {comand: [a]}"),
    ("timeout: 30 s", "timeout: 30"),
    ("timeout: 30 s", "timeout: 30 furlongs"),
    ("id: ports", "id: a b"),
    ("tags: [smoke", "tag: [smoke"),
    ("severity: warning", "severity: fatal"),
    ("reason: known", "raeson: known"),
    ("until: 2027-01-31", "until: soon"),
    ("ib.ports:", "ib.prots:"),
    ("device: $(device)\n      port", "devise: $(device)\n      port"),
    ("port: 010", "port: one"),
    ("port: 010", "port: 255"),
    ("where: {link_layer", "where: {link_laier"),
    ("link_layer: InfiniBand", "link_layer: Infinibrand"),
    ("expect: {state", "expct: {state"),
    ("state: Active", "state: Actve"),
    ("speed: [HDR", "speed: [HRD"),
    ("rate: {min: $(rate)}", "rate: {mim: $(rate)}"),
    ("rate: {min: $(rate)}", "rate: {min: 100}"),
    ("rate: {min: $(rate)}", "rate: {within: 5 %}"),
    ("active_mtu: 4096", "active_mtu: 4095"),
    ("lid: {not: 0x0}", "lid: {not: none yet}"),
    ("count: {min: 1}", "count: some"),
    ("unique: [device, port]", "unique: [device, prot]"),
]


def check(text):
    """The exit status of "rdmaspec check" """
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        file.write(text)
        file.flush()
        return subprocess.run([rdmaspec, "check", file.name], capture_output=True, timeout=60).returncode


def printed():
    """What "rdmaspec schema" prints over the plugins that are installed: all but the one for tests."""
    with tempfile.TemporaryDirectory() as directory:
        for plugin in glob.glob(os.path.join(build, "plugins/*/*.so")):
            if os.path.basename(plugin) != "mock.so":
                os.symlink(plugin, os.path.join(directory, os.path.basename(plugin)))
        command = [rdmaspec, "schema", "--plugin-dir", directory]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, timeout=60).stdout


text = printed()
if os.environ.get("RDMASPEC_UPDATE") == "1":
    with open(published, "wb") as file:
        file.write(text)
with open(published, "rb") as file:
    result(file.read() == text, "schemas/scenario.schema.json is what rdmaspec schema prints",
           "RDMASPEC_UPDATE=1 writes it anew")
schema = json.loads(text)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)

# A scalar may arrive as a text or as whatever a resolver makes of it: the schema takes both.
loaders = {"as text": yaml.BaseLoader, "resolved": yaml.SafeLoader}
for how, loader in loaders.items():
    files = glob.glob(os.path.join(source, "scenarios/**/*.yaml"), recursive=True)
    wrong = []
    for name in files:
        with open(name, encoding="utf-8") as file:
            errors = [error.message for error in validator.iter_errors(plain(yaml.load(file, loader)))]
        wrong += [f"{name}: {error}" for error in errors[:3]]
    result(files and not wrong, f"all of scenarios/ is valid ({how})", *wrong)
    errors = [error.message for error in validator.iter_errors(plain(yaml.load(GOOD, loader)))]
    result(not errors, f"the sample is valid ({how})", *errors)
result(check(GOOD) == 0, "the sample passes the check")
for before, after in MISTAKES:
    wrong = GOOD.replace(before, after)
    valid, status = validator.is_valid(plain(yaml.load(wrong, yaml.SafeLoader))), check(wrong)
    result(wrong != GOOD and not valid and status == 3, f"seen by both: {after!r}", f"valid: {valid}",
           f"check: exit status {status}")

print(f"1..{len(results)}")
sys.exit(0 if all(results) else 1)
