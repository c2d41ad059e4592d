#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stands in for the servers that sinks send to, on a free port of the loopback.

    stand_in.py [CERTIFICATE KEY]

It writes JSON lines: first {"port": N}, then one for each request with what it held, the octets of request and
answer, and how many positions its receiver would have stored; and {"closed": N} when a connection ends. It reads
JSON lines: each is how the next request is answered ({"status": 503, "headers": {...}, "body": "..."}, or
{"fault": "..."}; with "held": true not before {"go": true}), and is acknowledged with {"heard": true}. Where nothing is said, the path decides which
receiver answers, by its documented rules:

    /pub                 OwnTracks Recorder: 200 and [] to everything; stores what has _type, lat, lon
    /api/webhook/known   Home Assistant: [] to everything, stores what has topic or X-Limit-U and acc above 0;
                         405 to GET; 200 without a body to any other identifier
    /overland            Dawarich, GeoPulse: Bearer s3cret or 401; 201 {"result":"ok"}
    /traccar             Traccar: 400 to an unknown id; closes without an answer where a value is none

It ends with its standard input.
"""

import json
import os
import socket
import ssl
import sys
import threading
from collections import deque
from urllib.parse import parse_qsl, urlsplit

#: Whether it reports no requests: its reports are not read.
quiet = "STAND_IN_IS_QUIET" in os.environ
planned = deque()
#: Set when held answers may go.
gate = threading.Event()
lock = threading.Lock()
connections = 0


def say(value):
    if quiet and "heard" not in value and "port" not in value:
        return
    with lock:
        sys.stdout.write(json.dumps(value) + "\n")
        sys.stdout.flush()


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def recorder(method, headers, body):
    if method == "GET":
        return 200, "{}", 0
    message = json.loads(body)
    has_place = is_number(message.get("lat")) and is_number(message.get("lon"))
    return 200, "[]", int(message.get("_type") == "location" and has_place)


def home_assistant(method, headers, body, webhook):
    if webhook != "known":
        return 200, "", 0
    if method == "GET":
        return 405, "405: Method Not Allowed", 0
    message = json.loads(body)
    has_name = "topic" in message or "x-limit-u" in headers
    accuracy = message.get("acc")
    taken = message.get("_type") == "location" and has_name and is_number(accuracy) and accuracy > 0
    return 200, "[]", int(taken)


def overland(headers, body):
    if headers.get("authorization") != "Bearer s3cret":
        return 401, '{"error":"unauthorized"}', 0
    for feature in (locations := json.loads(body)["locations"]):
        place, properties = feature["geometry"]["coordinates"], feature["properties"]
        if not (len(place) == 2 and all(map(is_number, place)) and properties["timestamp"].endswith("Z")):
            return 422, '{"error":"no point"}', 0
    return 201, '{"result":"ok"}', len(locations)


def traccar(query, body):
    values = dict(parse_qsl(query, strict_parsing=bool(query)) or parse_qsl(body.decode()))
    if values.get("id") != "van":
        return 400, "", 0
    int(values["timestamp"]), float(values["lat"]), float(values["lon"])
    return 200, "", 1


def answer_of(method, target, headers, body):
    """Status, body and the number of stored positions; raises if the receiver's reader fails."""
    url = urlsplit(target)
    if url.path.startswith(("/pub", "/api/0/")):
        return recorder(method, headers, body)
    if url.path.startswith("/api/webhook/"):
        return home_assistant(method, headers, body, url.path.rsplit("/", 1)[1])
    if url.path == "/overland":
        return overland(headers, body)
    if url.path == "/traccar":
        return traccar(url.query, body)
    return 200, "", 0


def read_request(stream):
    """The octets of head and body, or None if the connection ended."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return None
        head += line
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return head, stream.read(length)


def play(fault, connection):
    """Plays a fault; afterwards the connection is closed."""
    if fault == "garbage":
        connection.sendall(b"\x15\x03\x01\x00\x02\x02\x16 this is no HTTP\r\n\r\n")
    elif fault == "half":
        connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"result":')
    elif fault == "half closed":
        connection.shutdown(socket.SHUT_WR)
        connection.recv(1)
    elif fault == "slow":
        connection.recv(1)
    elif fault == "reset":
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    elif fault == "endless":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % (1 << 30))
        sent = 0
        try:
            while sent < 1 << 30:
                sent += connection.send(b"x" * 65536)
        finally:
            say({"endless": sent})


def serve(connection, number):
    stream = connection.makefile("rb")
    try:
        while (request := read_request(stream)) is not None:
            head, body = request
            lines = head.decode("latin-1").split("\r\n")
            method, target, _ = lines[0].split(" ")
            headers = {n.lower(): v.strip() for n, _, v in (line.partition(":") for line in lines[1:-2])}
            plan = planned.popleft() if planned else {}
            record = {
                "connection": number, "method": method, "target": target, "headers": headers,
                "body": body.decode("utf-8", "replace"), "up": len(head) + len(body), "stored": 0,
            }
            if "fault" in plan:
                say(record)
                return play(plan["fault"], connection)
            try:
                status, text, stored = answer_of(method, target, headers, body)
            except (ValueError, KeyError):
                say(record)
                return
            if "status" in plan:
                status, text, stored = plan["status"], plan.get("body", ""), 0
            extra = "".join(f"{n}: {v}\r\n" for n, v in plan.get("headers", {}).items())
            payload = text.encode()
            answer = f"HTTP/1.1 {status} Said\r\nContent-Length: {len(payload)}\r\n{extra}\r\n".encode()
            answer += b"" if method == "HEAD" else payload
            say(record | {"stored": stored, "down": len(answer)})
            if plan.get("held"):
                gate.wait()
            connection.sendall(answer)
    except (OSError, ssl.SSLError):
        pass
    finally:
        stream.close()
        connection.close()
        say({"closed": number})


def refuse(connection):
    """Reads the remaining bytes: unread octets would cause a reset that may drop the alert (RFC 9293, 3.6.1)."""
    raw = socket.socket(fileno=connection.detach())
    try:
        raw.settimeout(5)
        raw.shutdown(socket.SHUT_WR)
        while raw.recv(65536):
            pass
    except OSError:
        pass
    finally:
        raw.close()


def accept(listener, context):
    global connections
    while True:
        connection, _ = listener.accept()
        connections += 1

        def run(connection=connection, number=connections):
            if not context:
                return serve(connection, number)
            wrapped = context.wrap_socket(connection, server_side=True, do_handshake_on_connect=False)
            try:
                wrapped.do_handshake()
            except (OSError, ssl.SSLError):
                return refuse(wrapped)
            serve(wrapped, number)

        threading.Thread(target=run, daemon=True).start()


def main():
    context = None
    if len(sys.argv) >= 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[1], sys.argv[2])
    if len(sys.argv) == 4:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(sys.argv[3])
    listener = socket.create_server(("127.0.0.1", 0))
    say({"port": listener.getsockname()[1]})
    threading.Thread(target=accept, args=(listener, context), daemon=True).start()
    for line in sys.stdin:
        if "go" in (plan := json.loads(line)):
            gate.set()
        else:
            planned.append(plan)
        say({"heard": True})
    os._exit(0)


main()
