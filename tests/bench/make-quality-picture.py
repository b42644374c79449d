#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the picture of docs/gpu.md that shows what the short cuts of the GPU kernels cost: make-quality-picture.py PROFILES PICTURE.
PROFILES is what `gantry-cli bench gpu FILE --problems quality --csv-profile PROFILES` wrote, PICTURE a PNG. On the left the phantom, on
the right the scan; from above: the values along the slice's middle column, a stretch of it, and how far each way is from linear
interpolation in single precision. Needs GdkPixbuf with its SVG loader, as GTK brings it."""

import csv
import math
import sys
import tempfile

import gi

gi.require_version("GdkPixbuf", "2.0")
from gi.repository import GdkPixbuf  # noqa: E402

WIDTH, LEFT, TOP, GAP = 520, 86, 34, 74
HEIGHTS, SPACE = (170, 170, 190), 46
# Names in the file, on the picture, colours that the colour-blind tell apart.
WAYS = [("nearest", "nearest neighbour", "#d55e00"), ("oversampled", "four samples a bin", "#0072b2"), ("half", "half precision", "#009e73"),
        ("linear", "linear", "#222222")]
TITLES = {"shepp-logan": "Shepp-Logan phantom"}
# The stretch of the second row, of the whole column.
STRETCH = (0.42, 0.58)


def read(path):
    """Columns of numbers by name, for each problem."""
    problems = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            columns = problems.setdefault(row.pop("problem"), {name: [] for name in row})
            for name, text in row.items():
                columns[name].append(float(text) if text else math.nan)
    return problems


def ticks(low, high, count=4):
    step = 10 ** math.floor(math.log10((high - low) / count))
    step *= min((1, 2, 5, 10), key=lambda factor: abs((high - low) / (step * factor) - count))
    first = math.ceil(low / step - 1e-9)
    return [n * step for n in range(first, math.floor(high / step + 1e-9) + 1)]


class Plot:
    """One pair of axes, drawn as SVG."""

    def __init__(self, left, top, height, x, y, log=False):
        self.left, self.top, self.height, self.x, self.y, self.log = left, top, height, x, y, log
        self.parts = [f'<rect x="{left}" y="{top}" width="{WIDTH}" height="{height}" fill="none" stroke="#888"/>']
        marks = [10.0 ** n for n in range(round(math.log10(y[0])), round(math.log10(y[1])) + 1)] if log else ticks(*y)
        for value in marks:
            at = self.place_y(value)
            self.parts.append(f'<line x1="{left}" x2="{left + WIDTH}" y1="{at:.1f}" y2="{at:.1f}" stroke="#ddd"/>')
            text = f"1e{round(math.log10(value))}" if log else f"{value:.3g}"
            self.parts.append(f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{text}</text>')
        for value in ticks(*x):
            self.parts.append(f'<text x="{self.place_x(value):.1f}" y="{top + height + 16}" text-anchor="middle">{value:.3g}</text>')

    def place_x(self, value):
        return self.left + (value - self.x[0]) / (self.x[1] - self.x[0]) * WIDTH

    def place_y(self, value):
        low, high = (math.log10(end) for end in self.y) if self.log else self.y
        value = math.log10(max(value, self.y[0])) if self.log else value
        return self.top + self.height - (min(max(value, low), high) - low) / (high - low) * self.height

    def line(self, xs, ys, colour, width):
        inside = [n for n, x in enumerate(xs) if self.x[0] <= x <= self.x[1]]
        points = " ".join(f"{self.place_x(xs[n]):.1f},{self.place_y(ys[n]):.1f}" for n in inside)
        self.parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}" stroke-linejoin="round"/>')


def range_of(columns, inside):
    values = [columns[name][n] for name, _, _ in WAYS for n in inside]
    low, high = min(values), max(values)
    return low - 0.06 * (high - low), high + 0.06 * (high - low)


def column_of_plots(name, columns, left, decades):
    """Profile, a stretch of it, differences to linear."""
    y = columns["y_mm"]
    whole = (y[0], y[-1])
    part = tuple(y[0] + share * (y[-1] - y[0]) for share in STRETCH)
    parts, top = [f'<text x="{left}" y="{TOP - 12}" font-weight="bold">{TITLES.get(name, name.removesuffix(".h5"))}</text>'], TOP
    for height, span in zip(HEIGHTS, (whole, part)):
        inside = [n for n, at in enumerate(y) if span[0] <= at <= span[1]]
        plot = Plot(left, top, height, span, range_of(columns, inside))
        if not math.isnan(columns["phantom"][0]):
            plot.line(y, columns["phantom"], "#bbb", 3)
        for way, _, colour in WAYS:
            plot.line(y, columns[way], colour, 1.1)
        parts += plot.parts
        top += height + SPACE
    plot = Plot(left, top, HEIGHTS[2], whole, (10.0 ** decades[0], 10.0 ** decades[1]), log=True)
    for way, _, colour in WAYS[:-1]:
        plot.line(y, [abs(a - b) for a, b in zip(columns[way], columns["linear"])], colour, 1)
    parts += plot.parts
    parts.append(f'<text x="{left + WIDTH / 2}" y="{top + HEIGHTS[2] + 34}" text-anchor="middle">mm along the middle column</text>')
    return parts


def legend(top):
    parts, at = [], LEFT
    for _, title, colour in [("", "the phantom itself", "#bbb")] + WAYS[::-1]:
        parts.append(f'<line x1="{at}" x2="{at + 26}" y1="{top - 4}" y2="{top - 4}" stroke="{colour}" stroke-width="3"/>')
        parts.append(f'<text x="{at + 32}" y="{top}">{title}</text>')
        at += 64 + 7 * len(title)
    return parts


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    problems = read(sys.argv[1])
    least = min(abs(a - b) for columns in problems.values() for way, _, _ in WAYS[:-1] for a, b in zip(columns[way], columns["linear"]) if a != b)
    most = max(abs(a - b) for columns in problems.values() for way, _, _ in WAYS[:-1] for a, b in zip(columns[way], columns["linear"]))
    decades = max(math.floor(math.log10(least)), -8), math.ceil(math.log10(most))
    parts = []
    for n, (name, columns) in enumerate(problems.items()):
        parts += column_of_plots(name, columns, LEFT + n * (WIDTH + GAP + 20), decades)
        for way, title, _ in WAYS[:-1]:
            off = [a - b for a, b in zip(columns[way], columns["linear"])]
            size = math.sqrt(sum(b * b for b in columns["linear"]))
            print(f"{name}: {title}: {math.sqrt(sum(a * a for a in off)) / size:.3g} relative, at most {max(map(abs, off)):.3g} /mm")
    for text, top, height in zip(("1/mm", "1/mm", "off linear, 1/mm"), (TOP, TOP + HEIGHTS[0] + SPACE, TOP + sum(HEIGHTS[:2]) + 2 * SPACE), HEIGHTS):
        middle = top + height / 2
        parts.append(f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">{text}</text>')
    bottom = TOP + sum(HEIGHTS) + 2 * SPACE + 64
    width, height = LEFT + len(problems) * (WIDTH + GAP + 20) - 60, bottom + 16
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="13">'
           f'<rect width="100%" height="100%" fill="white"/>{"".join(parts + legend(bottom))}</svg>')
    with tempfile.NamedTemporaryFile("w", suffix=".svg", encoding="utf-8") as file:
        file.write(svg)
        file.flush()
        GdkPixbuf.Pixbuf.new_from_file(file.name).savev(sys.argv[2], "png", ["compression"], ["9"])


main()
