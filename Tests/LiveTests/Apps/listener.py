#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A connected app: writes down everything that it is told, one JSON line each, and acknowledges.

    listener.py ACCOUNT [SERVICE [HABIT...]]

It writes before it acknowledges, and connects again for as long as it lives. SERVICE may be empty. Habits:
task begins a background task and never ends it, hang never returns from a handler, notify has its user
told "Stand up", fetch and keep-alive ask for one a day, large holds 100 MB.
"""
import json
import os
import signal
import socket
import sys
import time

account = open(sys.argv[1], "a", buffering=1)
service = sys.argv[2] if len(sys.argv) > 2 else None
habits = sys.argv[3:]
name = os.environ["MILEPOST_APP"]
ballast = b"x" * (100_000_000 if "large" in habits else 0)


def write(**entry):
    account.write(json.dumps(entry | {"at": time.monotonic()}) + "\n")


def terminated(number, frame):
    write(signal=number)
    sys.exit(0)


signal.signal(signal.SIGTERM, terminated)
write(
    begun=os.getpid(),
    reason=os.environ.get("MILEPOST_LAUNCH_REASON"),
    location=json.loads(os.environ.get("MILEPOST_LAUNCH_LOCATION", "null")),
)
while True:
    try:
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.connect(os.environ["MILEPOST_SOCKET"])
        line.sendall(b'?HELLO={"app":"%s"};\n' % name.encode())
        if service:
            line.sendall(b'?START={"service":"%s"};\n' % service.encode())
        if "task" in habits:
            line.sendall(b'?BEGIN_TASK={"task":1};\n')
        if "fetch" in habits:
            line.sendall(b'?FETCH={"interval_s":86400};\n')
        if "keep-alive" in habits:
            line.sendall(b'?KEEP_ALIVE={"interval_s":86400};\n')
        if "notify" in habits:
            line.sendall(b'?NOTIFY={"identifier":"stretch","body":"Stand up"};\n')
        for text in line.makefile():
            message = json.loads(text)
            write(told=message)
            if message["class"] == "LOCATION":
                line.sendall(b'?ACK={"sequence":%d};\n' % message["sequence"])
                if message["service"] == "significant":
                    line.sendall(b"?DONE;\n")
            if message["class"] == "WAKE" and "hang" not in habits:
                line.sendall(b'?RETURN={"reason":"%s"};\n' % message["reason"].encode())
            if message["class"] == "WILL_TERMINATE":
                sys.exit(0)
    except OSError:
        pass
    time.sleep(0.05)
