# SPDX-License-Identifier: Apache-2.0
"""Two distributions as curves in one SVG: the share told, by seconds."""
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 300, 48, 16, 40, 44


def draw(title, series, most=1200, least=-60):
    """`series`: (name, class, seconds late or None for a miss)."""
    span = most - least

    def x(at):
        return LEFT + (min(max(at, least), most) - least) / span * (WIDTH - LEFT - RIGHT)

    def y(share):
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        f"<title>{title}</title>",
        "<style>text{font:12px system-ui,sans-serif;fill:#444}.axis{stroke:#bbb;fill:none}"
        ".line{fill:none;stroke-width:2}.measured{stroke:#111}.modelled{stroke:#c2410c;stroke-dasharray:6 3}"
        ".tracking{stroke:#1d4ed8;stroke-dasharray:2 3}svg{background:#fff}</style>",
        f'<text x="{LEFT}" y="16" style="font-weight:600">{title}</text>',
    ]
    for at in range(0, most + 1, 300):
        parts.append(f'<path class="axis" d="M{x(at):.1f},{TOP}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x(at):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{at // 60} min</text>')
    for share in (0, 0.5, 1):
        parts.append(f'<path class="axis" d="M{LEFT},{y(share):.1f}H{WIDTH - RIGHT}"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(share) + 4:.1f}" text-anchor="end">{share * 100:.0f} %</text>')
    at = LEFT
    for name, kind, late in series:
        told = sorted(v for v in late if v is not None)
        path = f"M{x(least):.1f},{y(0):.1f}"
        for i, value in enumerate(told):
            if value > most:
                break
            path += f"H{x(value):.1f}V{y((i + 1) / len(late)):.1f}"
        parts.append(f'<path class="line {kind}" d="{path}H{x(most):.1f}"/>')
        parts.append(f'<path class="line {kind}" d="M{at},{HEIGHT - 12}h24"/>')
        label = f"{name}, {len(late)}"
        parts.append(f'<text x="{at + 30}" y="{HEIGHT - 8}">{label}</text>')
        at += 44 + 7 * len(label)
    return "\n".join(parts + ["</svg>"]) + "\n"
