# SPDX-License-Identifier: BSD-2-Clause
"""A simulated InfiniBand subnet for tests: ibsim, opensm, and programs that run on its nodes.

The tests that use it hold our tables against infiniband-diags, which see the same subnet at the same time.
"""
import json
import os
import selectors
import shutil
import subprocess
import sys
import tempfile
import time

from tap import Tap, compare, skip

DEADLINE = 60.0


def find_preload():
    names = ["/usr/lib/%s-linux-gnu/umad2sim/libumad2sim.so" % os.uname().machine]
    names += ["/usr/lib64/umad2sim/libumad2sim.so", "/usr/lib/umad2sim/libumad2sim.so"]
    return next((name for name in names if os.path.exists(name)), None)


def missing():
    """What this machine lacks to run a simulated subnet, or None."""
    if not find_preload():
        return "libumad2sim.so (package ibsim-utils)"
    for program, package in (("ibsim", "ibsim-utils"), ("opensm", "opensm"), ("ibnetdiscover", "infiniband-diags")):
        if not find_program(program):
            return "%s (package %s)" % (program, package)
    return None


def find_program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


class Subnet:
    """ibsim over a topology file; everything is ended and removed on leaving the context."""

    def __init__(self, topology, large=False):
        self.topology = os.path.abspath(topology)
        self.large = large
        self.processes = []

    def __enter__(self):
        self.directory = tempfile.mkdtemp(prefix="subnet-")
        self.socket = "t%d-%s" % (os.getpid(), os.path.basename(self.directory))
        sizes = ["-N", "40000", "-S", "4000", "-P", "400000"] if self.large else []
        self.ibsim = subprocess.Popen([find_program("ibsim"), "-s"] + sizes + [self.topology], cwd=self.directory,
                                      env=dict(os.environ, IBSIM_SOCKNAME=self.socket), stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.processes.append(self.ibsim)
        try:
            self.wait_prompt()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *unused):
        for process in reversed(self.processes):
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream:
                    stream.close()
        shutil.rmtree(self.directory, ignore_errors=True)

    def wait_prompt(self):
        """Read ibsim's output up to its next prompt; returns it."""
        said = b""
        end = time.monotonic() + DEADLINE
        with selectors.DefaultSelector() as selector:
            selector.register(self.ibsim.stdout, selectors.EVENT_READ)
            while not said.endswith(b"sim> "):
                if not selector.select(max(0, end - time.monotonic())):
                    raise TimeoutError("ibsim gives no prompt: %r" % said[-400:])
                piece = os.read(self.ibsim.stdout.fileno(), 65536)
                if not piece:
                    raise RuntimeError("ibsim ended: %r" % said[-400:])
                said += piece
        return said.decode("latin-1")

    def console(self, command):
        self.ibsim.stdin.write(command.encode("latin-1") + b"\n")
        self.ibsim.stdin.flush()
        return self.wait_prompt()

    def free_places(self):
        """ibsim has ten places; a worker leaves by _exit(), and keeps its own. Only while no program runs there."""
        for place in range(10):
            self.console("X %d" % place)

    def environment(self, node):
        return dict(os.environ, LD_PRELOAD=find_preload(), SIM_HOST=node, IBSIM_SOCKNAME=self.socket,
                    LC_ALL="C.UTF-8")

    def start_sm(self, node, priority=None, wait="SUBNET UP", partitions="Default=0x7fff, ipoib: ALL=full;\n"):
        """opensm on a node; returns when its log has @wait."""
        name = "%s/sm-%d" % (self.directory, len(self.processes))
        os.mkdir(name)
        with open(name + "/opensm.conf", "w") as config:
            config.write("force_link_speed 0\nforce_link_speed_ext 0\nforce_link_width 0\n"
                         "fsync_high_avail_files FALSE\nforce_log_flush TRUE\nsweep_interval 1\n")
            config.write("partition_config_file %s/partitions.conf\n" % name)
        with open(name + "/partitions.conf", "w") as config:
            config.write(partitions)
        argv = [find_program("opensm"), "-F", name + "/opensm.conf", "-f", name + "/log"]
        if priority is not None:
            argv += ["-p", str(priority)]
        process = subprocess.Popen(argv, cwd=name, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL,
                                   env=dict(self.environment(node), OSM_TMP_DIR=name, OSM_CACHE_DIR=name))
        self.processes.append(process)
        end = time.monotonic() + DEADLINE
        while time.monotonic() < end:
            try:
                with open(name + "/log", encoding="latin-1") as log:
                    if wait in log.read():
                        return process
            except FileNotFoundError:
                pass
            try:
                process.wait(0.05)
                raise RuntimeError("opensm ended with %s" % process.returncode)
            except subprocess.TimeoutExpired:
                pass
        raise TimeoutError("opensm on %s did not say %s" % (node, wait))

    def run(self, node, *argv, check=True):
        """A program on a node; its standard output as bytes."""
        program = find_program(argv[0]) or argv[0]
        done = subprocess.run([program, *argv[1:]], cwd=self.directory, env=self.environment(node),
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE)
        if check and done.returncode:
            raise RuntimeError("%s: exit status %d: %s" % (argv[0], done.returncode, done.stderr[-400:]))
        self.errors = done.stderr.decode("latin-1")
        return done.stdout

    def observe(self, node, probe, *settings, check=True):
        """A table of ours, as a list of rows."""
        plugin = "%s/plugins/%s/%s.so" % (os.environ["RDMASPEC_BUILD"], *[probe.split(".")[0]] * 2)
        observer = os.environ["RDMASPEC_BUILD"] + "/tests/unit/plugin-observe"
        out = self.run(node, observer, plugin, probe, *settings, check=check)
        return json.loads(out) if out else None


def observe_simulated(topology, probe, *settings):
    """The same table by rdmaspec itself, over a simulated fabric of its own."""
    argv = [os.environ["RDMASPEC_BUILD"] + "/runner/rdmaspec", "observe", probe, "--simulate", topology, "--json"]
    done = subprocess.run(argv + list(settings), stdin=subprocess.DEVNULL, capture_output=True, timeout=DEADLINE)
    if done.returncode:
        raise RuntimeError("%s: exit status %d: %s" % (" ".join(argv), done.returncode, done.stderr[-400:]))
    return [row["facts"] for row in json.loads(done.stdout)["rows"]]


def normal(rows):
    """Rows that may be compared: numbers as numbers and texts as bytes, however they are written."""
    def cell(value):
        try:
            return int(value, 0) if isinstance(value, str) else value
        except ValueError:
            return text_bytes(value)
    return {number: {fact: cell(value) for fact, value in row.items()} for number, row in enumerate(rows)}


def text_bytes(text):
    """The bytes of a text cell: what is no printable ASCII travels as \\xNN, a backslash doubled."""
    out = bytearray()
    i = 0
    while i < len(text):
        if text[i] != "\\":
            out += text[i].encode()
            i += 1
        elif text[i + 1] == "\\":
            out += b"\\"
            i += 2
        else:
            out.append(int(text[i + 2:i + 4], 16))
            i += 4
    return bytes(out)


def as_diags(text):
    """A description as infiniband-diags print it: a blank for every byte that C's isprint() refuses."""
    return "".join(chr(c) if 0x20 <= c < 0x7f else " " for c in text_bytes(text))


def skip_or_fail():
    """End the test where the lab cannot start."""
    lacking = missing()
    if lacking:
        skip("this machine lacks " + lacking)
