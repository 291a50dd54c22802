#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""JSON reports against schemas/result.schema.json, and that the schema refuses what is no report.

usage: report_schema.py TEST_PROGRAM SCHEMA
"""
import copy
import json
import os
import subprocess
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    if os.environ.get("CI") == "true":
        print("Bail out! python3-jsonschema is not installed")
        sys.exit(1)
    print("1..0 # SKIP python3-jsonschema is not installed")
    sys.exit(0)

# Each takes a valid report and makes one thing wrong.
MISTAKES = {
    "an unknown member": lambda r: r.update(extra=1),
    "a missing member": lambda r: r.pop("exit_status"),
    "an exit status that there is not": lambda r: r.update(exit_status=64),
    "another format": lambda r: r.update(format_version=2),
    "a verdict that there is not": lambda r: r["scenarios"][0]["steps"][0]["cases"][0].update(verdict="ok"),
    "an unknown member of a case": lambda r: r["scenarios"][0]["steps"][0]["cases"][0].update(text=""),
    "an unknown member of a finding": lambda r: attempt(r)["findings"][0].update(line=1),
    "a negative row": lambda r: attempt(r)["rows"][0].update(row=-1),
    "a real number in a row": lambda r: attempt(r)["rows"][0]["facts"].update(rate=1.5),
    "a single backslash": lambda r: r.update(host="a\\b"),
    "a NUL": lambda r: r.update(host="a\u0000b"),
    "a digest that is too short": lambda r: r["scenarios"][0]["files"][0].update(sha256="abc"),
    "a time without its zone": lambda r: r.update(started="2027-01-15T08:00:00.000"),
    "a waiver's state that there is not": lambda r: r["waivers"][0].update(state="x"),
    "a waiver's day that is none": lambda r: r["waivers"][0].update(until="tomorrow"),
    "a negative duration": lambda r: r.update(seconds=-1),
    "a reason that there is not": lambda r: [o for o in r["observations"] if o["error"]][0]["error"].update(reason="x"),
    "a type that there is not": lambda r: r["probes"][0]["facts"][0].update(type="string"),
    "an empty list of facts not observed": lambda r: attempt(r)["rows"][0].update(not_observed={}),
}


def attempt(report):
    return report["scenarios"][0]["steps"][1]["cases"][0]["attempts"][0]


def no_duplicates(pairs):
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), f"a key is there twice: {keys}"
    return dict(pairs)


def main():
    program, schema_path = sys.argv[1:]
    with open(schema_path, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    number, failed = 0, 0

    def check(good, name):
        nonlocal number, failed
        number += 1
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {name}")

    for kind in ("everything", "empty", "interrupted"):
        output = subprocess.run([program, "--write", kind], check=True, stdout=subprocess.PIPE, timeout=60).stdout
        report = json.loads(output.decode("utf-8"), object_pairs_hook=no_duplicates)
        errors = list(validator.iter_errors(report))
        for error in errors[:10]:
            print(f"# {error.json_path}: {error.message[:300]}")
        check(not errors, f"a report of kind '{kind}' is valid")
        if kind == "everything":
            good = report
            order = list(schema["properties"])
            check(list(report) == order, "members stand in the order of the schema")
    for name, mistake in MISTAKES.items():
        wrong = copy.deepcopy(good)
        mistake(wrong)
        check(not validator.is_valid(wrong), f"{name} is refused")
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
