#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The errors that gantry-cli compare tells, against numpy. test-cli-compare.py PROGRAM. Speaks TAP."""

import csv
import os
import sys

from cli_driver import at, fails, main, read_json, run, Skip, test

try:
    import numpy as np
except ImportError:
    np = None

SIZE = (31, 26, 9)


def write_mha(name, values, spacing=(1, 1, 1), origin=(0, 0, 0)):
    """float32 [z][y][x] as MetaImage."""
    nz, ny, nx = values.shape
    head = (f"ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
            f"Offset = {' '.join(map(repr, origin))}\nElementSpacing = {' '.join(map(repr, spacing))}\n"
            f"DimSize = {nx} {ny} {nz}\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n")
    with open(at(name), "wb") as file:
        file.write(head.encode() + values.astype("<f4").tobytes())
    return at(name)


def volumes():
    """Two volumes with errors of many sizes, and values that are no numbers."""
    if np is None:
        raise Skip("there is no numpy")
    random = np.random.default_rng(3)
    nx, ny, nz = SIZE
    b = random.uniform(-1, 2, (nz, ny, nx)).astype(np.float32)
    a = (b + 0.003 + random.normal(0, 0.05, b.shape) * 10 ** -random.uniform(0, 6, b.shape)).astype(np.float32)
    a[2, 3, 4], a[5, 5, 5], b[0, 0, 0], b[8, 1, 2] = np.nan, -np.inf, np.inf, 1e-41
    a[4, :, 7] = 7.5  # 26 values at the upper end: clipped
    return a, b, write_mha("a.mha", a), write_mha("b.mha", b)


def near(told, expected, share=1e-12):
    assert abs(told - expected) <= share * abs(expected) + 1e-18, f"{told!r} is not {expected!r}"


def check(told, a, b, begin=(0, 0, 0)):
    """All numbers of the errors against numpy's; arrays [z][y][x] whose first voxel is begin (x, y, z) of the volume."""
    good = np.isfinite(a) & np.isfinite(b)
    e = np.where(good, a.astype(float) - b.astype(float), 0)
    errors, values = e[good], b[good].astype(float)
    near(told["mae"], np.abs(errors).mean())
    near(told["bias"], errors.mean(), 1e-11)
    near(told["deviation"], errors.std())
    near(told["rmse"], np.sqrt((errors ** 2).mean()))
    near(told["relative_rmse"], np.sqrt((errors ** 2).sum() / (values ** 2).sum()))
    near(told["max_abs"], np.abs(errors).max())
    near(told["pearson_r"], np.corrcoef(a[good].astype(float), values)[0, 1], 1e-11)
    slope, intercept = np.polyfit(values, a[good].astype(float), 1)
    near(told["slope"], slope, 1e-10)
    near(told["intercept"], intercept, 1e-8)
    assert told["count"] == good.sum()
    for share, value in told["percentiles"].items():
        near(value, np.percentile(np.abs(errors), float(share)), 1e-7)
    for k, rmse in enumerate(told["slices"]["rmse"]):
        near(rmse, np.sqrt((e[k][good[k]] ** 2).mean()))
    assert told["slices"]["first"] == begin[2] and len(told["slices"]["ssim"]) == len(a)
    largest = told["errors"]["range"]
    expected, _ = np.histogram(errors, 201, (-largest, largest))
    assert abs(np.array(told["errors"]["count"]) - expected).sum() <= 2  # on the edge between two bins
    absolute = told["absolute_errors"]
    near(absolute["edges"][-1], np.abs(errors).max())
    for edge, below in zip(absolute["edges"][:-1], absolute["share_below"]):
        near(below, (np.abs(errors) < edge).mean())
    assert sum(absolute["count"]) + absolute["smaller"] == good.sum() and absolute["zeros"] == (errors == 0).sum()
    by_value = told["errors_by_value"]
    bins = np.clip(((values - values.min()) / np.ptp(values) * 100).astype(int), 0, 99)
    for k in range(100):
        assert by_value["count"][k] == (bins == k).sum()
        if (bins == k).any():
            near(by_value["mean"][k], errors[bins == k].mean(), 1e-9)
            near(by_value["deviation"][k], errors[bins == k].std(), 1e-9)
    left, worst = np.abs(e), []
    while left.max() > 0 and len(worst) < 10:
        z, y, x = np.unravel_index(np.argmax(left), left.shape)
        worst.append([x + begin[0], y + begin[1], z + begin[2]])
        left[max(z - 4, 0):z + 5, max(y - 4, 0):y + 5, max(x - 4, 0):x + 5] = 0
    assert [w["at"] for w in told["worst"]] == worst
    assert told["worst"][0]["at"] == told["max_at"]


@test("the errors of a volume are numpy's")
def _():
    a, b, name_a, name_b = volumes()
    told = read_json("compare", "--json", "-q", name_a, name_b)
    check(told, a, b)
    assert told["region"] == [[0, SIZE[0]], [0, SIZE[1]], [0, SIZE[2]]] and told["resampled"] is False
    of_a, of_b = told["counts"]["a"], told["counts"]["b"]
    assert of_a["nan"] == 1 and of_a["minus_infinity"] == 1 and of_a["clipped"] == 26 and of_a["high"] == 7.5
    assert of_b["plus_infinity"] == 1 and of_b["subnormal"] == 1 and of_b["clipped"] == 0 and of_b["nan"] == 0


@test("the errors of a slice and of a region are numpy's")
def _():
    a, b, name_a, name_b = volumes()
    check(read_json("compare", "--json", "--slice", "axial:4", name_a, name_b), a[4:5], b[4:5], (0, 0, 4))
    check(read_json("compare", "--json", "--slice", "y:mid", name_a, name_b), a[:, 13:14], b[:, 13:14], (0, 13, 0))
    told = read_json("compare", "--json", "--region", "3:20,:,2:", name_a, name_b)
    assert told["region"] == [[3, 20], [0, 26], [2, 9]]
    check(told, a[2:, :, 3:20], b[2:, :, 3:20], (3, 0, 2))
    words = run("compare", "--region", "3:20,5,:", name_a, name_b).stdout
    assert words.startswith("in          x 3:20, y 5:6, z 0:9 of A\n")
    fails("compare", "--region", "3:40,:,:", "-q", name_a, name_b, status=1, words=["3:40 along x", "0:31"])
    fails("compare", "--slice", "axial:9", "-q", name_a, name_b, status=1, words="0..8")
    for wrong in ("3:4", "a:b,:,:", "1:2,3:4,5:6,7:8", "1;2,:,:", "-3:4,:,:"):
        fails("compare", "--region", wrong, name_a, name_b, status=2, words="--region")
    fails("compare", "--region", ":,:,:", "--slice", "z:1", name_a, name_b, status=2, words="contradict")


@test("words and table tell the same numbers")
def _():
    a, b, name_a, name_b = volumes()
    told = read_json("compare", "--json", "--csv", at("errors.csv"), name_a, name_b)
    words = run("compare", "--errors", name_a, name_b).stdout
    for line in ("MAE  ", "bias  ", "99.9 % of the voxels within", "worst  ", "slices      RMSE from", "in A        1 NaN, 1 -Inf, 26 clipped",
                 "in B        1 +Inf, 1 subnormal"):
        assert line in words, f"{line!r} is not in {words}"
    assert "MAE" not in run("compare", name_a, name_b).stdout
    with open(at("errors.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    of = {kind: [row for row in rows if row["table"] == kind] for kind in ("error", "absolute", "value", "slice")}
    assert [int(row["count"]) for row in of["error"]] == told["errors"]["count"]
    near(float(of["error"][0]["low"]), -told["errors"]["range"], 1e-8)
    near(float(of["error"][-1]["high"]), told["errors"]["range"], 1e-8)
    assert [int(row["count"]) for row in of["absolute"]][1:] == told["absolute_errors"]["count"]
    assert [int(row["count"]) for row in of["value"]] == told["errors_by_value"]["count"]
    for row, rmse, ssim in zip(of["slice"], told["slices"]["rmse"], told["slices"]["ssim"]):
        near(float(row["rmse"]), rmse, 1e-8)
        near(float(row["ssim"]), ssim, 1e-8)
    assert len(of["slice"]) == SIZE[2] and sum(map(len, of.values())) == len(rows)
    fails("compare", "--csv", at("gone/errors.csv"), "-q", name_a, name_b, status=1, words="gone")


@test("a volume on another grid is resampled onto the first one's voxels, and that is told")
def _():
    _ = volumes()
    z, y, x = np.mgrid[0:9, 0:26, 0:31].astype(float)
    plane = lambda x, y, z: 0.3 + 0.02 * x - 0.01 * y + 0.05 * z  # trilinear interpolation keeps it
    first = write_mha("fine.mha", plane(0.5 * x - 4, 0.5 * y - 3, 0.5 * z + 1), (0.5, 0.5, 0.5), (-4, -3, 1))
    z, y, x = np.mgrid[0:6, 0:12, 0:14].astype(float)
    second = write_mha("coarse.mha", plane(1.25 * x - 4, 1.25 * y - 3, z + 1), (1.25, 1.25, 1.0), (-4, -3, 1))
    done = run("compare", "--json", first, second)
    assert "B was resampled onto A's (trilinear)" in done.stderr and "lie outside" not in done.stderr
    told = read_json("compare", "--json", "-q", first, second)
    assert told["resampled"] is True and told["max_abs"] < 1e-6 and told["count"] == 31 * 26 * 9
    # Of a region what lies around it in B is read alone.
    told = read_json("compare", "--json", "-q", "--region", "7:20,5:17,2:6", first, second)
    assert told["resampled"] is True and told["max_abs"] < 1e-6 and told["count"] == 13 * 12 * 4
    # The other way about most of A lies outside.
    done = run("compare", second, first, "-q")
    assert "voxels of A lie outside B and are left out" in done.stderr, done.stderr
    fails("compare", "--same-grid", "-q", first, second, status=1, words="cannot be compared voxel by voxel")
    # A file that tells nothing of its voxels; a MetaImage with the same numbers does.
    untold = os.path.join(os.path.dirname(first), "untold.npy")
    np.save(untold, np.ones((3, 3, 3), "f4"))
    told = read_json("info", "--json", untold)
    assert (told["length_unit"], told["value_unit"], told["value_unit_told"]) == ("px", "1/px", False), told
    assert "assumed      values in 1/px" in run("info", untold).stdout
    assert "mm" not in run("info", untold).stdout
    fails("compare", "-q", first, untold, status=1, words="do not both say where")
    untold = write_mha("told.mha", np.ones((3, 3, 3)), (1.0, 1.0, 1.0), (-1.0, -1.0, -1.0))
    assert read_json("compare", "--json", "-q", first, untold)["resampled"] is True
    moved = write_mha("moved.mha", np.ones((3, 3, 3)), (1.0, 1.0, 1.0), (50.0, -1.0, -1.0))
    fails("compare", "-q", first, moved, status=1, words="No voxel of A lies in B")
    assert read_json("compare", "--json", "-q", "--same-grid", untold, moved)["max_abs"] == 0


sys.exit(main())
