# SPDX-License-Identifier: Apache-2.0
"""The table that Tools/bench prints."""

HEADS = ["work", "ours", "peers", "ratio", "must", "goal"]


# The outcome of a must and of a goal; unmeasured ones have neither.
MUST = {True: "met", False: "NOT met", None: "not measured"}
GOAL = {True: "reached", False: "not reached", None: "not measured"}


def cells(row):
    peers = ", ".join(f"{name} {took}" for name, took in row.peers)
    must = row.must and f"{row.must}: {MUST[row.is_met]}"
    goal = row.goal and f"{row.goal}: {GOAL[row.is_reached]}"
    return [row.work, row.ours, peers, row.ratio, must, goal]


def summary(rows):
    """The number of musts met, of those that could be measured."""
    states = [row.is_met for row in rows if row.must]
    return (f"musts: {states.count(True)} met, {states.count(False)} not met, "
            f"{states.count(None)} not measured")


def text(rows, markdown):
    lines = [HEADS, *map(cells, rows)]
    notes = sorted({f"left out: {note}" for row in rows for note in row.notes})
    notes.append(summary(rows))
    if markdown:
        made = ["| " + " | ".join(line) + " |" for line in lines]
        made.insert(1, "|" + " --- |" * len(HEADS))
        return "\n".join([*made, "", *notes])
    blocks = []
    for line in lines[1:]:
        said = [f"  {head:6} {cell}" for head, cell in zip(HEADS[1:], line[1:]) if cell]
        blocks.append("\n".join([line[0], *said]))
    return "\n".join(blocks + notes)
