# SPDX-License-Identifier: Apache-2.0
"""Calls of the app (a fetch, a keep-alive, a push, …), and whether the work of a wake is done. A plain value.

    WAKE ---> waiting ---handler there---> running ---returned---> RETURN or DONE is said
              (16 at most; then the newest are not called)

The daemon knows one handler for a reason. Where it calls again before the handler has returned, RETURN is said
when the last one has.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional, Tuple

from .messages import Wake
from .values import FetchResult, WakeReason

#: Those whose handler the daemon waits for.
RETURNING = frozenset({WakeReason.FETCH, WakeReason.KEEP_ALIVE, WakeReason.PUSH})
#: Those that a delivery, or a message of their own, stands for.
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
        """The calls that run now; they are waiting no longer."""
        calls, self.waiting = self.waiting, []
        for call in calls:
            self._running[call.reason] = self._running.get(call.reason, 0) + 1
        return calls

    def returned(
        self, wake: Wake, result: Optional[FetchResult]
    ) -> Optional[Tuple[str, Dict[str, Any]]]:
        """The message that says so; ``None`` where another handler of the reason runs, or nobody waits."""
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
