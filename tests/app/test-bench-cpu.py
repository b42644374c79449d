#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The suites of gantry-cli bench that measure kernels of the processor, on tiny problems. test-bench-cpu.py PROGRAM. Speaks TAP."""

import json
import math
import sys

from bench_driver import bench, check_errors, device, fails, kernels
from cli_driver import at, main, run, test


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


sys.exit(main())
