#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A connected app with a signalling line: hands its socket over, and writes down when it reads what.

    phone.py ACCOUNT PORT

The line is a TCP connection to PORT on loopback; each line of it is one call.
"""
import array
import json
import os
import select
import socket
import sys
import time

account = open(sys.argv[1], "a", buffering=1)
path = os.environ["MILEPOST_SOCKET"]


def write(**entry):
    account.write(json.dumps(entry | {"at": time.monotonic()}) + "\n")


write(begun=os.getpid(), reason=os.environ.get("MILEPOST_LAUNCH_REASON"))
line = socket.create_connection(("127.0.0.1", int(sys.argv[2])))
service = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
service.connect(path)
service.sendall(b'?HELLO={"app":"%s"};\n' % os.environ["MILEPOST_APP"].encode())
service.sendall(b'?SOCKET={"enable":true};\n')
handover = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
handover.connect(path + ".handover")
handover.sendmsg(
    [b"\n"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [line.fileno()]))])
write(handover=handover.recv(100).decode())
while True:
    for ready in select.select([line, service], [], [])[0]:
        if ready is line:
            calls = line.recv(4096)
            if not calls:
                sys.exit(0)
            write(call=calls.decode().strip())
            service.sendall(b"?DONE;\n")
        elif not service.recv(65536):
            sys.exit(0)
