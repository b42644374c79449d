#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives gantry-cli bench on tiny problems: files, data sets, options, what is refused. test-bench.py PROGRAM. Speaks TAP. Nothing here
depends on any speed."""

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

from bench_driver import bench, device, fails, TINY
from cli_driver import at, main, PROGRAM, run, Skip, test


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
