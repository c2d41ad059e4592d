# SPDX-License-Identifier: Apache-2.0
"""The table that Tools/bench prints."""

HEADS = ["work", "ours", "peers", "ratio", "must", "goal"]


def cells(row):
    peers = ", ".join(f"{name} {took}" for name, took in row.peers)
    must = row.must and f"{row.must}: {'NOT met' if row.fails else 'met'}"
    goal = row.goal and f"{row.goal}: {'reached' if row.reaches else 'not reached'}"
    return [row.work, row.ours, peers, row.ratio, must, goal]


def text(rows, markdown):
    lines = [HEADS, *map(cells, rows)]
    notes = sorted({f"left out: {note}" for row in rows for note in row.notes})
    if markdown:
        made = ["| " + " | ".join(line) + " |" for line in lines]
        made.insert(1, "|" + " --- |" * len(HEADS))
        return "\n".join(made + [""] * bool(notes) + notes)
    blocks = []
    for line in lines[1:]:
        said = [f"  {head:6} {cell}" for head, cell in zip(HEADS[1:], line[1:]) if cell]
        blocks.append("\n".join([line[0], *said]))
    return "\n".join(blocks + notes)
