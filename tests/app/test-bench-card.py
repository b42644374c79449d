#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The suite gpu of gantry-cli bench, on a device drawn in software. test-bench-card.py PROGRAM. Speaks TAP."""

import csv
import math
import sys

from bench_driver import bench, check_errors, device, fails
from cli_driver import at, main, run, Skip, test


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


sys.exit(main())
