# SPDX-License-Identifier: Apache-2.0
"""Calls of the app (a fetch, a keep-alive, a push, …), and the end of a wake's work. A plain value.

    WAKE ---> waiting ---handler there---> running ---returned---> RETURN or DONE is said
              (16 at most; then the newest are not called)

The daemon knows one handler per reason. If it calls again before the handler has returned, RETURN is sent when the last
one has.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from .messages import Wake
from .values import FetchResult, WakeReason

#: The reasons whose handler the daemon waits for.
RETURNING = frozenset(
    {WakeReason.FETCH, WakeReason.KEEP_ALIVE, WakeReason.PUSH, WakeReason.LOCATION_PUSH}
)
#: The reasons that a delivery, or a separate message, stands for.
DELIVERED = frozenset(
    {WakeReason.LOCATION, WakeReason.MOTION, WakeReason.REGION, WakeReason.VISIT}
)


class Calls:
    """The calls that have not returned yet."""

    LIMIT = 16

    def __init__(self) -> None:
        self.waiting: List[Wake] = []
        self._running: Dict[WakeReason, int] = {}

    @property
    def is_busy(self) -> bool:
        return bool(self.waiting or self._running)

    def came(self, wake: Wake) -> None:
        if len(self.waiting) < self.LIMIT:
            self.waiting.append(wake)

    def begin(self) -> List[Wake]:
        """The calls that run now; they no longer wait."""
        calls, self.waiting = self.waiting, []
        for call in calls:
            self._running[call.reason] = self._running.get(call.reason, 0) + 1
        return calls

    def returned(
        self, wake: Wake, result: Optional[FetchResult]
    ) -> Optional[Tuple[str, Dict[str, Any]]]:
        """The message that reports it; ``None`` if another handler of the reason runs, or the daemon does not wait."""
        left = self._running.pop(wake.reason, 1) - 1
        if left > 0:
            self._running[wake.reason] = left
            return None
        if wake.reason not in RETURNING:
            return None
        members: Dict[str, Any] = {"reason": wake.reason.value}
        if result is not None:
            members["result"] = result.value
        return "RETURN", members
