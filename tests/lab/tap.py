# SPDX-License-Identifier: BSD-2-Clause
"""What every lab test in Python says, and how: TAP on standard output."""
import os
import sys


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def check(self, name, differences):
        self.count += 1
        differences = list(differences)
        print("%s %d - %s" % ("not ok" if differences else "ok", self.count, name))
        for line in differences[:20]:
            print("# " + str(line))
        self.failed += bool(differences)
        sys.stdout.flush()

    def end(self):
        print("1..%d" % self.count)
        return 1 if self.failed else 0


def compare(ours, theirs, what="infiniband-diags"):
    """Two dictionaries, entry by entry."""
    for key in sorted(set(ours) | set(theirs), key=str):
        if key not in ours:
            yield "%s: only %s has it: %r" % (key, what, theirs[key])
        elif key not in theirs:
            yield "%s: only we have it: %r" % (key, ours[key])
        elif ours[key] != theirs[key]:
            yield "%s: we say %r, %s %r" % (key, ours[key], what, theirs[key])


def skip(why):
    """End the test: skipped on a user's machine, a failure where labs are required."""
    if os.environ.get("RDMASPEC_LABS") == "required":
        print("Bail out! " + why)
        sys.exit(99)
    print("1..0 # SKIP " + why)
    sys.exit(0)
