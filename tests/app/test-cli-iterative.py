#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Iterative methods on the command line: test-cli-iterative.py PROGRAM. Speaks TAP. Nothing here depends on any speed."""

import csv
import json
import math
import os
import re

from cli_driver import at, fails, main, read_json, read_mha, read_png, run, test

MEMBERS = ["id", "title", "explanation"]


def scan(name, *more):
    run("simulate", "--phantom", "shepp-logan", "--views", "40", "-q", *more, "--truth", at(name + "-truth.mha"), "-o", at(name + ".h5"))
    return at(name + ".h5"), at(name + "-truth.mha")


def parallel():
    return scan("parallel", "--geometry", "parallel", "--detector", "32x3", "--pixel", "6.4")


def curve(path):
    with open(path) as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["iteration", "seconds", "residual", "change", "rmse", "relative_rmse", "ssim", "residual_after"], rows[0]
    return rows


@test("methods lists every method of the plan and the projectors")
def _():
    listed = read_json("methods", "--json")
    ids = [method["id"] for method in listed["methods"]]
    text = run("reconstruct", "--help").stdout
    choices = text[text.index("iterative.method: one of "):].split(";")[0].split()[3:]
    assert choices == ["fbp", "fourier"] + ids, (choices, ids)
    for item in listed["methods"] + listed["projectors"]:
        assert all(item[key] for key in MEMBERS), item
    assert listed["projectors"][0]["id"] == "textbook" and listed["projectors"][0]["available"]
    words = run("methods").stdout
    assert all(f"\n  {name}: " in words for name in ids)


@test("every method reconstructs, nearer to the phantom than nothing, and writes its curve")
def _():
    path, truth = parallel()
    size, expected = read_mha(truth)
    worst = math.sqrt(sum(v * v for v in expected) / len(expected))
    for method in read_json("methods", "--json")["methods"]:
        run("reconstruct", path, "--set", f"method={method['id']}", "--set", "iterations=5", "--reference", truth, "--curve", at("c.csv"),
            "-q", "-o", at("m.mha"))
        rows = curve(at("c.csv"))
        assert [row["iteration"] for row in rows] == ["1", "2", "3", "4", "5"], rows
        got, values = read_mha(at("m.mha"))
        assert got == size
        rmse = math.sqrt(sum((a - b) ** 2 for a, b in zip(values, expected)) / len(values))
        assert abs(rmse - float(rows[-1]["rmse"])) < 1e-4 * rmse, (method["id"], rmse, rows[-1])
        assert rmse < 0.8 * worst, (method["id"], rmse, worst)
        plan = read_json("info", at("m.mha"), "--json")["plan"]["parameters"]
        assert plan["iterative.method"] == method["id"] and plan["iterative.iterations"] == 5


@test("a run goes on from a volume, and without a reference the curve has none")
def _():
    path, _truth = parallel()
    sirt = ["reconstruct", path, "--set", "method=sirt", "-q"]
    run(*sirt, "--set", "iterations=6", "-o", at("six.mha"))
    run(*sirt, "--set", "iterations=3", "-o", at("three.mha"))
    run(*sirt, "--set", "iterations=3", "--start", at("three.mha"), "--curve", at("c.csv"), "-o", at("again.mha"))
    a, b = read_mha(at("six.mha"))[1], read_mha(at("again.mha"))[1]
    assert max(abs(x - y) for x, y in zip(a, b)) < 1e-5 * max(a)
    assert all(row["rmse"] == "" and row["ssim"] == "" for row in curve(at("c.csv")))


@test("what a method cannot do is said, and no rate of a start")
def _():
    path, _truth = parallel()
    few = ["reconstruct", path, "--set", "iterations=2", "--set", "nonnegative=yes", "--set", "start=direct", "-o", at("b.mha")]
    for method, words in (("cgls", True), ("sirt", False)):
        told = run(*few, "--set", f"method={method}").stderr
        told = told[told.index(" voxels of "):]  # behind the progress, where the start has its rate
        assert ("values not bounded (cgls cannot)" in told) == words and "2 iterations" in told and "GUPS" not in told, told


@test("one axial slice of a stack is that of the volume; of what hangs together it is refused")
def _():
    path, _truth = parallel()
    run("reconstruct", path, "--set", "method=sirt", "--set", "iterations=4", "-q", "-o", at("all.mha"))
    run("reconstruct", path, "--set", "method=sirt", "--set", "iterations=4", "--slice", "axial:1", "-q", "-o", at("one.mha"))
    size, values = read_mha(at("all.mha"))
    slice_size = size[0] * size[1]
    one = read_mha(at("one.mha"))[1]
    assert max(abs(x - y) for x, y in zip(values[slice_size:2 * slice_size], one)) < 1e-5 * max(one)
    fails("reconstruct", path, "--set", "method=sirt", "--slice", "coronal:mid", "-q", "-o", at("no.png"), status=1, words="whole volume")
    run("simulate", "--views", "20", "--detector", "24x24", "--pixel", "8", "-q", "-o", at("cone.h5"))
    fails("reconstruct", at("cone.h5"), "--set", "method=sirt", "--slice", "axial:mid", "-q", "-o", at("no.png"), status=1, words="whole volume")
    fails("reconstruct", at("cone.h5"), "--set", "method=art", "-q", "-o", at("no.mha"), status=1, words=["cone beam", "art-view, sart"])
    run("reconstruct", at("cone.h5"), "--set", "method=cgls", "--set", "iterations=3", "-q", "-o", at("cone.mha"))


@test("a slice has its curve, compared with that of the volume or with a slice; and it starts from either")
def _():
    path, truth = parallel()
    size, expected = read_mha(truth)
    slice_size = size[0] * size[1]
    sirt = ["reconstruct", path, "--set", "method=sirt", "--slice", "axial:1", "-q"]
    words = run("reconstruct", path, "--set", "method=sirt", "--set", "iterations=5", "--slice", "axial:1", "--reference", truth,
                "--curve", at("c.csv"), "-o", at("one.mha")).stderr
    rows = curve(at("c.csv"))
    assert len(rows) == 5 and "5 iterations" in words and "RMSE" in words, words
    values = read_mha(at("one.mha"))[1]
    rmse = math.sqrt(sum((a - b) ** 2 for a, b in zip(values, expected[slice_size:2 * slice_size])) / slice_size)
    assert abs(rmse - float(rows[-1]["rmse"])) < 1e-4 * rmse, (rmse, rows[-1])
    # The slice against itself: it comes nearer until it is there.
    run(*sirt, "--set", "iterations=5", "--reference", at("one.mha"), "--curve", at("c.csv"), "-o", at("again.mha"))
    assert float(curve(at("c.csv"))[-1]["relative_rmse"]) < 1e-5
    run(*sirt, "--set", "iterations=3", "-o", at("three.mha"))
    run("reconstruct", path, "--set", "method=sirt", "--set", "iterations=3", "-q", "-o", at("all-three.mha"))
    for start in ("three.mha", "all-three.mha"):
        run(*sirt, "--set", "iterations=2", "--start", at(start), "-o", at("five.mha"))
        assert max(abs(x - y) for x, y in zip(values, read_mha(at("five.mha"))[1])) < 1e-5 * max(values)
    fails(*sirt[:-2], "axial:2", "-q", "--reference", at("one.mha"), "-o", at("no.mha"), status=1, words="same grid")
    fails(*sirt[:-2], "coronal:1", "-q", "--curve", at("c.csv"), "-o", at("no.png"), status=1, words="whole volume")


@test("a stack larger than the memory is made in slabs, and is the volume; what hangs together says what it needs")
def _():
    run("simulate", "--phantom", "shepp-logan-3d", "--views", "24", "-q", "--geometry", "parallel", "--detector", "48x40", "--pixel", "4.2",
        "-o", at("stack.h5"))
    art = ["reconstruct", at("stack.h5"), "--set", "method=sirt", "--set", "iterations=4", "--set", "threads=2"]
    run(*art, "-q", "-o", at("whole.mha"))
    words = run(*art, "--memory", "700K", "-o", at("slabs.mha")).stderr
    assert re.search(r"\d+ slabs of up to \d+ slices", words) and "projector joseph-2d" in words, words
    plans = [read_json("info", at(name), "--json")["plan"] for name in ("slabs.mha", "whole.mha")]
    for plan in plans:  # which projector serves hangs on the size
        plan["resolved"].pop("iterative.projector", None)
    assert plans[0] == plans[1], plans
    (size, a), (same, b) = read_mha(at("whole.mha")), read_mha(at("slabs.mha"))
    assert size == same and max(abs(x - y) for x, y in zip(a, b)) < 2e-4 * max(a)
    fails(*art, "--memory", "700K", "--curve", at("c.csv"), "-q", "-o", at("no.mha"), status=1, words="no common curve")
    fails(*art, "--set", "method=cgls", "--memory", "700K", "-q", "-o", at("no.mha"), status=1, words="all slices together")
    run("simulate", "--views", "20", "--detector", "24x24", "--pixel", "8", "-q", "-o", at("cone.h5"))
    fails("reconstruct", at("cone.h5"), "--set", "method=sirt", "--memory", "100K", "-q", "-o", at("no.mha"), status=1, words="That needs")


@test("a scan without the symmetry falls back to the whole matrix, and is told so")
def _():
    path, _truth = parallel()
    asked = ["reconstruct", path, "--set", "method=sirt", "--set", "iterations=2", "--set", "projector=scsr", "-o", at("s.mha")]
    words = run(*asked).stderr
    assert "projector scsr" in words and "instead" not in words, words
    words = run(*asked, "--set", "view_count=37").stderr
    assert "projector csr" in words and "instead of" in words, words
    # Nor is it kept quiet where the choice is automatic: rows where they are needed, else what needs no matrix.
    fan, _truth = scan("fan", "--geometry", "fan", "--detector", "48x1", "--pixel", "8", "--offset-u", "2.5")
    for method, taken in (("art", "projector csr"), ("sirt", "projector joseph-2d")):
        words = run("reconstruct", fan, "--set", f"method={method}", "--set", "iterations=2", "-o", at("s.mha")).stderr
        assert taken in words and "would be faster but cannot be used. The rotation axis is 2.5 columns off" in words, words
    # How far off is no direction.
    other, _truth = scan("left", "--geometry", "fan", "--detector", "48x1", "--pixel", "8", "--offset-u", "-2.5")
    assert " is 2.5 columns off" in run("reconstruct", other, "--set", "method=sirt", "--set", "iterations=1", "-o", at("s.mha")).stderr
    # A matrix that does not fit: how to do without.
    ways = ((["method=sirt", "projector=csr"], "matrix-free"), (["method=art"], "art-view, sart"), (["method=sirt", "model=area"], "model joseph"))
    for keys, way in ways:
        more = [word for key in keys for word in ("--set", key)]
        fails("reconstruct", fan, *more, "--memory", "300K", "-q", "-o", at("no.mha"), status=1, words=["That needs", way, "reconstruction.nx"])


@test("bad iterative input is refused with a message")
def _():
    path, truth = parallel()
    out = at("never.mha")
    bad = [
        (["--set", "method=sirrt"], 2, ["iterative.method", "centre.method"]),
        (["--set", "iterations=0", "--set", "method=sirt"], 2, "iterative.iterations"),
        (["--curve", at("c.csv")], 2, "--set method=sirt"),
        (["--set", "method=sirt", "--set", "start=current"], 2, "--start FILE, or --set start=zero or direct"),
        (["--set", "method=sirt", "--set", "projector=magic"], 1, "magic”: leave the choice to auto"),
        (["--set", "method=sirt", "--set", "nx=20", "--reference", truth], 1, "same grid"),
        (["--set", "method=sirt", "--reference", at("gone.mha")], 1, "gone.mha"),
        (["--set", "method=sirt", "--set", "filter.filtered=yes"], 1, "line integrals"),
        (["--set", "noise_photons=1e4", "--set", "filter.filtered=yes"], 1, "noise_photons"),
    ]
    for more, status, words in bad:
        fails("reconstruct", path, *more, "-q", "-o", out, status=status, words=words)


@test("fewer photons make a noisier slice, the same seed the same one")
def _():
    path, truth = parallel()
    slices = []
    for photons, seed in (("auto", 1), ("1e5", 1), ("1e3", 1), ("1e3", 1), ("1e3", 2)):
        run("reconstruct", path, "--set", f"noise_photons={photons}", "--set", f"noise_seed={seed}", "-q", "-o", at("n.mha"))
        slices.append(read_mha(at("n.mha"))[1])
    errors = [sum((a - b) ** 2 for a, b in zip(s, slices[0])) for s in slices]
    assert 0 == errors[0] < errors[1] < errors[2] == errors[3] != errors[4], errors


@test("bench iterative gives what it says, part by part")
def _():
    parts = {"sizes": ["entries", "stored_entries", "ratio"], "memory": ["projector", "bytes", "prepare_seconds"],
             "projectors": ["forward_ms", "back_ms", "adjoint"], "methods": ["method", "projector", "iteration_ms"],
             "convergence": ["method", "iteration", "rmse"], "pace": ["method", "iteration", "rmse"], "time": ["method", "projector", "threads", "iterations", "seconds"], "pictures": ["method", "ssim"], "quality": ["method", "views", "rmse", "ssim"],
             "pairs": ["method", "matched", "iteration", "rmse", "residual"]}
    run("bench", "iterative", "--size", 16, "--repeat", 1, "--limit", 0.01, "--threads", 2, "-q", "--json", at("b.json"), "--csv",
        at("b.csv"), "--csv-profile", at("profile.csv"))
    with open(at("b.json")) as file:
        result = json.load(file)
    seen = {row["part"] for row in result["rows"]}
    assert seen == set(parts), seen
    matched = {p["id"]: p["matched"] for p in read_json("methods", "--json")["projectors"]}
    for row in result["rows"]:
        assert row["suite"] == "iterative" and all(row[key] is not None for key in parts[row["part"]]), row
        if row["part"] == "sizes":
            assert 7 <= row["ratio"] <= 8, row
        if row["part"] == "projectors" and matched[row["projector"]]:
            assert row["adjoint"] < 1e-5, row
    paced = {row["method"]: row for row in result["rows"] if row["part"] == "pace"}  # the last of each
    assert [paced[name]["iteration"] for name in ("art", "art-view", "art-global")] == [15, 30, 50], paced
    ends = [row["rmse"] for row in paced.values()]
    assert max(ends) < 1.05 * min(ends), ends
    curves = [row for row in result["rows"] if row["part"] == "convergence"]
    assert {row["method"] for row in curves} == {"art", "art-view", "art-global"}
    assert curves[-1]["rmse"] < 0.3 and all(row["projector"] != "textbook" for row in curves)
    with open(at("profile.csv")) as file:
        assert len(list(csv.DictReader(file))) == 16
    with open(at("b.csv")) as file:
        assert len(list(csv.DictReader(file))) == len(result["rows"])
    fails("bench", "iterative", "--part", "magic", status=1, words="magic")
    fails("bench", "iterative", "--kernels", "magic", status=2, words="magic")
    fails("bench", "ladder", "--part", "sizes", status=2, words="iterative")



@test("bench iterative has times to convergence and their ratios to ART on one thread in one table")
def _():
    printed = run("bench", "iterative", "--part", "time", "--size", 48, "--threads", 2, "--limit", 60, "-q", "--json", at("t.json")).stdout
    with open(at("t.json")) as file:
        rows = json.load(file)["rows"]
    lines = printed.strip().split("\n")
    assert lines[0] == "time:" and len(lines) == len(rows) + 3 and all(line.startswith("| fan-256-180 | 48 |") for line in lines[3:]), printed
    first = rows[0]
    assert (first["method"], first["threads"], first["iterations"], first["ratio"]) == ("art", 1, 15, 1), first
    pairs = {(row["method"], row["projector"]) for row in rows}
    assert pairs > {("art-global", name) for name in ("csr", "csr-merge", "scsr", "scsr-global")} | {("art-view", "csr"), ("art-view", "scsr-view"), ("art-view", "orbit-matrix")}, pairs
    assert {row["method"] for row in rows} == {"art", "art-global", "art-view", "sirt", "sart"}
    for row in rows[1:]:
        assert row["threads"] == 2 and row["reached"] == (row["rmse"] <= first["rmse"]) == (row["ratio"] is not None), row
        assert not row["reached"] or math.isclose(row["ratio"], first["seconds"] / row["seconds"]), row
        assert math.isclose(row["iteration_ms"] * row["iterations"], 1e3 * row["seconds"]), row
        published = None if (row["method"], row["projector"]) == ("art-view", "orbit-matrix") else {"art": 15, "art-global": 50, "art-view": 30}.get(row["method"])
        assert row["published_iterations"] == published, row
        assert not published or math.isclose(row["published_ratio"], 1e3 * first["seconds"] / (published * row["iteration_ms"])), row
    assert all(row["reached"] for row in rows if row["method"].startswith("art")), rows
    # The same products, whichever projector makes them.
    assert len({row["iterations"] for row in rows if row["method"] == "art-global"}) == 1
    run("bench", "iterative", "--part", "time", "--size", 16, "--threads", 1, "--kernels", "csr", "-q", "--json", at("t.json"))
    with open(at("t.json")) as file:
        assert [(row["method"], row["projector"]) for row in json.load(file)["rows"]][1:] == [("art-view", "csr"), ("art-global", "csr")]


@test("bench iterative writes its pictures in one window, and their profiles as means of five rows")
def _():
    folder = at("pictures")
    run("bench", "iterative", "--part", "pictures", "--size", 32, "--threads", 2, "-q", "--pictures", folder, "--csv-profile", at("p.csv"))
    assert sorted(os.listdir(folder)) == ["art-global.png", "art-view.png", "phantom.png", "profile.csv", "profile.svg"]
    with open(os.path.join(folder, "profile.csv")) as file, open(at("p.csv")) as same:
        text = file.read()
        assert text == same.read()
    rows = list(csv.DictReader(text.split("\n")))
    assert len(rows) == 32 and list(rows[0]) == ["x_mm", "phantom", "art_global", "art_view"], rows[0]
    for name in ("phantom", "art-global", "art-view"):
        width, height, bits, greys = read_png(os.path.join(folder, name + ".png"))[:4]
        assert (width, height, bits) == (32, 32, 8)
        middle = greys[13:18]  # the last row comes first: rows 14 to 18 of 32
        for i, row in enumerate(rows):
            column = [line[i] / 255 for line in middle]  # the phantom reaches from 0, black, to 1, white
            assert max(column) == 1 or abs(sum(column) / 5 - float(row[name.replace("-", "_")])) < 0.003, (name, row, column)
    with open(os.path.join(folder, "profile.svg")) as file:
        drawing = file.read()
    assert "means of 5 rows" in drawing and drawing.count('class="curve"') >= 5, drawing[:400]
    fails("bench", "iterative", "--part", "time", "--pictures", at("none"), status=1, words="--pictures goes with the part pictures")
    fails("bench", "ladder", "--pictures", at("none"), status=2, words="--pictures goes with the suite iterative")
    fails("bench", "iterative", "--part", "pictures", "--pictures", at("no/folder"), status=1, words="Cannot make the folder")


main()
