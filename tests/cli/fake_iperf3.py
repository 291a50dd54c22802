#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Stands in for iperf3: a server that listens on -p until its client comes, and a client that goes there.

What a client prints is in $FAKE_OUT/client.out and client.err where they are there, else JSON in iperf3's form;
FAKE_CLIENT and FAKE_SERVER say what goes wrong. The argument lists are added to $FAKE_OUT/argv.
"""
import json
import os
import signal
import socket
import sys
import time

OUT = os.environ["FAKE_OUT"]


def rate(bits_per_second, **more):
    return dict({"start": 0, "end": 2, "seconds": 2, "bytes": 1000, "bits_per_second": bits_per_second}, **more)


RESULT = {
    "start": {"version": "iperf 3.99", "tcp_mss_default": 1448, "test_start": {"num_streams": 2}},
    "intervals": [
        {"streams": [], "sum": rate(9e9, omitted=True, sender=True)},
        {"streams": [], "sum": rate(3500000000.25, omitted=False, sender=True)},
        {"streams": [{"sender": True, "pmtu": 1500}, {"sender": True, "pmtu": 1400}],
         "sum": rate(1, omitted=False, sender=True)},
    ],
    "end": {
        "streams": [
            {"sender": rate(5, sender=True, min_rtt=90, mean_rtt=100, max_rtt=110), "receiver": rate(2000000000, sender=True)},
            {"sender": rate(5, sender=True, min_rtt=80, mean_rtt=101, max_rtt=120), "receiver": rate(1380000000, sender=True)},
        ],
        "sum_sent": rate(3390000000, retransmits=7, sender=True),
        "sum_received": rate(3380000000.0625, sender=True),
        "cpu_utilization_percent": {"host_total": 12.5, "remote_total": 99.75},
        "sender_tcp_congestion": "cubic",
    },
}


def read(name):
    try:
        with open(os.path.join(OUT, name), encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return None


def say(out="", err="", status=0):
    sys.stdout.write(out)
    sys.stdout.flush()
    sys.stderr.write(err)
    sys.stderr.flush()
    return status


def error(text, status):
    return say(json.dumps({"start": {}, "intervals": [], "end": {}, "error": text}), status=status)


def main():
    arguments = sys.argv[1:]
    with open(os.path.join(OUT, "argv"), "a", encoding="utf-8") as file:
        file.write(" ".join([os.path.basename(sys.argv[0])] + arguments) + "\n")
    port = int(arguments[arguments.index("-p") + 1])
    if "-s" in arguments:
        return server(port)
    return client(arguments[arguments.index("-c") + 1], port)


def server(port):
    way = os.environ.get("FAKE_SERVER", "")
    taken = os.path.join(OUT, "taken-once")
    if way == "taken" and not os.path.exists(taken):
        open(taken, "w", encoding="utf-8").close()
        return error("error - unable to start listener for connections: Address already in use", 1)
    if way == "option":
        return say(err="iperf3: unrecognized option '--frob'\nUsage: iperf3 [-s|-c host] [options]\n", status=1)
    if way == "leaves":
        return 0
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(1)
    peer, _ = listener.accept()
    if way == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    while peer.recv(100):
        pass
    if way == "unhappy":
        return error("error - client has unexpectedly closed its connection", 0)
    return say("{}")


def client(host, port):
    way = os.environ.get("FAKE_CLIENT", "")
    peer = socket.create_connection((host, port))
    if way == "hangs":
        time.sleep(100)
    if way == "killed":
        os.kill(os.getpid(), signal.SIGSEGV)
    if os.environ.get("FAKE_SERVER", "") == "dies":
        peer.recv(1)
    output = read("client.out")
    if output is None:
        output = json.dumps(RESULT, indent="\t", separators=(",", ":\t"))
    say(output, read("client.err") or "")
    peer.close()
    return int(os.environ.get("FAKE_STATUS", "0"))


sys.exit(main())
