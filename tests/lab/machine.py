# SPDX-License-Identifier: BSD-2-Clause
"""A virtual machine that goes through the stages of a test; vm/boot says how."""
import os
import shutil
import subprocess

from tap import skip

HERE = os.path.dirname(os.path.abspath(__file__))


def boot(out, stages, arguments, tools, nics, seconds, qemu=""):
    """Run vm/STAGES in it, with its results in the folder @out; returns the machine's exit status.

    @qemu: further arguments of QEMU, split at blanks.
    """
    tools = ("qemu-system-x86_64", "busybox", "cpio") + tuple(tools)
    lacking = [tool for tool in tools if not shutil.which(tool, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
    if lacking:
        skip("this machine lacks " + ", ".join(lacking))
    environment = dict(os.environ, VM_OUT=out, VM_NICS=str(nics), VM_SECONDS=str(seconds), VM_QEMU=qemu)
    done = subprocess.run([os.path.join(HERE, "vm", "boot"), os.path.join(HERE, "vm", stages), *arguments],
                          env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=seconds + 20, encoding="utf-8", errors="replace", check=False)
    for line in done.stdout.splitlines()[-20:]:
        print("# " + line)
    if done.returncode == 77:
        skip("the virtual machine cannot start here")
    return done.returncode
