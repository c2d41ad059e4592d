# SPDX-License-Identifier: Apache-2.0
"""The errors between an app and milepostd, in the daemon's words if it gave some."""

from __future__ import annotations


class MilepostError(Exception):
    """Every error of this package."""


class Unavailable(MilepostError):
    """milepostd does not listen, or not for this user."""


class ConnectionLost(MilepostError):
    """The connection ended before an answer came; the client connects again by itself."""


class Refused(MilepostError):
    """milepostd answered with ``ERROR``.

    ``code`` is for programs (``denied``, ``unknown_app``, …), the text for people.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class NotAuthorized(MilepostError):
    """The user allows this app no location."""


class RequestFailed(MilepostError):
    """The request of one location ended without one; the text gives the reason."""


class RegionRefused(MilepostError):
    """A region is not monitored; the text gives the reason."""

    def __init__(self, identifier: str, reason: str) -> None:
        super().__init__(f"the region '{identifier}' is not monitored: {reason}")
        self.identifier = identifier
        self.reason = reason


class ProtocolViolation(MilepostError):
    """milepostd sent something that is no message of the protocol: its release may be another one."""


class ProgramMissing(MilepostError):
    """There is no program ``milepost`` to ask; the text says where it was looked for."""


class CommandFailed(MilepostError):
    """The program ``milepost`` ended with an error; the text is its own.

    ``status`` is its exit status: 1 for a negative answer that has no document, else 2, or minus a signal's number.
    """

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
