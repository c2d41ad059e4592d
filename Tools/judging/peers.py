# SPDX-License-Identifier: Apache-2.0
"""All policies on the same trips and seeds: a table in plain figures, and joules against lateness as a drawing.

In the drawing each panel is a device and a kind of trip, both axes are logarithmic, and left and low is good. Lateness is
the mean over all crossings, a missed one counted as MISSED seconds; joules are those of a crossing. `milepost` is a point
and a line, by the price of lateness. The dashed lines are the bounds: the energy of who knows the whole way, and the
lateness of who knows when each crossing comes.
"""

import math
from xml.sax.saxutils import escape

POLICIES = ("milepost", "ios", "ios-field", "owntracks-significant", "elastic", "receiver", "periodic")
# Those that only a phone with cells and a network can have.
NETWORKED = {"ios", "ios-field", "owntracks-significant"}
HEADS = ["", "missed of", "latency p50", "p95, s", "overshoot p95, m", "of", "spurious", "J"]

PANEL = (300, 230)
MARGIN = (52, 34)
COLOURS = {
    "milepost": "#c02", "ios": "#06c", "ios-field": "#39c", "owntracks-significant": "#888", "elastic": "#a5a",
    "receiver": "#161", "periodic": "#5a5"}


def quantile(values, share):
    values = sorted(values)
    if not values:
        return None
    rank = share * (len(values) - 1)
    low = int(rank)
    high = min(low + 1, len(values) - 1)
    return values[low] + (values[high] - values[low]) * (rank - low)


def is_possible(policy, profile):
    """Whether a device of this profile can follow the policy."""
    return policy not in NETWORKED or "profile,cell_events,none" not in profile


def figures(records, seeds):
    """A line of the table: sums are those of one seed."""
    crossings = [c for r in records for c in r["crossings"]]
    delays = [c[0] for c in crossings if c[0] is not None]
    led = [c[1] for c in crossings if c[4] and c[1] is not None]
    return [
        f"{(len(crossings) - len(delays)) / seeds:.1f} of {len(crossings) / seeds:,.0f}", text(quantile(delays, 0.5)),
        text(quantile(delays, 0.95)), text(quantile(led, 0.95)), f"{len(led) / seeds:.0f}",
        f"{sum(r['spurious'] for r in records) / seeds:.1f}", f"{sum(r['energy'] for r in records) / seeds:,.0f}"]


def text(value):
    return "–" if value is None else f"{value:,.0f}"


def point(records, missed):
    """Mean seconds late, and joules per crossing; None without any."""
    crossings = [c for r in records for c in r["crossings"]]
    if not crossings:
        return None
    late = sum(missed if c[0] is None else c[0] for c in crossings) / len(crossings)
    return late, sum(r["energy"] for r in records) / len(crossings)


def bounds(records, missed):
    """Joules per crossing of who knows the whole way, and the lateness of who knows when each crossing comes."""
    crossings = [c for r in records for c in r["crossings"]]
    known = [c for r in records for c in r.get("ahead", [])]
    late = sum(missed if c is None else c for c in known) / len(known) if known else None
    return late, sum(r["clairvoyant"] or 0 for r in records) / max(1, len(crossings))


class Panel:
    """One device and kind: points by policy, in order of the price of lateness, and the two bounds."""

    def __init__(self, title, lines, bounds):
        self.title, self.lines, self.bounds = title, lines, bounds

    def drawn(self, x, y):
        points = [p for line in self.lines.values() for p in line]
        late, joules = self.bounds
        wide = Axis([p[0] for p in points] + ([late] if late else []), x + MARGIN[0], x + PANEL[0] - 12)
        high = Axis([p[1] for p in points] + [joules], y + PANEL[1] - MARGIN[1], y + 26)
        parts = [f'<text x="{x + MARGIN[0]}" y="{y + 14}" font-weight="bold">{escape(self.title)}</text>']
        for tick in wide.ticks:
            parts.append(f'<path d="M{wide.at(tick):.1f} {y + 26}V{y + PANEL[1] - MARGIN[1]}" stroke="#eee"/>'
                         f'<text x="{wide.at(tick):.1f}" y="{y + PANEL[1] - 20}" text-anchor="middle">{tick:g}</text>')
        for tick in high.ticks:
            parts.append(f'<path d="M{x + MARGIN[0]} {high.at(tick):.1f}H{x + PANEL[0] - 12}" stroke="#eee"/>'
                         f'<text x="{x + MARGIN[0] - 4}" y="{high.at(tick) + 3:.1f}" text-anchor="end">{tick:g}</text>')
        if late:
            parts.append(f'<path d="M{wide.at(late):.1f} {y + 26}V{y + PANEL[1] - MARGIN[1]}" class="bound"/>')
        parts.append(f'<path d="M{x + MARGIN[0]} {high.at(joules):.1f}H{x + PANEL[0] - 12}" class="bound"/>')
        for policy, line in self.lines.items():
            colour = COLOURS.get(policy.split(",")[0], "#000")
            places = [f"{wide.at(a):.1f} {high.at(b):.1f}" for a, b in line]
            if len(places) > 1:
                parts.append(f'<path d="M{"L".join(places)}" fill="none" stroke="{colour}"/>')
            parts += [f'<circle cx="{p.split()[0]}" cy="{p.split()[1]}" r="3" fill="{colour}"/>' for p in places]
            across, down = map(float, places[-1].split())
            side = -1 if across > x + 0.6 * PANEL[0] else 1
            parts.append(f'<text x="{across + 5 * side:.1f}" y="{down - 4:.1f}" fill="{colour}" text-anchor="'
                         f'{"end" if side < 0 else "start"}">{escape(policy)}</text>')
        parts.append(f'<text x="{x + PANEL[0] - 12}" y="{y + PANEL[1] - 6}" text-anchor="end">s late, mean</text>'
                     f'<text x="{x + 2}" y="{y + 14}">J</text>')
        return "\n".join(parts)


class Axis:
    """A logarithmic one from the least value to the greatest, at least a factor of ten."""

    def __init__(self, values, begin, end):
        least, most = max(0.1, min(values)), max(0.1, max(values))
        self.low, self.high = math.log10(least) - 0.1, max(math.log10(most), math.log10(least) + 1) + 0.1
        self.begin, self.end = begin, end
        steps = [m * 10.0 ** e for e in range(-2, 6) for m in (1, 3)]
        self.ticks = [s for s in steps if self.low <= math.log10(s) <= self.high]

    def at(self, value):
        share = (math.log10(max(0.1, value)) - self.low) / (self.high - self.low)
        return self.begin + share * (self.end - self.begin)


def svg(rows_of_panels):
    """A page with a row of panels per device."""
    width = PANEL[0] * max(map(len, rows_of_panels))
    height = PANEL[1] * len(rows_of_panels)
    body = [panel.drawn(i * PANEL[0], j * PANEL[1])
            for j, panels in enumerate(rows_of_panels) for i, panel in enumerate(panels)]
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="10">',
        '<style>.bound{stroke:#000;stroke-dasharray:4 3;fill:none}</style>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>', *body, "</svg>", ""])
