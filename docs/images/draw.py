#!/usr/bin/env python3
"""Draws the picture of the README: the chain of servers, and the output of one command.

    python3 docs/images/draw.py [AGGCTL]

Run it in the root of the repository. It runs `aggctl route` on the sample cluster and writes
docs/images/route-light.svg and docs/images/route-dark.svg.
"""

import html
import os
import pathlib
import subprocess
import sys

COMMAND = ["route", "/apis/inventory.shop.example/v1/items", "--dump", "examples/cluster"]
LINE, CHAR, LEFT, TOP = 20, 8.43, 24, 190

COLORS = {
    "light": {
        "page": "#ffffff", "box": "#f6f8fa", "line": "#d0d7de", "text": "#1f2328", "faint": "#656d76",
        "bad": "#cf222e", "good": "#1a7f37", "terminal": "#f6f8fa",
    },
    "dark": {
        "page": "#0d1117", "box": "#161b22", "line": "#30363d", "text": "#e6edf3", "faint": "#8d96a0",
        "bad": "#ff7b72", "good": "#3fb950", "terminal": "#161b22",
    },
}

SERVERS = [
    ("kube-aggregator", "APIServices"),
    ("kube-apiserver", "built-in groups"),
    ("apiextensions-apiserver", "CRDs"),
    ("404", ""),
]


def output(aggctl: str) -> list[str]:
    """Returns the lines that the command prints on an 80-column terminal."""
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1"}
    done = subprocess.run([aggctl, *COMMAND], env=environment, capture_output=True, text=True, check=False)
    return ["$ aggctl " + " ".join(COMMAND), *done.stdout.rstrip().splitlines(), *done.stderr.rstrip().splitlines()]


def chain(color: dict[str, str]) -> list[str]:
    """Returns the boxes of the chain, with the extension API server below the first."""
    parts, x = [], LEFT
    widths = [190, 155, 200, 70]
    for index, ((name, what), width) in enumerate(zip(SERVERS, widths)):
        edge = color["bad"] if index == 0 else color["line"]
        parts.append(f'<rect x="{x}" y="24" width="{width}" height="52" rx="8" fill="{color["box"]}" stroke="{edge}"/>')
        middle = x + width / 2
        parts.append(f'<text x="{middle}" y="{46 if what else 55}" text-anchor="middle" class="name">{name}</text>')
        parts.append(f'<text x="{middle}" y="65" text-anchor="middle" class="what">{what}</text>')
        if index + 1 < len(SERVERS):
            parts.append(f'<path d="M{x + width + 3} 50 h18 m-6 -4 l6 4 l-6 4" stroke="{color["faint"]}" fill="none"/>')
        x += width + 26
    parts.append(f'<path d="M119 78 v28 m-4 -6 l4 6 l4 -6" stroke="{color["bad"]}" fill="none" stroke-dasharray="4 3"/>')
    parts.append(f'<rect x="{LEFT}" y="110" width="190" height="46" rx="8" fill="none" stroke="{color["bad"]}" stroke-dasharray="4 3"/>')
    parts.append('<text x="119" y="130" text-anchor="middle" class="name">extension API server</text>')
    parts.append('<text x="119" y="147" text-anchor="middle" class="what">Service shop/inventory</text>')
    parts.append('<text x="226" y="130" class="bad">503: the Service does not exist,</text>')
    parts.append('<text x="226" y="147" class="bad">so the request never leaves kube-aggregator</text>')
    return parts


def draw(lines: list[str], color: dict[str, str]) -> str:
    """Returns the picture."""
    width = LEFT * 2 + max(80, max(map(len, lines))) * CHAR
    height = TOP + len(lines) * LINE + 24
    mono = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
    sans = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img" '
        'aria-label="The chain of servers, and aggctl route showing why a request gets 503">',
        "<style>"
        f".out{{font:14px {mono};fill:{color['text']};white-space:pre}}"
        f".faint{{fill:{color['faint']}}}.bad{{fill:{color['bad']}}}.good{{fill:{color['good']}}}"
        f".name{{font:600 14px {sans};fill:{color['text']}}}.what{{font:12px {sans};fill:{color['faint']}}}"
        f"text.bad{{font:13px {sans}}}text.out.bad{{font:14px {mono}}}"
        "</style>",
        f'<rect width="100%" height="100%" fill="{color["page"]}"/>',
        *chain(color),
        f'<rect x="8" y="{TOP - 18}" width="{width - 16:.0f}" height="{len(lines) * LINE + 30}" rx="8" '
        f'fill="{color["terminal"]}" stroke="{color["line"]}"/>',
    ]
    for index, line in enumerate(lines):
        mark = line.strip()[:1]
        kind = "faint" if index == 0 else "bad" if mark in ("✗", "×") or " 503" in f" {line}" else ""
        parts.append(
            f'<text x="{LEFT}" y="{TOP + 6 + index * LINE}" xml:space="preserve" class="out {kind}">{html.escape(line)}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def main() -> None:
    """Writes both pictures."""
    aggctl = sys.argv[1] if len(sys.argv) > 1 else "aggctl"
    lines = output(aggctl)
    for name, color in COLORS.items():
        pathlib.Path(f"docs/images/route-{name}.svg").write_text(draw(lines, color), encoding="utf-8")


if __name__ == "__main__":
    main()
