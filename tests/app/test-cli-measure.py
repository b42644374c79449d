#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli measure: its numbers against sums over the voxels of the file. test-cli-measure.py PROGRAM. Speaks TAP."""

import csv
import math
import os
import sys

from cli_driver import at, fails, main, read_json, read_mha, run, test


def volume():
    """A truth of 40 x 40 x 6 voxels of 2 mm."""
    if not os.path.exists(at("truth.mha")):
        run("simulate", "--geometry", "parallel", "--detector", "40x6", "--views", 8, "--pixel", 2, "--radius", 36, "-q", "-o", at("scan.h5"), "--truth",
            at("truth.mha"))
    return at("truth.mha")


def chosen(plane, position, inside):
    """Values of the voxels of the slice that holds a position, of which inside(horizontal, vertical) is true."""
    size, values = read_mha(volume())
    place = [[2 * (i - (n - 1) / 2) for i in range(n)] for n in size]
    normal, across, up = {"axial": (2, 0, 1), "coronal": (1, 0, 2), "sagittal": (0, 1, 2)}[plane]
    index = min(range(size[normal]), key=lambda i: abs(place[normal][i] - position))
    found = []
    for j in range(size[up]):
        for i in range(size[across]):
            at_voxel = [0, 0, 0]
            at_voxel[normal], at_voxel[across], at_voxel[up] = index, i, j
            if inside(place[across][i], place[up][j]):
                found.append(values[(at_voxel[2] * size[1] + at_voxel[1]) * size[0] + at_voxel[0]])
    return found


def numbers(values):
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((v - mean) ** 2 for v in values) / len(values))


SHAPES = [
    ("--rectangle", "box=axial:1.2:-20.5,-9.5,8.5,14.5", "axial", 1.2, lambda x, y: -20.5 < x < 8.5 and -9.5 < y < 14.5),
    ("--ellipse", "disc=coronal:-3:-22,-5.5,10,4.5", "coronal", -3, lambda x, z: ((x + 6) / 16) ** 2 + ((z + .5) / 5) ** 2 < 1),
    ("--polygon", "free=sagittal:5:-30.5,-5.5,30.5,-5.5,0.5,5.6", "sagittal", 5,
     lambda y, z: z > -5.5 and (y + 30.5) / 31 > (z + 5.5) / 11.1 and (30.5 - y) / 30 > (z + 5.5) / 11.1),
]


@test("regions on all planes hold what sums over the file's voxels give, as JSON, as CSV and on other scales")
def _():
    arguments = [word for shape in SHAPES for word in shape[:2]]
    told = read_json("measure", volume(), *arguments, "--json", "-q", "--cnr", "box,free")
    table = [line for line in run("measure", volume(), *arguments, "--csv", "-q").stdout.split("\n") if not line.startswith("#")]
    in_cm = read_json("measure", volume(), *arguments, "--json", "--unit", "1/cm")
    kept = {}
    for mark, line, more, (_, _, plane, position, inside) in zip(told["marks"], csv.DictReader(table), in_cm["marks"], SHAPES):
        values = chosen(plane, position, inside)
        mean, deviation = kept[mark["name"]] = numbers(values)
        assert mark["voxels"] == len(values) > 30 and mark["area"] == 4 * len(values) and deviation > 0, mark
        for key, value in (("mean", mean), ("deviation", deviation), ("min", min(values)), ("max", max(values))):
            assert abs(mark[key] - value) < 1e-9 and abs(float(line[key]) - mark[key]) < 1e-12, (mark, key, value)
            assert abs(more[key] - 10 * mark[key]) < 1e-12
    (a, da), (b, db) = kept["box"], kept["free"]
    assert abs(told["contrasts"][0]["cnr"] - abs(a - b) / math.sqrt((da ** 2 + db ** 2) / 2)) < 1e-9
    scaled = read_json("measure", volume(), *arguments, "--json", "--scale", "box=-1000,free=0,HU")
    (c, _), means = kept["disc"], {mark["name"]: mark["mean"] for mark in scaled["marks"]}
    assert scaled["value_unit"] == "HU" and abs(means["box"] + 1000) < 1e-9 and abs(means["free"]) < 1e-9
    assert abs(means["disc"] - 1000 * (c - b) / (b - a)) < 1e-6


@test("lines and angles: the length, the profile, the skull's edge")
def _():
    told = read_json("measure", volume(), "--line", "out=axial:mid:-39,0,-1,0,4", "--angle", "corner=axial:mid:10,0,0,0,0,7", "--json", "-q")
    line, corner = told["marks"]
    assert line["length"] == 38 and line["values"][0] == 0 and abs(line["step"] * (len(line["values"]) - 1) - 38) < 1e-9
    assert corner["angle_deg"] == 90 and "mean" not in line
    peak = max(line["values"])
    assert abs(line["peak"] - peak) < 1e-12 and abs(line["values"].index(peak) * line["step"] - line["peak_at"]) < 1e-9
    words = run("measure", volume(), "--line", "axial:mid:-39,0,-1,0", "-r", "axial:mid:-5,-5,5,5", "-r", "axial:mid:6,-5,15,5", "-q").stdout
    assert "FWHM" in words and "2, 3: contrast to noise" in words, words


@test("mistakes are told")
def _():
    for words, arguments in [("nothing is to be measured", []), ("PLANE:POSITION", ["-r", "axial:1,2,3,4"]), ("X0,Y0,X1,Y1", ["-e", "z:mid:1,2,3"]),
                             ("not \"oblique\"", ["-r", "oblique:0:1,2,3,4"]), ("called \"a\"", ["-r", "a=z:0:0,0,5,5", "-e", "a=z:0:0,0,5,5"]),
                             ("there is no region \"b\"", ["-r", "a=z:0:0,0,5,5", "--cnr", "a,b"]), ("--unit is", ["-r", "z:0:0,0,5,5", "--unit", "1/m"]),
                             ("a line or an angle is no region", ["-r", "a=z:0:0,0,5,5", "-l", "b=z:0:0,0,5,5", "--scale", "a=0,b=1"])]:
        fails("measure", volume(), *arguments, status=2, words=words)
    fails("measure", volume(), "-r", "far=z:0:100,100,120,120", "-q", status=1, words=["rectangle far", "holds no voxel"])
    fails("measure", volume(), "-r", "z:50:0,0,5,5", "-q", status=1, words="no axial slice at 50 mm")
    fails("measure", volume(), "-r", "a=z:0:0,0,5,5", "-r", "b=z:0:0,0,5,5", "--scale", "a=0,b=1", "-q", status=1, words="means differ")
    fails("measure", volume(), "-r", "z:0:0,0,5,5", "--unit", "HU", "-q", status=1, words="does not tell what Hounsfield units are")
    fails("measure", at("missing.mha"), "-r", "z:0:0,0,5,5", "-q", status=1, words="missing.mha")


sys.exit(main())
