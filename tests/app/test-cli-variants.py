#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli variants: the table against what reconstruct and compare give. test-cli-variants.py PROGRAM. Speaks TAP."""

import csv
import json
import os
import resource
import signal
import subprocess
import sys
import xml.dom.minidom

from cli_driver import at, fails, main, PROGRAM, read_json, run, small_scan, test


def scan():
    """A parallel scan: kernels for halves there are."""
    return small_scan("parallel.h5", "--geometry", "parallel")


@test("a grid of plans is a table of what reconstruct and compare give one by one")
def _():
    done = run("variants", scan(), "-q", "--vary", "interpolation=nearest,linear", "--vary", "precision=float32,float16", "--json",
               "-o", at("table.csv"), "--picture", at("table.svg"), "--keep", at("kept"), "--set", "window=hann")
    table = json.loads(done.stdout)
    assert table["axes"] == ["reconstruction.interpolation", "reconstruction.precision"] and "textbook" in table["reference"]
    rows = table["rows"]
    assert [row["name"] for row in rows] == ["nearest, single", "nearest, half", "linear, single", "linear, half"]
    run("reconstruct", scan(), "-q", "--set", "kernel=textbook", "--set", "precision=float64", "--set", "window=hann", "-o", at("truth.mha"))
    for row, (interpolation, precision) in zip(rows, [(i, p) for i in ("nearest", "linear") for p in ("float32", "float16")]):
        assert row["state"] == "done" and row["seconds"] > 0 and row["gups"] > 0 and row["backprojection"] <= row["seconds"] * 1.01
        run("reconstruct", scan(), "-q", "--set", f"interpolation={interpolation}", "--set", f"precision={precision}", "--set",
            "window=hann", "-o", at("one.mha"))
        told = read_json("compare", "--json", "-q", at("one.mha"), at("truth.mha"))
        for key in ("rmse", "relative_rmse", "max_abs", "ssim", "psnr"):
            assert abs(row[key] - told[key]) <= 1e-4 * abs(told[key]), (row["name"], key, row[key], told[key])
        assert row["plan"]["filter.window"] == "hann"
    assert rows[0]["rmse"] > 10 * rows[2]["rmse"] and rows[3]["rmse"] > 10 * rows[2]["rmse"]
    with open(at("table.csv"), newline="") as file:
        lines = [line for line in file if not line.startswith("#")]
    for row, line in zip(rows, csv.DictReader(lines)):
        assert line["name"] == row["name"] and abs(float(line["rmse"]) / row["rmse"] - 1) < 1e-6 and line["reason"] == ""
    kept = sorted(os.listdir(at("kept")))
    assert kept == ["01 nearest, single.mha", "02 nearest, half.mha", "03 linear, single.mha", "04 linear, half.mha"]
    assert read_json("compare", "--json", os.path.join(at("kept"), kept[3]), at("one.mha"))["max_abs"] < 1e-6
    picture = xml.dom.minidom.parse(at("table.svg"))
    assert len(picture.getElementsByTagName("circle")) == 4


@test("one that fails is a row with the reason, the others are run, and the status is 1")
def _():
    done = run("variants", scan(), "-q", "--json", "--slice", "axial:mid", "--vary", "kernel=textbook,serial-loop", "--vary",
               "interpolation=cubic,linear", "--sort", "-seconds", status=1)
    rows = json.loads(done.stdout)["rows"]
    state = {row["name"]: row for row in rows}
    bad = state["serial-loop, cubic"]
    assert bad["state"] == "failed" and "Cubic" in bad["reason"] and bad["rmse"] is None
    good = state["textbook, linear"]
    assert good["state"] == "done" and good["relative_rmse"] < 1e-6 and good["kernel"] == "textbook"
    assert state["serial-loop, linear"]["state"] == "done"
    times = [row["seconds"] for row in rows if row["seconds"] is not None]
    assert times == sorted(times, reverse=True) and rows[-1]["seconds"] is None


@test("a slice is that of the volume, the centre that of the first")
def _():
    run("variants", scan(), "-q", "--slice", "axial:7", "--vary", "interpolation=linear,nearest", "--keep", at("slices"))
    run("reconstruct", scan(), "-q", "--set", "interpolation=nearest", "--slice", "axial:7", "-o", at("seven.mha"))
    told = read_json("compare", "--json", "--same-grid", os.path.join(at("slices"), "02 nearest.mha"), at("seven.mha"))
    assert told["relative_rmse"] < 1e-5, told
    words = run("variants", scan(), "-q", "--slice", "axial:7", "--vary", "rings=none,sorting", "--set", "centre.method=correlation").stdout
    assert words.startswith("centre at column "), words
    moved = json.loads(run("variants", scan(), "-q", "--json", "--vary", "centre.column=20,23.5").stdout)
    assert "centre" not in moved["frozen"] and [row["name"] for row in moved["rows"]] == ["centre 20 px", "centre 23.5 px"]


@test("references: the first, a plan, a volume, one on another grid")
def _():
    rows = json.loads(run("variants", scan(), "-q", "--json", "--vary", "window=hann,cosine", "--reference", "first").stdout)["rows"]
    assert rows[0]["rmse"] == 0 and rows[1]["rmse"] > 0
    rows = json.loads(run("variants", scan(), "-q", "--json", "--vary", "window=hann,cosine", "--reference", "window=cosine").stdout)["rows"]
    assert rows[1]["rmse"] == 0 and rows[0]["rmse"] > 0
    scan()
    truth = at("parallel.h5.truth.mha")
    rows = json.loads(run("variants", scan(), "-q", "--json", "--vary", "window=hann,cosine", "--reference", truth).stdout)["rows"]
    assert all(row["rmse"] > 0 and not row["resampled"] for row in rows)
    rows = json.loads(run("variants", scan(), "-q", "--json", "--vary", "nx=48,40", "--reference", truth).stdout)["rows"]
    assert [row["resampled"] for row in rows] == [False, True] and 0.2 < rows[1]["rmse"] / rows[0]["rmse"] < 5, rows


@test("combinations that make the same are run once; wrong ones are told before anything is run")
def _():
    rows = json.loads(run("variants", scan(), "-q", "--json", "--slice", "axial:3", "--vary", "method=fbp,sirt", "--vary",
                          "iterations=2,3").stdout)["rows"]
    assert [row["name"] for row in rows] == ["direct", "SIRT 2", "SIRT 3"] and rows[1]["gups"] is None
    for arguments, words in [
        (["--vary", "interpolation=nearest,blurred"], ["blurred", "linear"]),
        (["--vary", "potato=1,2"], "potato"),
        (["--vary", "interpolation"], "KEY=A,B,C"),
        (["--vary", "interpolation=linear", "--vary", "interpolation=linear,nearest", "--vary", "reconstruction.interpolation=nearest"], "varies already"),
        (["--vary", "output.format=tiff,nrrd"], "file alone"),
        (["--vary", "nx=" + ",".join(map(str, range(1, 200))), "--vary", "ny=" + ",".join(map(str, range(1, 200)))], "more than 1000"),
        (["--reference", "potato"], "potato"),
        (["--sort", "potato"], "backprojection"),
        (["-o", at("table.xls")], ".csv, .json or .md"),
        (["--slice", "axial"], "AXIS:INDEX"),
    ]:
        fails("variants", scan(), *arguments, status=2, words=words)
    fails("variants", scan(), "-q", "--vary", "kernel=auto,potato", status=1, words="potato")
    fails("variants", scan(), "-q", "--slice", "axial:900", status=1, words="900")
    fails("variants", scan(), "-q", "-o", at("gone/table.csv"), status=1, words="gone")


@test("a table that the disk has no room for is told, and leaves nothing behind")
def _():
    def small_disk():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    for name in ("full.md", "full.csv", "full.json"):
        done = subprocess.run([PROGRAM, "variants", scan(), "-q", "--slice", "axial:3", "--vary", "window=hann,cosine", "-o", at(name)],
                              preexec_fn=small_disk, capture_output=True, text=True, timeout=200)
        words = done.stderr.splitlines()
        assert done.returncode == 1 and len(words) == 1 and f"Cannot write {at(name)}" in words[0], (done.returncode, done.stderr)
        left = [left for left in os.listdir(at(".")) if "full" in left or left.startswith(".gantry")]
        assert not left, left


@test("an interrupt keeps the table of what was done")
def _():
    process = subprocess.Popen([PROGRAM, "variants", scan(), "--vary", "kernel=auto,textbook", "--vary", "batch=" + ",".join(map(str, range(1, 200))),
                                "--reference", "kernel=auto", "-o", at("cut.csv")],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seen = ""
    while "3 of 398" not in seen:
        line = process.stderr.readline()
        assert line, f"ended by itself: {seen}"
        seen += line
    process.send_signal(signal.SIGINT)
    words, rest = process.communicate(timeout=100)
    assert process.returncode == 1 and "interrupted; the table holds what was done" in rest, rest
    with open(at("cut.csv"), newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    done = [row for row in rows if row["state"] == "done"]
    assert len(rows) == 398 and 2 <= len(done) < 398 and all(float(row["rmse"]) < 1e-6 for row in done), len(done)
    assert "not run" in words and "batch 1" in words


sys.exit(main())
