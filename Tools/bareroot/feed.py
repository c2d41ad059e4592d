# SPDX-License-Identifier: Apache-2.0
"""A receiver on a port. As a program it serves until it is ended."""

import socket
import time

PORT = 9000


def sentence(body):
    checksum = 0
    for byte in body.encode():
        checksum ^= byte
    return f"${body}*{checksum:02X}\r\n"


def degrees(value, width):
    whole = int(value)
    return f"{whole:0{width}d}{(value - whole) * 60:08.5f}"


def serve_feed():
    """One epoch a second of RMC and GGA, northwards at 30 m/s from 52 N 5 E since it began."""
    began = time.monotonic()
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", PORT))
    listener.listen()
    while True:
        client, _ = listener.accept()
        try:
            while True:
                now = time.time()
                at = time.strftime("%H%M%S", time.gmtime(now)) + f".{int(now % 1 * 100):02d}"
                # 111,267 m is a degree of latitude there (WGS-84).
                latitude = 52 + 30 * (time.monotonic() - began) / 111_267
                place = f"{degrees(latitude, 2)},N,00500.00000,E"
                day = time.strftime("%d%m%y", time.gmtime(now))
                client.sendall((
                    sentence(f"GPRMC,{at},A,{place},58.3,0.0,{day},,,A")
                    + sentence(f"GPGGA,{at},{place},1,09,0.9,10.0,M,45.0,M,,")).encode())
                time.sleep(1)
        except OSError:
            client.close()


if __name__ == "__main__":
    serve_feed()
