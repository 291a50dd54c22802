#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Stands in for perftest's programs: a server that listens on -p until its client comes, and a client that goes there.

What a client prints is in $FAKE_OUT/client.out and client.err where they are there, else a table as perftest makes it;
FAKE_CLIENT and FAKE_SERVER say what goes wrong. The argument lists are added to $FAKE_OUT/argv.
"""
import os
import signal
import socket
import sys
import time

OUT = os.environ["FAKE_OUT"]
HEAD = """---------------------------------------------------------------------------------------
                    RDMA_Write BW Test
 Dual-port       : OFF		Device         : fake0
 Number of qps   : 2		Transport type : IB
 Connection type : RC		Using SRQ      : OFF
 TX depth        : 128
 Mtu             : 1024[B]
 Link type       : Ethernet
 GID index       : 3
 rdma_cm QPs	 : OFF
 Data ex. method : Ethernet
---------------------------------------------------------------------------------------
"""
BANDWIDTH = """ #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]
 65536      5000             181.25             180.5070             0.344290
"""
LATENCY = """ #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec]
 2       1000          3.40           6.22         3.48     	       3.490        	0.03   		3.710    		6.22
"""


def read(name):
    try:
        with open(os.path.join(OUT, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def main():
    arguments = sys.argv[1:]
    if arguments == ["--help"]:
        print(os.environ.get("FAKE_HELP", "      --ipv6  Use IPv6 GID. Default is IPv4"))
        return 0
    with open(os.path.join(OUT, "argv"), "a", encoding="utf-8") as file:
        file.write(" ".join([os.path.basename(sys.argv[0])] + arguments) + "\n")
    port = int(arguments[arguments.index("-p") + 1])
    # As perftest does it: the one word that belongs to no option.
    is_client = len(arguments) > 1 and not arguments[-1].startswith("-") and "." in arguments[-1]
    return client(arguments[-1], port) if is_client else server(port)


def fail(text, status=1):
    sys.stderr.write(text)
    sys.stderr.flush()
    return status


def server(port):
    way = os.environ.get("FAKE_SERVER", "")
    taken = os.path.join(OUT, "taken-once")
    if way == "absent":
        return fail("IB device fake0 not found\n Unable to find the Infiniband/RoCE device\n")
    if way == "taken" and not os.path.exists(taken):
        open(taken, "w", encoding="utf-8").close()
        return fail("Couldn't listen to port %d\nUnable to open file descriptor for socket connection\n" % port)
    if way == "deaf":
        time.sleep(100)
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    time.sleep(float(os.environ.get("FAKE_LATE", "0")))
    listener.listen(1)
    peer, _ = listener.accept()
    if way == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    while peer.recv(100):
        pass
    if way == "echo":
        return fail("ethernet_read_keys: Couldn't read remote address\n Unable to read to socket/rdma_cm\n")
    print(HEAD, end="")
    return 0


def client(host, port):
    way = os.environ.get("FAKE_CLIENT", "")
    peer = socket.create_connection((host, port))
    if way == "hangs":
        time.sleep(100)
    if way == "killed":
        sys.stderr.write("Couldn't allocate MR\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    output = read("client.out")
    if output is None:
        output = HEAD + (LATENCY if sys.argv[0].endswith("_lat") else BANDWIDTH)
    sys.stdout.write(output)
    sys.stdout.flush()
    sys.stderr.write(read("client.err") or "")
    sys.stderr.flush()
    peer.close()
    return int(os.environ.get("FAKE_STATUS", "0"))


sys.exit(main())
