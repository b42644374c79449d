#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives gantry-cli bench on tiny problems: test-bench.py PROGRAM. Speaks TAP. Nothing here depends on any speed."""

import array
import csv
import json
import math
import os
import re
import signal
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET

from cli_driver import at, main, PROGRAM, run, Skip, test

TINY = ["--size", "16", "--repeat", "1", "--limit", "0.05", "--threads", "2"]
KEYS = ["suite", "kernel", "problem", "precision", "threads", "seconds", "gups", "speedup", "rel_rmse", "bytes"]


def bench(suite, *more):
    """The rows of a tiny suite; the JSON object and what went to stderr with them."""
    path = at(f"{suite}.json")
    done = run("bench", suite, *TINY, *more, "--json", path)
    with open(path) as file:
        result = json.load(file)
    assert result["machine"]["processor"] and result["rows"], result["machine"]
    assert result["machine"]["threads"] == 2 and result["machine"]["cores"] >= 1, result["machine"]
    for row in result["rows"]:
        assert row["suite"] == suite and all(key in row for key in KEYS), row
    return result["rows"], result, done


def fails(*arguments, status, words):
    done = run(*arguments, status=status)
    assert done.stdout == "" and words in done.stderr and done.stderr.startswith("gantry-cli: "), done.stderr


def kernels():
    return {k["id"]: k for k in json.loads(run("kernels", "--json").stdout)}


def check_errors(rows):
    """Every row's error is within what its kernel promises (float32), or what its precision allows."""
    table = kernels()
    for row in rows:
        if row["rel_rmse"] is None:
            continue
        bound = {"float32": 1e-5, "int16": 5e-5, "float16": 1e-3}[row["precision"]]
        bound = max(bound, table[row["kernel"]]["tolerance"])
        assert row["rel_rmse"] <= bound, row


@test("the ladder measures every kernel that runs here, in each of its precisions, or says why not")
def _():
    rows, result, done = bench("ladder")
    table = kernels()
    measured = {(row["kernel"], row["precision"]) for row in rows}
    assert {row["threads"] for row in rows if row["kernel"] == "serial-loop"} == {1}, rows
    skipped = {skip["kernel"]: skip["reason"] for skip in result["skipped"]}
    for name, kernel in table.items():
        # The loop's speed is what others are compared with: in single precision alone.
        if "cone" not in kernel["beams"] or "linear" not in kernel["interpolations"] or name in ("textbook", "voxel-loop"):
            continue
        for precision in kernel["precisions"]:
            assert (name, precision) in measured or len(skipped.get(name, "")) > 20, (name, precision)
    assert ("textbook", "float64") in measured and ("voxel-loop", "float32") in measured
    first = rows[0]
    assert first["kernel"] == "voxel-loop" and first["speedup"] == 1
    for row in rows:
        assert row["seconds"] > 0 and row["gups"] > 0 and row["bytes"] > 16 ** 3 * 4, row
        assert math.isclose(row["speedup"], row["gups"] / first["gups"], rel_tol=1e-9), row
    check_errors(rows)
    assert "bench: ladder, cone-512" in done.stderr
    assert done.stdout.count("\n") == 2 + len(rows) and done.stdout.startswith("| problem | kernel |")


@test("GUPS are voxels times views over seconds")
def _():
    rows, _, _ = bench("ladder", "--kernels", "voxel-loop", "--limit", "100")
    row = rows[0]
    assert len(rows) == 1 and row["views"] == 4  # 64 views shrunk as 512 to 16, but at least 4
    assert math.isclose(row["gups"], 16 ** 3 * 4 / row["seconds"] / 1e9, rel_tol=1e-9)


@test("--problems all of the ladder reaches every beam")
def _():
    rows, _, _ = bench("ladder", "--problems", "all", "--kernels", "voxel-loop,textbook")
    problems = {row["problem"] for row in rows}
    for name in ("cone-512", "cone-tilt", "parallel-64", "parallel-1", "fan", "free-512", "cone-sagittal"):
        assert name in problems, (name, problems)
    check_errors(rows)


@test("chen has ten problems, a sweep of batch sizes and one of threads")
def _():
    rows, _, _ = bench("chen", "--kernels", "voxel-loop,chen-share")
    problems = [row["problem"] for row in rows]
    for n in range(1, 11):
        assert f"P{n}" in problems, problems
    # A kernel that takes one view at a time says so, and has nothing to sweep.
    assert [row["batch"] for row in rows if "nb =" in row["problem"]] == [1]
    assert {row["batch"] for row in rows} == {1}
    threads = [row["threads"] for row in rows if "thread" in row["problem"] and row["kernel"] == "chen-share"]
    assert threads == [1, 2], threads
    check_errors(rows)


@test("chen sweeps other problems when asked, and tells the scaling")
def _():
    rows, _, done = bench("chen", "--sweep", "--problems", "P1,P4", "--kernels", "chen-subline")
    for name in ("P1", "P4"):
        nb = [row["batch"] for row in rows if row["problem"].startswith(name + ", nb =")]
        assert nb == [1, 2, 4, 8, 16, 32], nb
        two = [row for row in rows if row["problem"] == name + ", 2 threads" and row["kernel"] == "chen-subline"]
        one = [row for row in rows if row["problem"] == name + ", 1 thread" and row["kernel"] == "chen-subline"]
        assert math.isclose(two[0]["scaling"], two[0]["gups"] / one[0]["gups"], rel_tol=1e-9) and "x one thread" in two[0]["remarks"], two
    assert {row["batch"] for row in rows if row["problem"] in ("P1", "P4") and row["kernel"] == "chen-subline"} == {32}, rows
    fails("bench", "ladder", "--sweep", status=2, words="--sweep goes with the suite chen")


@test("the column batch is what a kernel takes in one sweep")
def _():
    rows, _, _ = bench("ladder", "--problems", "cone-256", "--kernels", "voxel-loop,serial-loop,slabs-two-views,chen-share,chen-prefetch,z-window-c8")
    assert {row["kernel"]: row["batch"] for row in rows if row["precision"] == "float32"} == {
        "voxel-loop": 1, "serial-loop": 1, "slabs-two-views": 2, "chen-share": 1, "chen-prefetch": 32, "z-window-c8": 128}, rows
    # Also of the pipeline, which carries more to kernels that take them one by one, and of what a card has filtered.
    for kernel, more, batch in (("voxel-loop", [], 1), ("chen-prefetch", [], 32), ("chen-prefetch", ["--batch", 8], 8)):
        rows, _, _ = bench("pipeline", "--problems", "fdk-512", "--kernels", kernel, *more)
        assert {row["batch"] for row in rows if row["kernel"] == kernel and row["gups"]} == {batch}, rows
    rows, _, _ = bench("gpu", "--device", device(), "--problems", "filter", "--kernels", "gl-naive")
    assert {row["batch"] for row in rows if "filtered on the card" in row["problem"]} == {1}, rows


@test("parallel has linear, nearest and oversampled interpolation")
def _():
    rows, _, _ = bench("parallel", "--kernels", "voxel-loop")
    assert {row["interpolation"] for row in rows} == {"linear", "nearest", "oversampled"}
    assert {row["problem"] for row in rows} == {"parallel-64", "parallel-between", "parallel-1"}
    check_errors(rows)


@test("spirals of both methods stand beside a circle, with what their updates really are")
def _():
    run("bench", "spiral", "--size", 64, "--repeat", 1, "--threads", 2, "--problems", "circle,pitch-1,pitch-largest", "--json", at("spiral.json"))
    with open(at("spiral.json")) as file:
        rows = json.load(file)["rows"]
    expected = [("circle", "z-window"), ("pitch-1", "spiral"), ("pitch-largest", "spiral"), ("pitch-1", "katsevich"), ("pitch-largest", "katsevich")]
    assert len(rows) == len(expected), rows
    for row, (problem, kernel) in zip(rows, expected):
        assert row["problem"] == problem and row["kernel"].startswith(kernel), row
        assert len(row["means"]) == 5 and all(abs(mean - 1) < 0.02 for mean in row["means"]), row
        assert 0 < row["rmse"] < row["rmse_same_dose"] < 0.002, row
        if problem == "circle":
            assert row["turns"] == 0, row
        else:
            assert row["turns"] >= 1 and 0.1 < row["updated_share"] < 1, row
            assert abs(row["pitch"] - 1) < 1e-6 if problem == "pitch-1" else 1.7 < row["pitch"] < 1.9, row
    fails("bench", "spiral", "--problems", "pitch-9", status=1, words='no problem "pitch-9"; there are: circle, pitch-0.3')


@test("pipeline has its stages, slices and the filter alone")
def _():
    rows, _, _ = bench("pipeline")
    problems = [row["problem"] for row in rows]
    for stage in ("weighting and filtering", "back-projection", "end to end"):
        assert f"fdk-512: {stage}" in problems, problems
    for plane in ("axial", "coronal", "sagittal", "oblique", "rolled oblique"):
        for beam in ("cone", "512"):
            assert f"planes-{beam}: {plane} slice" in problems, problems
    assert "filter-512" in problems and "filter-1024" in problems
    total = next(row for row in rows if row["problem"].endswith("end to end"))
    assert total["rel_rmse"] < 1e-5 and total["gups"] > 0
    rows, _, _ = bench("pipeline", "--problems", "filter-512")
    assert [row["problem"] for row in rows] == ["filter-512"]
    fails("bench", "pipeline", "--problems", "P99", status=1, words='no problem "P99"; there are: fdk-512, planes-cone')


@test("limits has the machine's rates, and rows state their share of the bound")
def _():
    rows, result, _ = bench("limits", "--kernels", "voxel-loop")
    rates = result["machine"]["rates"]
    for name in ("FMA", "L1 read", "L2 read", "memory read", "memory update"):
        assert rates[name] > 0, rates
        assert "size" not in next(row for row in rows if row["problem"] == name), "--size has no bearing on the machine's rates"
    shares = [row for row in rows if "share" in row]
    assert {row["problem"] for row in shares} == {"cone-512", "parallel-64", "free-512"}
    for row in shares:
        assert math.isclose(row["share"], row["gups"] / row["bound_gups"], rel_tol=1e-9), row
        assert row["bound_by"] in ("FMA", "L1", "memory")


@test("roofline puts counted flops and bytes to the measured rates, and draws them below the roofs")
def _():
    picture = at("roof.svg")
    rows, result, _ = bench("roofline", "--kernels", "voxel-loop,chen-share,chen-subline,z-window-c8,slabs", "--picture", picture)
    assert all(result["machine"]["rates"][name] > 0 for name in ("FMA", "L1 read", "L2 read", "L3 read", "memory read")), result["machine"]["rates"]
    counted = {row["kernel"]: row for row in rows if "flops" in row}
    assert set(counted) == {"voxel-loop", "chen-share", "chen-subline", "z-window-c8", "slabs"}, counted
    for row in counted.values():
        assert abs(row["gflops"] - row["flops"] * row["gups"]) <= 1e-9 * row["gflops"], row
        assert abs(row["intensity"] - row["flops"] / row["l1_bytes"]) <= 1e-9 * row["intensity"], row
        roof = min(result["machine"]["rates"]["FMA"], result["machine"]["rates"]["L1 read"] * row["intensity"])
        assert abs(row["roof_gflops"] - roof) <= 1e-6 * roof, (row, roof)
    # Two pixels for one: a sub-line of 19 rows for columns of 16 voxels.
    assert abs(counted["chen-subline"]["flops"] - (8.5 + 3 * 19 / 16)) < 1e-9, counted["chen-subline"]
    with open(picture) as file:
        text = file.read()
    assert all(f">{name}</text>" in text for name in counted), text[-800:]
    assert all(re.search(rf">{name} [0-9.e+]+ G[BF]/s</text>", text) for name in ("FMA", "L1", "L2", "L3", "memory")), text[:4000]
    fails("bench", "ladder", "--picture", picture, status=2, words="suites roofline")


@test("the roofline's counts are those of the loops, counted by hand")
def _():
    # By problem, of kernel, interpolation and precision: flops and bytes.
    cone = {("z-window-c8", "linear", "float32"): (0.5 + 4 + 3, 2 * 4 + 2), ("z-window-avx2", "linear", "float16"): (7.5, 2 * 2 + 2),
            ("z-window-int16", "linear", "int16"): (3 + 0.5 + 4 + 0.5, 4 + 2),
            ("free-avx2", "linear", "int16"): (5 + 6 + 4 + 2 + 9 + 7 + 2, 12 + 8),
            ("taps-c8", "cubic", "float32"): (3 + 2 * (7 + 24) + 4 * 9 + 4, 64 + 8),
            ("taps-c8", "gaussian", "int16"): (3 + 2 * (7 + 88) + 4 * 9 + 4, 64 + 8)}
    parallel = {("z-window-c16", "linear", "float32"): (1 + 4 + 6, 16 + 2), ("lines-c8", "linear", "int16"): (2 + 1 + 3 + 1 + 1, None),
                ("half-4", "linear", "float16"): (5, 4 + 4 + 0.5), ("half-64-c8", "linear", "float16"): (4, 4 + 1),
                ("slices-int16-avx2", "linear", "int16"): (4.25, 4 + 1), ("slices-1", "linear", "float32"): (7, 8 + 4 + 0.5),
                ("oversampled-1", "oversampled", "float32"): (3, 4 + 4 + 0.5), ("oversampled-16", "oversampled", "float32"): (1, 4 + 1),
                # On a row of pixels: one line of taps, of the Gaussian three.
                ("taps-c8", "cubic", "float32"): (3 + 31 + 9 + 4, 16 + 8), ("taps-c8", "gaussian", "float32"): (3 + 95 + 27 + 4, 48 + 8)}
    for problem, expected in (("cone-512", cone), ("parallel-64", parallel)):
        known = kernels()
        names = sorted(name for name in {key[0] for key in expected} if known.get(name, {}).get("available"))
        rows, _, done = bench("roofline", "--problems", problem, "--kernels", ",".join(names), "--picture", at("counts.svg"))
        found = {(row["kernel"], row["interpolation"], row["precision"]): (row["flops"], row["l1_bytes"]) for row in rows if "flops" in row}
        assert "does not interpolate" not in done.stderr, done.stderr
        with open(at("counts.svg")) as file:
            picture = file.read()
        for key, (flops, size) in expected.items():
            if key[0] not in names or f"{key[0]} is skipped" in done.stderr:
                continue
            assert abs(found[key][0] - flops) < 1e-9 and (size is None or abs(found[key][1] - size) < 1e-9), (key, found[key], flops, size)
            words = [key[0]] + [key[1]] * (key[1] != "linear" and len(known[key[0]]["interpolations"]) > 1)
            assert f"<title>{', '.join([*words, key[2]])}: " in picture and f">{', '.join(words)}</text>" in picture, key
    # What is resampled comes on top of the windows' count.
    rows, _, _ = bench("roofline", "--problems", "free-128", "--kernels", "rectified-c8")
    row, = (row for row in rows if "flops" in row and row["kernel"] == "rectified-c8")
    assert row["flops"] > 5 + 3 and row["l1_bytes"] > 8 + 2, row


def level_texts(picture):
    """Of the texts of an SVG that are not turned: the text and its box, from left, right, top and bottom; letters are estimated."""
    space = "{http://www.w3.org/2000/svg}"
    root = ET.parse(picture).getroot()
    turned = {text for group in root.iter() if group.get("transform") for text in group.iter(space + "text")}
    for text in root.iter(space + "text"):
        if text not in turned:
            width, x, y = 6.2 * len(text.text), float(text.get("x")), float(text.get("y"))
            left = x - {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor")]
            yield text.text, left, left + width, y - 9, y + 2


@test("of a crowded roofline every point is in a list beside it, of which no words lie over others")
def _():
    picture = at("crowded.svg")
    rows, _, _ = bench("roofline", "--problems", "cone-512,parallel-64", "--size", 24, "--limit", 0.005, "--picture", picture)
    points = [row for row in rows if "flops" in row]
    texts = list(level_texts(picture))
    assert len(points) > 40 and len(texts) > 40, (len(points), len(texts))
    for n, (word, left, right, top, bottom) in enumerate(texts):
        assert left >= 0 and right <= 960 and top >= 0, word
        for other, x0, x1, y0, y1 in texts[:n]:
            assert right <= x0 or x1 <= left or bottom <= y0 or y1 <= top, f"{word} lies over {other}"
    with open(picture) as file:
        text = file.read()
    assert text.count("<title>") == len(points), (text.count("<title>"), len(points))
    # Lines to the list neither cross nor lead to the same words: both ends go down.
    ends = [(float(place), float(wanted)) for place, wanted in re.findall(r'class="leader" [^>]*d="M\d+ ([\d.]+)H\d+L\d+ ([\d.]+)H', text)]
    falls = sum(b[0] >= a[0] + 13.9 and b[1] >= a[1] for a, b in zip(ends, ends[1:]))
    assert len(ends) > 40 and falls == len(ends) - 1, (len(ends), falls)


@test("rabbitct writes a data set whose reference its kernels then meet")
def _():
    path = at("made.rctd")
    rows, _, _ = bench("rabbitct", "--size", 64, "--views", 40, "--write", path, "--limit", 100, "--kernels", "voxel-loop")
    assert any("lattice" in row["remarks"] for row in rows)
    nu, nv, views = 64, 49, 40
    with open(path, "rb") as file:
        head = struct.unpack("<4I2f", file.read(24))
    assert head[:4] == (2, nu, nv, views) and head[4] > 0, head
    assert os.path.getsize(path) == 24 + views * (96 + 4 * nu * nv) + 2 * 128 ** 3
    # The phantom's inside has density 0.2: 0.2 x 0.02/mm x 50000 = 200 HU, and the skull 1.
    with open(path, "rb") as file:
        file.seek(-2 * 128 ** 3, os.SEEK_END)
        reference = array.array("H")
        reference.frombytes(file.read())
    if sys.byteorder == "big":
        reference.byteswap()
    inside = [reference[(k * 128 + j) * 128 + i] for k in range(58, 70) for j in range(26, 50) for i in range(58, 70)]
    assert abs(sum(inside) / len(inside) - 200) < 8, sum(inside) / len(inside)
    assert 600 < max(reference) < 1500, max(reference)
    rows, result, _ = bench("rabbitct", path, "--limit", 100, "--kernels", "voxel-loop")
    row = next(row for row in rows if row["reference"] == "data set")
    assert row["edge"] == 128 and row["voxels_compared"] == 128 ** 3
    assert 0 <= row["rmse_hu"] < 0.03 and row["max_error_hu"] <= 1, row
    assert sum(row["error_histogram"]) == 128 ** 3 and "off by 0 HU " in row["remarks"], row
    assert all(row["size"] == 16 for row in rows), "the size that problems were shrunk to"
    assert math.isclose(row["q_mse"], row["rmse_hu"] ** 2, rel_tol=1e-6)
    assert row["psnr_db"] is None or row["psnr_db"] > 100
    assert 0.2 < row["updated_share"] <= 1
    assert math.isclose(row["updated_gups"], row["gups"] * row["updated_share"], rel_tol=1e-9)
    info = json.loads(run("info", path, "--json").stdout)
    assert "already weighted and filtered" in json.dumps(info)
    assert info["volume"]["size"] == [128, 128, 128] and info["volume"]["voxel_mm"] == [2, 2, 2] and info["value_scale"] == [50000, 0, "HU"], info["volume"]
    told = run("reconstruct", path, "-o", at("made.mha"), "--set", "output.samples=hu").stderr
    assert re.search(r"GUPS, [0-9.]+ ms a projection", told), told
    same = json.loads(run("compare", at("made.mha"), path + "::/reference/128", "--json", "-q").stdout)
    assert same["hounsfield"]["rmse"] < 0.03 and same["hounsfield"]["max_error"] <= 1 and not same["resampled"], same["hounsfield"]
    assert sum(same["hounsfield"]["histogram"]) == 128 ** 3


@test("a damaged data set is refused with a message")
def _():
    path = at("cut.rctd")
    with open(at("made.rctd"), "rb") as file:
        content = file.read(3000)
    with open(path, "wb") as file:
        file.write(content)
    fails("bench", "rabbitct", path, "-q", status=1, words="cut.rctd ends early")
    fails("bench", "rabbitct", at("missing.rctd"), "-q", status=1, words="missing.rctd")


@test("pixels that are not finite are counted and left out, and a file's views are not to be chosen")
def _():
    path = at("holes.rctd")
    with open(at("made.rctd"), "rb") as file:
        content = bytearray(file.read())
    content[24 + 96:24 + 96 + 12] = struct.pack("<3f", math.nan, math.inf, -math.inf)
    with open(path, "wb") as file:
        file.write(content)
    rows, _, done = bench("rabbitct", path, "--limit", 100, "--kernels", "voxel-loop")
    assert "3 pixels are not finite numbers" in done.stderr, done.stderr
    assert all(math.isfinite(row["rmse_hu"]) for row in rows if row["kernel"] == "voxel-loop"), rows
    fails("bench", "rabbitct", path, "--views", 8, status=2, words="holes.rctd has views of its own")


@test("where all views count, what would take too long is passed over with its reason")
def _():
    _, result, _ = bench("rabbitct", "--views", 8, "--limit", 0.001, "--kernels", "voxel-loop")
    assert any("more than --limit" in skip["reason"] for skip in result["skipped"]), result["skipped"]


@test("CSV has a line for each row and the JSON's numbers")
def _():
    rows, _, _ = bench("ladder", "--kernels", "voxel-loop,serial-loop", "--csv", at("ladder.csv"))
    with open(at("ladder.csv"), newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == len(rows)
    for line, row in zip(lines, rows):
        assert line["kernel"] == row["kernel"] and line["problem"] == row["problem"]
        assert math.isclose(float(line["gups"]), row["gups"], rel_tol=1e-6)


def device():
    devices = json.loads(run("info", "--devices", "--json").stdout)
    if not devices:
        raise Skip("no graphics device with OpenGL 4.3")
    return devices[0]["name"]


@test("the suite gpu has the rate of the card alone beside that with all transfers")
def _():
    rows, result, done = bench("gpu", "--device", device(), "--problems", "rabbit-512,parallel-1", "--views", 24,
                               "--kernels", "gl-thumper-6,gl-slices-1", "--csv", at("gpu.csv"))
    if any(skip["problem"] == "card alone" for skip in result["skipped"]):
        raise Skip("the graphics device has no clock")
    check_errors([row for row in rows if row["interpolation"] == "linear"])
    for row in rows:
        if row["kernel"] == "voxel-loop":
            assert "card_gups" not in row, row
            continue
        voxels = {"rabbit-512": 7 ** 3, "parallel-1": 16 * 16}[row["problem"]]  # --size 16 of 1248 and 1024
        assert 0 < row["card_seconds"] and row["views"] <= 24, row
        assert math.isclose(row["card_gups"], voxels * row["views"] / row["card_seconds"] / 1e9, rel_tol=1e-9), row
    assert {row["problem"] for row in rows} == {"rabbit-512", "parallel-1"}
    assert done.stdout.startswith("| problem | kernel |") and "| GUPS, card alone |" in done.stdout
    with open(at("gpu.csv"), newline="") as file:
        assert any(float(line["card_gups"] or 0) > 0 for line in csv.DictReader(file))
    fails("bench", "chen", "--views", 8, status=2, words="--views goes with the suites rabbitct and gpu")


@test("projections filtered on the card give the volume of those that the processor filtered, and both are timed")
def _():
    rows, result, _ = bench("gpu", "--device", device(), "--problems", "filter", "--size", 48)
    assert [(row["problem"], row["kernel"]) for row in rows] == [("cone-256, filtered on the card", "gl-tuned"),
                                                                 ("parallel-64, filtered on the card", "gl-tuned-parallel")], rows
    for row in rows:
        # Texture units on a card are good for no more than this.
        assert 0 < row["rel_rmse"] < 3e-3 and row["filter_length"] >= 2 * 48 - 1, row
        assert row["processor_filter_seconds"] > 0 and row["filtered_seconds"] > 0 and row.get("filter_seconds", 1) > 0, row
    assert not result.get("tables"), result["tables"]


@test("the suite gpu makes the papers' tables anew from its rows")
def _():
    rows, result, done = bench("gpu", "--device", device(), "--problems", "cone-256,parallel-64", "--kernels",
                               "gl-thumper-8,gl-rabbit-root,gl-slices-1,gl-quarters-1,gl-quarters-4,gl-wide-2,gl-columns,gl-hybrid-2,gl-unrolled,gl-unrolled-2")
    cells = result["tables"]
    of = lambda row: next(r for r in rows if all(r[key] == row[key] for key in ("problem", "kernel", "interpolation", "precision")))
    for cell in cells:
        assert cell["gups"] == of(cell)["gups"] and cell["card_gups"] == of(cell).get("card_gups"), cell
    found = {(cell["table"], cell["kernel"], cell["interpolation"], cell["precision"]): cell for cell in cells}
    assert found["Thumper", "gl-thumper-8", "linear", "float32"]["published_gups"] == 68.7
    assert found["RapidRabbit", "gl-rabbit-root", "linear", "float32"]["published_gups"] == 65.9
    assert found["Table 13", "gl-quarters-4", "nearest", "float16"]["published_gups"] == 1396
    assert found["Table 20", "gl-wide-2", "nearest", "float32"]["published_gups"] == 1328
    assert found["Table 20", "gl-columns", "linear", "float32"]["slices"] == 1
    assert found["Table 23", "gl-hybrid-2", "linear", "float32"]["published_gups"] == 995
    assert found["Table 24", "gl-wide-2", "oversampled", "float16"]["slices"] == 2
    # gl-unrolled is a kernel for any beam; gl-unrolled-2 is the table's, of two slices.
    assert not any(cell["kernel"] == "gl-unrolled" for cell in cells if cell["table"] in ("Table 20", "Table 24")), cells
    assert found["Table 20", "gl-unrolled-2", "linear", "float32"]["slices"] == 2
    assert {cell["problem"] for cell in cells if cell["table"] == "Thumper"} == {"cone-256"}
    assert found["Fig. 21", "gl-slices-1", "linear", "float32"]["speedup"] == 1
    rate = lambda kernel: of({"kernel": kernel, "problem": "parallel-64", "interpolation": "nearest", "precision": "float32"}).get("card_gups")
    if rate("gl-slices-1"):
        assert math.isclose(found["Fig. 21", "gl-wide-2", "nearest", "float32"]["speedup"], rate("gl-wide-2") / rate("gl-slices-1"), rel_tol=1e-9)
    lines = done.stdout.split("\n")
    assert any(line.startswith("Thumper's tests and RapidRabbit's steps on cone-256;") for line in lines), lines
    at_13 = next(n for n, line in enumerate(lines) if line.startswith("Table 13 of"))
    assert lines[at_13 + 6].startswith("| gl-quarters | linear | float32 | "), lines[at_13:at_13 + 8]
    assert any(line.startswith("| published, Titan X (Pascal) | linear | 4 slices: half precision | 389 | 726 |  |") for line in lines)
    for line in lines:
        if line.startswith("| gl-wide | nearest | float32 |"):
            assert line.count("|") == 7 and line.split("|")[4].strip() == "" and " / " in line.split("|")[5], line


@test("the suite limits draws rates over the length of a vector")
def _():
    rows, _, _ = bench("limits", "--curve", "--problems", "cone-256", "--kernels", "voxel-loop,chen-transpose", "--picture", at("curve.svg"))
    points = [row for row in rows if row["problem"] == "curve"]
    assert {row["kernel"] for row in points} == {"read", "write", "update"} and all(row["rate"] > 0 for row in points), points
    assert len(points) == 3 * 31 and points[0]["bytes"] == 4096 and points[-1]["bytes"] == 128 << 20, points[-1]
    marks = {row["kernel"]: row for row in rows if row["problem"] == "cone-256"}
    assert marks["a line of voxels"]["bytes"] == 4 * 8 and marks["chen-transpose"]["rate"] > 0, marks
    with open(at("curve.svg"), encoding="utf-8") as file:
        assert "a projection" in file.read()
    fails("bench", "gpu", "--curve", status=2, words="--curve goes with the suite limits")
    fails("bench", "limits", "--picture", at("no.svg"), status=2, words="--picture goes with --curve")


@test("what the processor counts is told an update, and what it does not with the reason")
def _():
    events = {"instructions_per_update": "instructions", "cycles_per_update": "cycles", "cache_miss_bytes": "cache misses",
              "l1_miss_bytes": "L1 read misses", "last_miss_bytes": "last cache's read misses"}
    rows, result, done = bench("ladder", "--counters", "--problems", "cone-256", "--kernels",
                               "voxel-loop,serial-loop,slabs,slabs-two-views")
    refused = result["machine"]["not_counted"]
    for row in rows:
        for key, event in events.items():
            assert (row[key] is None) == (event in refused) and (row[key] is None or row[key] >= 0), (row, refused)
        assert row["processor_seconds"] >= 0 and row["page_faults"] >= 0 and row["context_switches"] >= 0, row
    by = {row["kernel"]: row for row in rows}
    assert by["slabs"]["source_bytes"] == 24 and by["slabs-two-views"]["source_bytes"] == 20, by
    assert math.isclose(by["slabs"]["serial_speedup"], by["slabs"]["gups"] / by["serial-loop"]["gups"], rel_tol=1e-9), by
    assert "x serial-loop" in by["slabs"]["remarks"] and "x serial-loop" not in by["voxel-loop"]["remarks"], by
    table = done.stdout.split("Counted in the timed runs", 1)[1].split("\n")
    assert sum(line.startswith("| cone-256 | ") for line in table) == len(rows), table
    assert all(event in done.stdout and reason in done.stdout for event, reason in refused.items()), refused
    fails("bench", "limits", "--counters", status=2, words="--counters goes with the suites ladder")


@test("the suite chen stands beside the stored rates of RTK, on whole problems")
def _():
    _, result, done = bench("chen", "--problems", "P1", "--kernels", "voxel-loop")
    assert "with --size there are no ratios" in done.stdout and "tables" not in result, result.get("tables")
    path = at("rtk.json")
    done = run("bench", "chen", "--problems", "P1", "--kernels", "voxel-loop", "--repeat", 1, "--limit", 0.05,
               "--threads", 2, "-q", "--json", path)
    with open(path) as file:
        result = json.load(file)
    (row,), (line,) = result["rows"], result["tables"]
    assert line["rtk_gups"] == 0.54 and line["rtk_machine"] == "Zen 5" and line["rtk_threads"] == 2, line
    assert math.isclose(line["speedup"], row["gups"] / 0.54, rel_tol=1e-9) and line["speedup_by_loop"] is None, line
    assert "measured in 2026" in done.stdout, done.stdout


@test("the suite gpu shows what bounds a kernel")
def _():
    rows, _, _ = bench("gpu", "--device", device(), "--diagnose", "--problems", "cone-256,parallel-64", "--kernels",
                       "gl-thumper-5,gl-differences", "--picture", at("bars.svg"))
    assert [(row["problem"], row["kernel"]) for row in rows] == [
        ("cone-256", "gl-thumper-5"), ("parallel-64", "gl-thumper-5"), ("parallel-64", "gl-differences")], rows
    for row in rows:
        assert all(row[f"{part}_seconds"] > 0 for part in ("instructions", "memory", "texture", "whole")), row
        assert row["whole_seconds"] == row["seconds"] and f" is {row['mostly']}" in row["remarks"], row
    with open(at("bars.svg"), encoding="utf-8") as file:
        text = file.read()
    assert ">gl-thumper-5, cone-256</text>" in text and ">gl-thumper-5, parallel-64</text>" in text and "misses (whole)" in text, text
    fails("bench", "gpu", "--picture", at("no.svg"), status=2, words="--picture goes with --diagnose")
    fails("bench", "ladder", "--diagnose", status=2, words="--diagnose goes with the suite gpu")


@test("the suite gpu turns knobs by hand")
def _():
    name = device()
    rows, _, _ = bench("gpu", "--device", name, "--problems", "cone-256,parallel-64",
                       "--knobs", "views=8,voxels=2,block=8x4,sync=yes,texture_share=3,slices=2,area=32")
    check_errors([row for row in rows if row["interpolation"] == "linear"])
    settings = {row["kernel"]: row["setting"] for row in rows if "setting" in row}
    assert settings["gl-tuned"].startswith("views 8, voxels 2, block_x 8, block_y 4, "), settings
    assert settings["gl-tuned-parallel"].startswith("slices 2, texture_share 3, area 32, "), settings
    assert {row["kernel"] for row in rows} == {"voxel-loop", "gl-tuned", "gl-tuned-parallel"}
    assert any(row["remarks"].startswith("views=8,voxels=2,") for row in rows)
    # A buffer holds single precision: right in it, and refused for half.
    rows, result, _ = bench("gpu", "--device", name, "--problems", "cone-256", "--kernels", "gl-tuned", "--knobs", "texture=no")
    check_errors([row for row in rows if row["interpolation"] == "linear"])
    assert {row["precision"] for row in rows if row["kernel"] == "gl-tuned"} == {"float32"}, rows
    assert any("Half precision is kept in textures" in skip["reason"] for skip in result["skipped"]), result["skipped"]
    gpu = ["bench", "gpu", "--device", name]
    fails(*gpu, "--knobs", "views=99", status=2, words="The knob views takes 1 to 64, not “99”.")
    assert "unroll (1, 2 or 4)" in " ".join(run("bench", "gpu", "--knobs", "help=yes").stdout.split())
    fails("bench", "ladder", "--knobs", "views=4", status=2, words="--knobs goes with the suite gpu")


@test("the suite gpu shows what short cuts do to a slice, with profiles")
def _():
    name = device()
    rows, result, _ = bench("gpu", "--device", name, "--problems", "quality", "--size", 128, "--csv-profile", at("profile.csv"))
    assert result["machine"]["device"] == name and not result["skipped"], result
    ways = {row["quality"]: row for row in rows}
    assert list(ways) == ["linear", "texture", "half", "half-processor", "nearest", "oversampled"], list(ways)
    assert ways["texture"]["rel_rmse"] < 2e-3, rows
    # A rounded sample is 2^-12 of itself off at most, on the card as on the processor; 4 samples a bin are between nearest
    # neighbour and linear.
    assert 1e-5 < ways["half"]["rel_rmse"] < 1.2 * ways["half-processor"]["rel_rmse"] < 3e-4, rows
    assert all(row["size"] == 128 for row in rows), rows
    assert ways["oversampled"]["rel_rmse"] < ways["nearest"]["rel_rmse"] / 2 < 0.1, rows
    assert ways["linear"]["rmse_to_phantom"] < ways["nearest"]["rmse_to_phantom"], rows
    with open(at("profile.csv"), newline="") as file:
        lines = list(csv.DictReader(file))
    assert len(lines) == 128 and list(lines[0])[:3] == ["problem", "y_mm", "phantom"], lines[0]
    for way in ways.values():
        largest = max(abs(float(line[way["quality"]]) - float(line["linear"])) for line in lines)
        assert largest <= way["largest_difference"] * 1.0001, (way, largest)
    fails("bench", "ladder", "--csv-profile", at("x.csv"), status=2, words="--csv-profile goes with the suites gpu and iterative")


@test("--quiet says nothing on stderr, --cpu-time is stated")
def _():
    _, result, done = bench("ladder", "--kernels", "voxel-loop", "-q", "--cpu-time")
    assert done.stderr == "" and result["machine"]["clock"] == "processor time per thread"


@test("a kernel asked for by name that refuses is told, also with --quiet, and an error where nothing was measured of it")
def _():
    path = at("refused.json")
    done = run("bench", "ladder", *TINY, "--problems", "cone-tilt", "--kernels", "voxel-loop,chen-share", "-q", "--json", path, status=1)
    assert "bench: cone-tilt, chen-share is skipped: Chen's kernels need" in done.stderr, done.stderr
    assert 'gantry-cli: Nothing was measured of kernel "chen-share": Chen\'s kernels need' in done.stderr, done.stderr
    with open(path) as file:
        assert [row["kernel"] for row in json.load(file)["rows"]] == ["voxel-loop"], "what was measured is kept"
    done = run("bench", "ladder", *TINY, "--problems", "cone-tilt,cone-256", "--kernels", "chen-share", "-q")
    assert "cone-tilt, chen-share is skipped" in done.stderr and "cone-256" not in done.stderr, done.stderr


@test("wrong usage is refused with a message")
def _():
    fails("bench", status=2, words="a suite is needed")
    fails("bench", "fast", status=2, words='no suite "fast"; there are ladder, ')
    fails("bench", "ladder", "--kernels", "voxel-loop,none", status=2, words='no kernel "none"')
    fails("bench", "ladder", "--json", at("x"), "--csv", at("x"), status=2, words="two outputs")
    fails("bench", "ladder", "more", status=2, words="one word too many")
    fails("bench", "ladder", "--repeat", "0", status=2, words="--repeat must be a whole number")
    fails("bench", "ladder", "--write", at("x.rctd"), status=2, words="--write goes with")
    fails("bench", "rabbitct", "--references", "64", status=2, words="--references must be")
    fails("bench", "ladder", "--json", at("none/x.json"), status=1, words="none/x.json")
    assert "P1 to P10" in run("bench", "--help").stdout


@test("an unknown problem is refused by every suite, with those that it has")
def _():
    known = {"ladder": "cone-512", "auto": "cone-512", "chen": "P1", "parallel": "cone-512", "rabbitct": "128", "pipeline": "fdk-512",
             "limits": "cone-512", "roofline": "cone-512", "iterative": "fan-512-720", "fourier": "slices-256"}
    more = {"gpu": []}
    try:
        more["gpu"] = ["--device", device()]
        known["gpu"] = "cone-512"
    except Skip:
        pass
    for suite, name in known.items():
        for names, unknown in (("P99", "P99"), (f"{name},P99", "P99"), (f"{name},", "")):
            fails("bench", suite, *more.get(suite, []), "--problems", names, status=1,
                  words=f'The suite {suite} has no problem "{unknown}"; there are: {name}, ')
    # Of another suite, and of another part.
    fails("bench", "ladder", "--problems", "cone-512,P1", status=1, words='no problem "P1"')
    fails("bench", "iterative", "--part", "pairs,pictures", "--problems", "fan-512", status=1,
          words='no problem in these parts "fan-512"; there are: fan-1024-720, cone-64, cone-64x32, cone-128, all.')
    fails("bench", "iterative", "--part", "sizes,magic", status=1, words='no part "magic"; there are: sizes, memory')


@test("a problem keeps the parts of iterative that do not have it from running")
def _():
    path = at("parts.json")
    run("bench", "iterative", "--problems", "cone-64x32,fan-2048-360", "--size", 8, "--threads", 1, "-q", "--json", path)
    with open(path) as file:
        rows = json.load(file)["rows"]
    assert {(row["part"], row["problem"]) for row in rows} == {("sizes", "fan-2048-360"), ("pairs", "cone-64x32")}, rows
    text = run("bench", "--help").stdout
    assert "  pairs        cone-64, cone-64x32, cone-128" in text.split("\n"), text


@test("times to convergence are of the projectors that are named, auto among them")
def _():
    for names, methods in (("auto", ["art", "art", "art-global", "art-view", "sart", "sirt"]), ("csr-merge", ["art", "art-global"])):
        run("bench", "iterative", "--part", "time", "--problems", "fan-256-180", "--size", 16, "--threads", 2, "--kernels", names, "-q", "--json", at("time.json"))
        with open(at("time.json")) as file:
            assert [row["method"] for row in json.load(file)["rows"]] == methods
    fails("bench", "iterative", "--kernels", "auto,abacus", status=2, words='no projector "abacus"')
    fails("bench", "ladder", "--kernels", "auto", status=2, words='no kernel "auto"')


@test("a suite that comes to nothing leaves an earlier file")
def _():
    with open(at("earlier.json"), "w") as file:
        file.write("earlier")
    for suite in ("ladder", "pipeline", "limits"):
        fails("bench", suite, "--problems", "P99", "--json", at("earlier.json"), status=1, words="P99")
    with open(at("earlier.json")) as file:
        assert file.read() == "earlier"


@test("an interrupt keeps what was measured")
def _():
    path = at("stopped.json")
    process = subprocess.Popen([PROGRAM, "bench", "chen", "--size", "64", "--json", path], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while not process.stdout.readline().startswith("| P"):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 1 and "interrupted;" in words, (process.returncode, words[-300:])
    with open(path) as file:
        assert json.load(file)["rows"]


sys.exit(main())
