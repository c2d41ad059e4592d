# SPDX-License-Identifier: Apache-2.0
"""The finished events, and the number that may be acknowledged. A plain value.

An acknowledgement covers its number and all before it, so it may go no further than the oldest unfinished event:

    acknowledged | finished | open | finished, cannot be acknowledged yet
    -------------+----------+------+--------------------------------------> numbers grow

- An event that comes again while it is open changes nothing; a finished one is acknowledged again: the
  acknowledgement was lost with its connection.
- A number that was passed, with other content or never seen: the daemon has lost its memory and counts anew. Open
  events of the old count can be finished, and acknowledge nothing. (More are remembered than the daemon sends ahead
  of an acknowledgement, so every repetition is recognized.)
"""

from __future__ import annotations

from collections import OrderedDict
from enum import Enum
from typing import Dict, Optional

from .messages import Event


class Arrival(Enum):
    """The kind of an arrived event."""

    NEW = "new"
    #: It is open already.
    OPEN = "open"
    #: It was finished before.
    FINISHED = "finished"


class Deliveries:
    """The numbers of one app, as far as this process knows them."""

    #: The limit of events that are remembered with their content; the daemon sends 64 ahead of the acknowledgement.
    MEMORY = 256

    def __init__(self) -> None:
        self.acknowledged = 0
        self._highest = 0
        self._open: Dict[int, Event] = {}
        self._memory: "OrderedDict[int, Event]" = OrderedDict()

    @property
    def open_count(self) -> int:
        return len(self._open)

    def greeted(self, acknowledged: int) -> None:
        """Notes that events acknowledged by another process of the app will not come again."""
        self.acknowledged = max(self.acknowledged, acknowledged)
        self._highest = max(self._highest, acknowledged)

    def arrived(self, event: Event) -> Arrival:
        number = event.sequence
        if number <= self._highest:
            known = self._memory.get(number)
            if known == event:
                return Arrival.OPEN if number in self._open else Arrival.FINISHED
            self._memory.clear()
            self._open.clear()
            self.acknowledged = number - 1
        self._highest = number
        self._open[number] = event
        self._memory[number] = event
        if len(self._memory) > self.MEMORY:
            self._memory.popitem(last=False)
        return Arrival.NEW

    def finished(self, event: Event) -> Optional[int]:
        """The number to acknowledge now; ``None`` if that is no further than before."""
        if self._open.get(event.sequence) is not event:
            return None
        del self._open[event.sequence]
        reached = min(self._open) - 1 if self._open else self._highest
        if reached <= self.acknowledged:
            return None
        self.acknowledged = reached
        return reached

    def held_back_by(self, event: Event) -> int:
        """The number of finished events that cannot be acknowledged because of this one; 0 if an older one is open."""
        if event.sequence != min(self._open, default=None):
            return 0
        return sum(
            number > event.sequence and number not in self._open for number in self._memory
        )
