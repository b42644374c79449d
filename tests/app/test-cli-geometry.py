#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli on scans whose geometry is told in more than one place. test-cli-geometry.py PROGRAM. Speaks TAP; needs nothing beyond Python itself."""

import array
import json
import os
import struct
import sys

from cli_driver import at, fails, main, read_json, run, test


def describe(path, **keys):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(keys, file)


@test("a curved detector gives the volume of a flat one, as a fan and as a spiral by either method")
def _():
    short = ["simulate", "shepp-logan-3d", "--sod", 300, "--sdd", 550, "--radius", 80, "--sub", 3, "-q"]
    for name, size, bound, more in [("fan", (64, 1), 4e-4, ["-g", "fan", "--detector", "192x1", "--views", 120, "--pixel", 2, "--offset-u", 3.25]),
                                    ("spiral", (40, 8), 4e-4, ["-g", "cone", "--detector", "88x20", "--views", 72, "--pixel", 4, "--feed", 30]),
                                    ("katsevich", (40, 8), 4e-4, ["-g", "cone", "--detector", "88x20", "--views", 180, "--arc", 900, "--pixel", 4, "--feed", 30])]:
        grid = [word for key, n in [("nx", size[0]), ("ny", size[0]), ("nz", size[1]), ("z", 0)] for word in ("--set", f"reconstruction.{key}={n}")]
        if name == "katsevich":
            grid += ["--set", "filter.spiral=katsevich"]
        for shape in ("flat", "curved"):
            run(*short, *more, "--detector-shape", shape, "-o", at(f"{name}-{shape}.h5"))
            run("reconstruct", at(f"{name}-{shape}.h5"), *grid, "--set", "reconstruction.voxel=2.6", "-q", "-o", at(f"{name}-{shape}.mha"))
        result = read_json("compare", "--json", at(f"{name}-curved.mha"), at(f"{name}-flat.mha"))
        assert result["rmse"] < bound, f"{name}: {result}"
        # The file alone tells it, and a description beside that agrees changes nothing; it is flattened once.
        os.makedirs(at("elsewhere"), exist_ok=True)
        os.rename(at(f"{name}-curved.h5"), at(f"elsewhere/{name}.h5"))
        describe(at(f"elsewhere/{name}.scan.json"), detector_shape="curved")
        run("reconstruct", at(f"elsewhere/{name}.h5"), *grid, "--set", "reconstruction.voxel=2.6", "-q", "-o", at("again.mha"))
        result = read_json("compare", "--json", at("again.mha"), at(f"{name}-curved.mha"))
        assert result["rmse"] == 0, f"{name} with a description: {result}"
    assert "interpolated to" in run("info", at("elsewhere/fan.h5")).stdout
    describe(at("elsewhere/fan.scan.json"), detector_shape="flat")
    fails("info", at("elsewhere/fan.h5"), status=1, words='"detector_shape" is flat, but the scan\'s file says that it is curved')
    describe(at("fan-flat.scan.json"), detector_shape="curved")
    fails("info", at("fan-flat.h5"), status=1, words='"detector_shape" is curved, but the scan\'s file says that it is flat')
    # A centre that a description tells is the curved detector's.
    describe(at("elsewhere/fan.scan.json"), centre_u=90.5)
    assert "about column 90.5" in run("info", at("elsewhere/fan.h5")).stdout
    fails(*short, "-g", "parallel", "--detector-shape", "curved", "-o", at("none.h5"), status=2, words="fan and cone")
    fails(*short[:-5], "-g", "fan", "--sdd", 310, "--pixel", 9, "--radius", 50, "--detector-shape", "curved", "-o", at("none.h5"), status=1, words="80 to a side")


@test("angles that were changed beside a scan's own geometry are told, and a description decides")
def _():
    run("simulate", "--geometry", "fan", "--detector", "24x1", "--views", 30, "-q", "-o", at("own.h5"))
    with open(at("own.h5"), "rb") as file:
        content = file.read()
    # Where the angles stand in the file, as doubles or floats.
    kind, place = next((kind, i) for kind in "df" for i in range(0, len(content) - 30 * struct.calcsize(kind), 4)
                       if all(abs(x - 12 * n) < 1e-4 for n, x in enumerate(struct.unpack_from(f"<30{kind}", content, i))))

    def write(angle):
        with open(at("own.h5"), "wb") as file:
            changed = bytearray(content)
            struct.pack_into(f"<{kind}", changed, place + 7 * struct.calcsize(kind), angle)
            file.write(changed)

    write(84 + 360)
    run("info", at("own.h5"), "-q")  # a turn more is the same
    write(84.5)
    for command in ["info", at("own.h5")], ["reconstruct", at("own.h5"), "-q", "-o", at("never.mha")]:
        fails(*command, status=1, words="view 7 stands at 84.5 degrees by /exchange/theta and at 84 degrees by /gantry/geometry")
    describe(at("own.scan.json"), angles_deg={"first": 0, "step": 12})
    run("reconstruct", at("own.h5"), "-q", "-o", at("told.mha"))


@test("pictures that are turned over mirror the volume, also of a tilted detector off its middle")
def _():
    run("simulate", "head", "--sod", 100, "--sdd", 160, "--pixel", 1.6, "--detector", "30x20", "--views", 40, "--tilt", 4, "--offset-u", 1.5, "--offset-v", -1,
        "-q", "-o", at("leaning.h5"))

    def slices(*more):
        run("reconstruct", at("leaning.h5"), "--set", "reconstruction.nx=24", "--set", "kernel=textbook", *more, "-q", "-o", at("leaning.raw"))
        x, y, z = read_json("info", "--json", at("leaning.raw"))["size"]
        with open(at("leaning.raw"), "rb") as file:
            values = array.array("f", file.read())
        return [[list(values[(k * y + j) * x:(k * y + j + 1) * x]) for j in range(y)] for k in range(z)]

    def differ(a, b):
        return max(abs(p - q) for c, d in zip(a, b, strict=True) for e, f in zip(c, d, strict=True) for p, q in zip(e, f, strict=True))

    plain = slices()
    upside_down, aside = ["--set", "scan.flip_rows=yes"], ["--set", "scan.flip_columns=yes", "--set", "geometry.reverse=yes"]
    assert differ(plain, plain[::-1]) > 0.005 and differ(plain, [[row[::-1] for row in k] for k in plain]) > 0.005
    assert differ(slices(*upside_down)[::-1], plain) < 2e-7
    assert differ([[row[::-1] for row in k] for k in slices(*aside)], plain) < 2e-7
    assert differ([[row[::-1] for row in k] for k in slices(*upside_down, *aside)[::-1]], plain) < 2e-7
    # A tilt that the plan tells is that of the pictures as they are turned.
    assert differ(slices(*upside_down, "--set", "geometry.tilt=-4"), slices(*upside_down)) == 0


@test("a sequence is simulated, told and reconstructed, by its file and by a description")
def _():
    cone = ["simulate", "spheres", "-g", "cone", "--detector", "48x12", "--views", 60, "--pixel", 4, "--radius", 40, "-q"]
    run(*cone, "--table-step", 24, "--positions", 3, "-o", at("steps.h5"), "--truth", at("truth.mha"))
    info = read_json("info", "--json", at("steps.h5"))
    assert info["table_step_mm"] == 24 and info["feed_mm"] is None and info["start_z_mm"] == -24, info
    assert "24 mm between 3 positions, each of 60 views" in run("info", at("steps.h5")).stdout
    grid = ["--set", "reconstruction.nx=32", "--set", "reconstruction.voxel=2.5", "-q"]
    run("reconstruct", at("steps.h5"), *grid, "-o", at("steps.mha"))
    describe(at("steps.scan.json"), table_step_mm=24, start_z_mm=-24)
    run("reconstruct", at("steps.h5"), *grid, "-o", at("again.mha"))
    assert read_json("compare", "--json", at("again.mha"), at("steps.mha"))["rmse"] == 0
    # Slices as thick as two rows are smoother along z, and change nothing else.
    run("reconstruct", at("steps.h5"), *grid, "--set", "filter.slice_thickness=5", "-o", at("thick.mha"))
    assert 0 < read_json("compare", "--json", at("thick.mha"), at("steps.mha"))["rmse"] < 2e-3
    run(*cone, "--table-step", 24, "-o", at("auto.h5"))
    assert "between 2 positions" in run("info", at("auto.h5")).stdout
    fails(*cone, "--table-step", 24, "--feed", 3, "-o", at("none.h5"), status=1, words="take one of them")
    fails(*cone, "--table-step", 24, "--arc", 360, "-o", at("none.h5"), status=1, words="in place of an arc")
    fails("simulate", "-g", "fan", "--table-step", 24, "-o", at("none.h5"), status=2, words="--table-step makes a sequence")


@test("an axis that wanders is told by the file, view by view")
def _():
    run("simulate", "-g", "parallel", "--detector", "64x1", "--views", 90, "--axis-wander", 3, "-q", "-o", at("wander.h5"))
    run("simulate", "-g", "parallel", "--detector", "64x1", "--views", 90, "-q", "-o", at("still.h5"))
    for name, scan, more in [("right", "still", []), ("told", "wander", []), ("not", "wander", ["--set", "geometry.beam=parallel"])]:
        run("reconstruct", at(f"{scan}.h5"), *more, "--set", "centre.method=scan", "-q", "-o", at(f"{name}.mha"))
    told, untold = (read_json("compare", "--json", at(f"{name}.mha"), at("right.mha"))["rmse"] for name in ("told", "not"))
    # The pixels see the object at other places.
    assert 0 < told < 0.4 * untold, (told, untold)
    fails("simulate", "-g", "cone", "--feed", 3, "--axis-wander", 3, "-o", at("none.h5"), status=1, words="without a table feed")


sys.exit(main())
