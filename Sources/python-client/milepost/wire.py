# SPDX-License-Identifier: Apache-2.0
"""Bytes and messages: the client's encoding, and the splitting of the daemon's lines. No input, no output."""

from __future__ import annotations

import json
import os
from typing import Any, Iterator, Mapping, Optional

from .errors import ProtocolViolation
from .messages import Message, read_message

#: The limit of one line of the daemon, bytes; documents may be long.
LINE_LIMIT = 16 << 20


def default_path(environment: Optional[Mapping[str, str]] = None) -> str:
    """The path of milepostd's socket for this user.

    ``MILEPOST_SOCKET``, else ``milepost/socket`` in ``XDG_RUNTIME_DIR``, else in ``/run/user/UID``. An empty variable
    counts as unset.
    """
    variables = os.environ if environment is None else environment
    if variables.get("MILEPOST_SOCKET"):
        return variables["MILEPOST_SOCKET"]
    directory = variables.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}"
    return f"{directory}/milepost/socket"


def encode(name: str, members: Mapping[str, Any], id: Optional[str] = None) -> bytes:
    """One message in wire form, with its line end.

    Raises ``ValueError`` for a number that JSON does not have (infinite, or NaN).
    """
    said = dict(members) if id is None else {**members, "id": id}
    if not said:
        return f"?{name};\n".encode()
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return f"?{name}={text};\n".encode()


class Lines:
    """Splits the daemon's bytes into lines, in any pieces."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._rest = b""

    def feed(self, data: bytes) -> Iterator[Message]:
        """The messages that are complete by now; unknown classes are skipped.

        Raises ``ProtocolViolation`` for an invalid line; earlier messages were returned.
        """
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if line.strip():
                message = read_message(line)
                if message is not None:
                    yield message
        if len(self._rest) > self._limit:
            raise ProtocolViolation(
                f"a message of milepostd is longer than {self._limit} bytes"
            )
