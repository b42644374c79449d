#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli figures: its numbers against reconstruct's. test-cli-figures.py PROGRAM. Speaks TAP."""

import csv
import os
import sys
import xml.dom.minidom

from cli_driver import at, fails, main, read_mha, run, small_scan, test

PAPER = "chilingaryan-2019"


def read_table(folder, number):
    """(columns by name, names in order)."""
    with open(os.path.join(at(folder), f"figure-{number}.csv"), newline="") as file:
        rows = list(csv.reader(line for line in file if not line.startswith("#")))
    return {name: [float(row[i]) for row in rows[1:]] for i, name in enumerate(rows[0])}, rows[0]


def column_of(path, x):
    (nx, ny, nz), values = read_mha(path)
    return [values[y * nx + x] for y in range(ny)]


def near(a, b, bound):
    assert len(a) == len(b) and max(abs(p - q) for p, q in zip(a, b)) <= bound, max(abs(p - q) for p, q in zip(a, b))


@test("profiles of a scan are those of its slices, and the differences theirs")
def _():
    scan = small_scan("parallel.h5", "--geometry", "parallel")
    words = run("figures", PAPER, scan, "-q", "--figure", "19", "--slice", "axial:7", "--column", "20", "-o", at("figures")).stdout
    table, names = read_table("figures", 19)
    assert names == ["y", "nearest", "linear", "oversampled", "|nearest - linear|", "|oversampled - linear|"]
    for name in names[1:4]:
        run("reconstruct", scan, "-q", "--slice", "axial:7", "--set", f"interpolation={name}", "-o", at("slice.mha"))
        near(table[name], column_of(at("slice.mha"), 20), 1e-7)
    for name in ("nearest", "oversampled"):
        near(table[f"|{name} - linear|"], [abs(a - b) for a, b in zip(table[name], table["linear"])], 1e-9)
    assert max(table["|nearest - linear|"]) > max(table["|oversampled - linear|"]) > 0
    assert table["y"][1] - table["y"][0] == 4 and "column 20: nearest against linear: RMSE" in words
    picture = xml.dom.minidom.parse(os.path.join(at("figures"), "figure-19.svg"))
    curves = [path for path in picture.getElementsByTagName("path") if path.getAttribute("class") == "curve" and "L" in path.getAttribute("d")]
    assert len(curves) == 5


@test("the phantom is compared with its truth")
def _():
    run("figures", PAPER, "-q", "--size", "96", "--views", "150", "-o", at("phantom"))
    assert sorted(os.listdir(at("phantom"))) == [f"figure-{n}.{e}" for n in (18, 7) for e in ("csv", "svg")]
    table, names = read_table("phantom", 18)
    assert names[1:5] == ["phantom", "nearest", "linear", "oversampled"] and len(table["y"]) == 96
    middle = table["phantom"][40:56]
    assert all(1.01 < value < 1.05 for value in middle) and max(table["phantom"]) == 2  # brain, skull
    near(table["linear"][40:56], middle, 0.03)
    near(table["|linear - phantom|"], [abs(a - b) for a, b in zip(table["linear"], table["phantom"])], 1e-8)
    halves, names = read_table("phantom", 7)
    assert names == ["y", "single", "half", "|half - single|"]
    assert 0 < max(halves["|half - single|"]) < 2e-3


@test("wrong usage")
def _():
    for arguments, words in [
        ([], PAPER),
        (["potato-2020", "-o", at("x")], PAPER),
        ([PAPER], "-o FOLDER"),
        ([PAPER, "--figure", "9", "-o", at("x")], "7, 8, 18, 19"),
        ([PAPER, "--figure", "8", "-o", at("x")], "of a scan"),
        ([PAPER, "--slice", "coronal:3", "-o", at("x")], "axial"),
    ]:
        fails("figures", *arguments, status=2, words=words)
    scan = small_scan("parallel.h5", "--geometry", "parallel")
    fails("figures", PAPER, scan, "-q", "--figure", "8", "--column", "900", "-o", at("x"), status=1, words="900")
    fails("figures", PAPER, at("gone.h5"), "-q", "-o", at("x"), status=1, words="gone.h5")


sys.exit(main())
