#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli simulate, info and reconstruct, as a script would use them. test-cli-reconstruct.py PROGRAM. Speaks TAP; needs nothing beyond Python itself."""

import json
import math
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import zlib

from cli_driver import at, fails, main, PROGRAM, read_json, read_mha, run, small_scan, small_volume, test


@test("a simulated scan tells its whole geometry")
def _():
    run("simulate", "--geometry", "cone", "--detector", "20x14", "--views", 30, "--arc", 210, "--first-angle", 15, "--pixel", 2.5,
        "--sod", 321.5, "--sdd", 543.25, "--offset-u", 1.25, "--offset-v", -0.5, "--tilt", 2, "--radius", 12, "-q", "-o", at("g.h5"))
    facts = read_json("info", "--json", at("g.h5"))
    assert facts["kind"] == "scan" and facts["beam"] == "cone" and facts["assumed"] == []
    assert (facts["columns"], facts["rows"], facts["views"]) == (20, 14, 30)
    assert facts["values"] == "line integrals" and facts["pixel_mm"] == [2.5, 2.5]
    for key, value in [("sod_mm", 321.5), ("sdd_mm", 543.25), ("centre_u", 9.5 + 1.25), ("centre_v", 6.5 - 0.5), ("tilt_deg", 2)]:
        assert abs(facts[key] - value) < 1e-9, f"{key} is {facts[key]}"
    angles = facts["angles_deg"]
    assert abs(angles["first"] - 15) < 1e-9 and abs(angles["last"] - (15 + 29 * 7)) < 1e-9 and abs(angles["arc"] - 210) < 1e-6
    words = run("info", at("g.h5")).stdout
    assert "cone beam" in words and "321.5 mm" in words and "assumed" not in words


@test("a warning is told also when quiet, is kept in the result, and fails a strict run")
def _():
    # A disc over 90 degrees: no opposite views, so that the centre is not found.
    views, columns = 30, 40
    with open(at("quarter.bin"), "wb") as file:
        row = [0.2 * math.sqrt(max(0, 144 - (i - 19.5) ** 2)) for i in range(columns)]
        file.write(struct.pack(f"<{views * columns}f", *row * views))
    with open(at("quarter.json"), "w") as file:
        json.dump({"files": {"raw": "quarter.bin", "type": "float32", "dims": [columns, 1, views]}, "beam": "parallel",
                   "values": "line integrals", "pixel_mm": 1, "angles_deg": {"first": 0, "step": 3}}, file)
    for output, more in [("quarter.mha", []), ("quarter1.mha", ["--slice", "axial:mid"]), ("quarter.png", ["--slice", "axial:mid"])]:
        for strict in (0, 1):
            if os.path.exists(at(output)):
                os.remove(at(output))
            done = run("reconstruct", at("quarter.json"), *more, "-q", *["--strict"] * strict, "-o", at(output), status=strict)
            lines = done.stderr.strip().split("\n")
            assert all(line.startswith("warning: ") for line in lines) and "centre" in done.stderr, done.stderr
            facts = read_json("info", "--json", at(output))
            assert [w["text"] for w in facts["warnings"]] == [line[len("warning: "):] for line in lines], facts["warnings"]
            assert "centre" in [w["kind"] for w in facts["warnings"]]
            words = run("info", at(output)).stdout
            assert words.count("  warning ") == len(lines) and lines[0][len("warning: "):] in words
    # Nothing to warn of: nothing told, and strict does no harm.
    done = run("reconstruct", small_scan(), "-q", "--strict", "-o", at("strict.mha"))
    assert done.stderr == "" and read_json("info", "--json", at("strict.mha"))["warnings"] == []


def raw_disc(name, convert, **facts):
    """A disc of radius 12 mm at 0.05 /mm, off the axis, over 180 degrees: its line integrals converted, as raw float32."""
    views, columns = 60, 48
    rows = []
    for view in range(views):
        middle = 23.5 + 6 * math.cos(math.pi * view / views)
        rows += [convert(0.1 * math.sqrt(max(0, 144 - (i - middle) ** 2))) for i in range(columns)]
    with open(at(name + ".bin"), "wb") as file:
        file.write(struct.pack(f"<{views * columns}f", *rows))
    with open(at(name + ".json"), "w") as file:
        json.dump({"files": {"raw": name + ".bin", "type": "float32", "dims": [columns, 1, views]}, "beam": "parallel", "pixel_mm": 1,
                   "angles_deg": {"first": 0, "step": 3}, "centre_u": 23.5, **facts}, file)
    return at(name + ".json")


def middle_of(path):
    """The mean within 5 mm of the disc's middle, which lies 6 mm along x."""
    (nx, ny, _), values = read_mha(path)
    inside = [values[y * nx + x] for y in range(ny) for x in range(nx) if (x - 29.5) ** 2 + (y - 23.5) ** 2 < 25]
    return sum(inside) / len(inside)


@test("counts, transmissions and line integrals are told apart, and info says what reconstruct does")
def _():
    cases = [("counts", lambda p: 41500 * math.exp(-p)), ("counts", lambda p: 55 * math.exp(-p)), ("transmission", lambda p: math.exp(-p)),
             ("line integrals", lambda p: p), ("line integrals", lambda p: p - 0.01)]
    for number, (values, convert) in enumerate(cases):
        scan = raw_disc(f"kind{number}", convert)
        facts = read_json("info", "--json", scan)
        assert facts["values"] == values and not facts["values_stated"] and facts["values_doubt"] is None, facts
        border = ["--set", "i0_border=3"] if values == "counts" else []
        done = run("reconstruct", scan, *border, "--set", "window=ram-lak", "-q", "--strict", "-o", at("kind.mha"))
        assert done.stderr == "" and abs(middle_of(at("kind.mha")) - 0.05) < 0.001, (number, middle_of(at("kind.mha")), done.stderr)
        assert f"values       {values} (not stated: " in run("info", scan).stdout
    # A unit of its own: said, and the warning goes away when it is told.
    scan = raw_disc("unit", lambda p: 1000 * p)
    doubt = read_json("info", "--json", scan)["values_doubt"]
    done = run("reconstruct", scan, "-q", "--strict", "-o", at("kind.mha"), status=1)
    assert done.stderr == f"warning: {doubt}\n" and abs(middle_of(at("kind.mha")) - 50) < 1
    for told in (["--set", "scan.values=line-integrals"], ["--description", at("told.json")]):
        with open(at("told.json"), "w") as file:
            json.dump({"values": "line-integrals"}, file)
        assert run("reconstruct", scan, *told, "-q", "--strict", "-o", at("kind.mha")).stderr == ""
    # What is told counts, whatever the values look like.
    scan = raw_disc("told", lambda p: p, values="transmission")
    assert read_json("info", "--json", scan)["values"] == "transmission" and read_json("info", "--json", scan)["values_stated"]
    run("reconstruct", scan, "--set", "scan.values=line-integrals", "-q", "--strict", "-o", at("kind.mha"))
    assert abs(middle_of(at("kind.mha")) - 0.05) < 0.001
    # Without the logarithm counts are no attenuation.
    done = run("reconstruct", at("kind0.json"), "--set", "log=off", "--set", "i0=none", "-q", "--strict", "-o", at("kind.mha"), status=1)
    assert "logarithm is off" in done.stderr


@test("settings without effect are said to have none, with the reason")
def _():
    scan = raw_disc("idle", lambda p: p, values="line integrals")
    for more, words in [
            (["corrections.i0=border"], ["corrections.i0=border (no logarithm is taken)"]),
            (["corrections.floor=0.02", "i0_value=7"], ["These settings", "corrections.floor=0.02 (no log", "corrections.i0_value=7 (no log"]),
            (["corrections.ring_size=9"], ["corrections.ring_size=9 (only with corrections.rings=sorting or wavelet or smoothing)"]),
            (["iterative.iterations=9"], ["iterative.iterations=9 (the method is not iterative)"]),
            (["iterative.method=sirt", "iterative.iterations=2", "filter.cutoff=0.5"], ["filter.cutoff=0.5 (sirt is not filtered back-projection)"]),
            (["filter.redundancy=parker"], ["filter.redundancy=parker (parallel views over no more than 180°"]),
            (["output.low=0.5"], ["output.low=0.5 (only with output.samples="]),
            (["filter.window=none", "filter.cutoff=0.5"], ["filter.cutoff=0.5 (only with filter.window="])]:
        sets = [word for setting in more for word in ("--set", setting)]
        done = run("reconstruct", scan, *sets, "-q", "--strict", "-o", at("idle.mha"), status=1)
        lines = done.stderr.strip().split("\n")
        assert len(lines) == 1 and all(word in lines[0] for word in words), done.stderr
        assert [w["kind"] for w in read_json("info", "--json", at("idle.mha"))["warnings"]] == ["setting"]
    # What has an effect is not said to have none; nor is what was left at its default.
    for more in (["filter.window=hann", "filter.cutoff=0.5"], ["corrections.rings=sorting", "ring_size=9"], ["i0=auto"], ["method=sirt", "iterations=2"]):
        sets = [word for setting in more for word in ("--set", setting)]
        assert run("reconstruct", scan, *sets, "-q", "--strict", "-o", at("idle.mha")).stderr == ""


def pixel_scan(name, change, kind="counts"):
    """Noisy counts of a disc on 80 x 6 pixels, 60 views over 180 degrees, as raw float32; change(view, row, column, value) gives the pixel."""
    views, rows, columns = 60, 6, 80
    values, dice = [], random.Random(7)
    for view in range(views):
        middle = 39.5 + 5 * math.cos(math.pi * view / views)
        line = [30000 * math.exp(-0.04 * math.sqrt(max(0, 900 - (i - middle) ** 2))) for i in range(columns)]
        values += [change(view, row, i, line[i] * dice.gauss(1, 0.004)) for row in range(rows) for i in range(columns)]
    with open(at(name + ".bin"), "wb") as file:
        file.write(struct.pack(f"<{len(values)}f", *values))
    with open(at(name + ".json"), "w") as file:
        json.dump({"files": {"raw": name + ".bin", "type": "float32", "dims": [columns, rows, views]}, "beam": "parallel", "pixel_mm": 1,
                   "angles_deg": {"first": 0, "step": 3}, "centre_u": 39.5, "values": kind}, file)
    return at(name + ".json")


@test("pixels that hold no number, and hot ones, are told of; the remedy works")
def _():
    clean = pixel_scan("clean", lambda view, row, i, value: value)
    run("reconstruct", clean, "--set", "i0_border=3", "-q", "--strict", "-o", at("clean.mha"))
    holes = pixel_scan("holes", lambda view, row, i, value: math.nan if view % 20 == 7 and row == 2 and i in (34, 35) else value)
    done = run("reconstruct", holes, "--set", "i0_border=3", "-q", "--strict", "-o", at("holes.mha"), status=1)
    assert done.stderr == "warning: 6 pixels of 3 views held no number (NaN or infinite) and were replaced by the median of their neighbours.\n"
    assert done.stderr[len("warning: "):].strip() in run("info", at("holes.mha")).stdout
    hot = pixel_scan("hot", lambda view, row, i, value: 65535 if row == 4 and i == 45 else value)
    done = run("reconstruct", hot, "--set", "i0_border=3", "-q", "-o", at("hot.mha"))
    assert "1 detector pixel stands out" in done.stderr and "column 45, row 4" in done.stderr and "corrections.outliers=5" in done.stderr
    assert done.stderr.count("warning: ") == 1
    assert [w["kind"] for w in read_json("info", "--json", at("hot.mha"))["warnings"]] == ["pixels"]
    done = run("reconstruct", hot, "--set", "i0_border=3", "--set", "corrections.outliers=5", "-q", "--strict", "-o", at("mended.mha"))
    errors = [read_json("compare", "--json", at(name), at("clean.mha"))["max_abs"] for name in ("hot.mha", "mended.mha")]
    assert errors[1] < errors[0] / 5, errors


@test("a beam that changes behind the flats is told of, and corrected from the border")
def _():
    kind = ["--set", "scan.values=transmission"]
    run("reconstruct", pixel_scan("even", lambda view, row, i, value: value / 30000), *kind, "-q", "--strict", "-o", at("even.mha"))
    for name, beam in (("decay", lambda view: 1 - 0.1 * view / 60), ("weak", lambda view: 0.9), ("jump", lambda view: 1.04 if view > 30 else 1)):
        scan = pixel_scan(name, lambda view, row, i, value, beam=beam: value / 30000 * beam(view))
        done = run("reconstruct", scan, *kind, "-q", "--strict", "-o", at("wrong.mha"), status=1)
        assert "Beside the object the transmission is" in done.stderr and done.stderr.count("warning: ") == 1, done.stderr
        run("reconstruct", scan, *kind, "--set", "i0=border", "--set", "i0_border=3", "-q", "--strict", "-o", at("right.mha"))
        errors = [read_json("compare", "--json", at(made), at("even.mha"))["rmse"] for made in ("wrong.mha", "right.mha")]
        assert errors[1] < 2e-5 and errors[0] > 5 * errors[1], (name, errors)


@test("views that are no use are left out, as if they were not in the scan")
def _():
    gone = [0, 17, 18, 40]
    angles = [3 * view for view in range(60)]
    whole = pixel_scan("whole", lambda view, row, i, value: value)
    for number, empty in enumerate((math.nan, math.inf, 0)):
        holes = pixel_scan(f"gone{number}", lambda view, row, i, value: empty if view in gone else value)
        # The same scan without these views, its angles as a list.
        with open(holes, encoding="utf-8") as file:
            facts = json.load(file)
        with open(at(facts["files"]["raw"]), "rb") as file:
            data = file.read()
        size = len(data) // 60
        with open(at("less.bin"), "wb") as file:
            file.write(b"".join(data[view * size:(view + 1) * size] for view in range(60) if view not in gone))
        facts["files"] = {"raw": "less.bin", "type": "float32", "dims": [80, 6, 56]}
        facts["angles_deg"] = [angle for view, angle in enumerate(angles) if view not in gone]
        with open(at("less.json"), "w", encoding="utf-8") as file:
            json.dump(facts, file)
        shapes = [[], ["--slice", "axial:3"], ["--memory", "260k"], ["--set", "method=sirt", "--set", "iterations=3"], ["--set", "rings=sorting"]]
        for more in shapes:
            more = ["--set", "i0_border=3", *more]
            done = run("reconstruct", holes, *more, "-q", "--strict", "-o", at("gone.mha"), status=1)
            assert done.stderr.startswith("warning: 4 of 60 views hold no number, or saw no beam, and were left out: 0, 17, 18, 40."), (more, done.stderr)
            assert "views" in [w["kind"] for w in read_json("info", "--json", at("gone.mha"))["warnings"]]
            run("reconstruct", at("less.json"), *more, "-q", "-o", at("less.mha"))
            assert read_json("compare", "--json", at("gone.mha"), at("less.mha"))["max_abs"] < 1e-7, more
    for scan, name in ((whole, "whole.mha"), (holes, "gone.mha")):
        run("reconstruct", scan, "--set", "i0_border=3", "-q", "-o", at(name))
    result = read_json("compare", "--json", at("gone.mha"), at("whole.mha"))
    assert abs(result["slope"] - 1) < 0.02 and result["pearson_r"] > 0.99, result
    # Line integrals of zero could be a beam without an object, and stay; beside views that see one, that is said.
    blank = pixel_scan("blank", lambda view, row, i, value: 0 if view in gone[1:] else math.log(30000 / value), kind="line integrals")
    done = run("reconstruct", blank, "-q", "--strict", "-o", at("blank.mha"), status=1)
    assert "warning: 3 views (the first is 17) hold one and the same number in all pixels" in done.stderr, done.stderr
    # Most of them are no use: that is no scan.
    bad = pixel_scan("bad", lambda view, row, i, value: math.nan if view % 3 else value)
    fails("reconstruct", bad, "-q", "-o", at("bad.mha"), status=1, words="view 1 holds not a single finite number")


@test("parallel, fan and cone scans reconstruct to the phantom")
def _():
    for beam, detector in [("parallel", "48x40"), ("fan", "48x1"), ("cone", "48x40")]:
        name = f"beam-{beam}.h5"
        run("simulate", "--geometry", beam, "--detector", detector, "--views", 90, "--pixel", 4, "--sub", 2, "-q", "-o", at(name),
            "--truth", at(beam + "-truth.mha"))
        run("reconstruct", at(name), "-q", "-o", at(beam + ".mha"))
        result = read_json("compare", "--json", at(beam + ".mha"), at(beam + "-truth.mha"))
        for key in ("rmse", "max_abs", "max_at", "psnr", "ssim", "pearson_r", "slope"):
            assert key in result
        # 48 voxels across leave a skull of two voxels: edges dominate these.
        assert result["pearson_r"] > 0.9 and 0 < result["rmse"] <= result["max_abs"] < 0.02, f"{beam}: {result}"
        assert result["not_finite"] == 0 and result["count"] == 48 * 48 * (1 if beam == "fan" else 40)
        # The brain below the axis has density 0.2, at 0.02 /mm: the scale is absolute.
        (nx, ny, nz), volume = read_mha(at(beam + ".mha"))
        brain = [volume[(nz // 2 * ny + y) * nx + x] for y in range(14, 22) for x in range(20, 28)]
        assert abs(sum(brain) / len(brain) - 0.004) < 0.00008, f"{beam}: {sum(brain) / len(brain)}"


@test("the seed decides on the noise")
def _():
    for name, seed in [("n1", 7), ("n2", 7), ("n3", 8)]:
        run("simulate", "--geometry", "fan", "--detector", "32x1", "--views", 20, "--noise", 1e4, "--seed", seed, "-q", "-o", at(name + ".h5"))
        run("reconstruct", at(name + ".h5"), "-q", "-o", at(name + ".mha"))
    assert read_mha(at("n1.mha")) == read_mha(at("n2.mha"))
    assert read_mha(at("n1.mha")) != read_mha(at("n3.mha"))


@test("a simulated detector's counts become the same volume, and faults are refused by their range")
def _():
    scan = ["simulate", "--phantom", "insert", "--detector", "24x16", "--views", 40, "--pixel", 4, "-q"]
    for name, more in [("clean", []), ("counts", ["--counts"]), ("gain", ["--gain", 0.1]), ("hard", ["--voltage", 100]), ("aside", ["--centre-error", 2])]:
        run(*scan, *more, "-o", at(name + ".h5"))
        run("reconstruct", at(name + ".h5"), "--slice", "axial:mid", "--set", "centre.method=scan", "-q", "-o", at(name + ".mha"))
    facts = read_json("info", "--json", at("counts.h5"))
    assert facts["values"] == "counts" and facts["flats"] == 10 and facts["darks"] == 10
    assert read_json("info", "--json", at("hard.h5"))["values"] == "line integrals"
    assert read_json("info", "--json", at("aside.h5"))["centre_u"] == 11.5 + 2
    clean, most = read_mha(at("clean.mha"))[1], max(read_mha(at("clean.mha"))[1])
    for name, low, high in [("counts", 0, 1e-3), ("gain", 0, 1e-3), ("hard", 0.05, 1), ("aside", 0.05, 2)]:
        off = max(abs(a - b) for a, b in zip(read_mha(at(name + ".mha"))[1], clean)) / most
        assert low <= off < high, f"{name} is {off} off"
    # The phantom's own volume as the object: the same slice but for the voxels.
    detector = ["--detector", "24x24", "--views", 40, "--pixel", 8, "-q"]
    run("simulate", *detector, "--sub", 4, "-o", at("exact.h5"), "--truth", at("truth.mha"))
    run("simulate", "--object", at("truth.mha"), *detector, "-o", at("object.h5"))
    means = []
    for name in ["exact", "object"]:
        run("reconstruct", at(name + ".h5"), "--slice", "axial:mid", "-q", "-o", at(name + ".mha"))
        voxels = read_mha(at(name + ".mha"))[1]
        means.append(sum(voxels) / len(voxels))
    assert abs(means[0] - means[1]) < 0.02 * means[0], means
    # A picture of colours is taken by its luminance, here that of a grey one.
    for name, kind, pixel in [("grey", 0, [128]), ("colours", 6, [128, 128, 128, 255])]:
        rows = b"".join(bytes([0, *pixel * 20, *[0] * len(pixel) * 12]) for _ in range(32))
        parts = [(b"IHDR", struct.pack(">IIBBBBB", 32, 32, 8, kind, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
        with open(at(name + ".png"), "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + b"".join(
                struct.pack(">I", len(data)) + chunk + data + struct.pack(">I", zlib.crc32(chunk + data)) for chunk, data in parts))
        run("simulate", "--object", at(name + ".png"), "-g", "fan", "--views", 12, "--columns", 32, "-q", "-o", at(name + ".h5"))
        run("reconstruct", at(name + ".h5"), "-q", "-o", at(name + ".mha"))
    grey, colours = read_mha(at("grey.mha"))[1], read_mha(at("colours.mha"))[1]
    assert max(grey) > 0.01 and max(abs(a - b) for a, b in zip(grey, colours)) < 1e-6
    fails("simulate", "--object", at("missing.mha"), "-o", at("x.h5"), status=1, words="missing.mha")
    fails("simulate", "--object", at("truth.mha"), "--mu", 0.03, "-o", at("x.h5"), status=2, words="--mu is for phantoms")
    fails(*scan, "--copper", 1, "-o", at("x.h5"), status=2, words="--voltage")
    fails("simulate", "--object", at("truth.mha"), "--truth", at("t.mha"), "-o", at("x.h5"), status=2, words="--truth")
    fails(*scan, "--voltage", 10, "-o", at("x.h5"), status=1, words="20..200 kV")
    fails(*scan, "--lag", 2, "-o", at("x.h5"), status=2, words="--lag")
    fails(*scan, "--geometry", "parallel", "--focal-spot", 1, "-o", at("x.h5"), status=1, words="focal spot")


@test("every kernel can be asked for and keeps its promise")
def _():
    kernels = read_json("kernels", "--json")
    ids = [kernel["id"] for kernel in kernels]
    assert ids[0] == "textbook" and len(set(ids)) == len(ids) > 2
    words = run("kernels").stdout
    for kernel in kernels:
        assert f"{kernel['id']}: {kernel['title']}" in words
    scan, tried = small_scan(), 0
    shapes = {"k0.mha": [], "s0.mha": ["--slice", "axial:mid"]}
    for name, shape in shapes.items():
        run("reconstruct", scan, *shape, "--set", "reconstruction.kernel=textbook", "-q", "-o", at(name))
    for kernel in kernels:
        if not kernel["available"] or "cone" not in kernel["beams"] or kernel["id"] == "textbook":
            continue
        for name, shape in shapes.items():
            arguments = ["reconstruct", scan, *shape, "--set", f"reconstruction.kernel={kernel['id']}", "--set",
                         f"reconstruction.precision={kernel['precisions'][0]}", "-q", "-o", at("k.mha")]
            done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=100)
            if done.returncode == 1 and ": Kernel " in done.stderr:  # made for another shape, and says so
                continue
            assert done.returncode == 0, f"{kernel['id']}: {done.stderr}"
            error = read_json("compare", "--json", at("k.mha"), at(name))["relative_rmse"]
            assert error <= max(kernel["tolerance"], 1e-6), f"{kernel['id']}: relative RMSE {error}"
            tried += 1
    assert tried >= 1
    fails("reconstruct", scan, "--set", "reconstruction.kernel=magic", "-q", "-o", at("never.mha"), status=1, words="magic")


@test("the kernel that did the work is named, and why another than the one asked for")
def _():
    def told(*more):
        # The sentence is wrapped.
        return " ".join(run("reconstruct", small_scan(), *more).stderr.split())

    whole = told("-o", at("w.mha"))
    assert re.search(r", kernel \S+, .* voxels, linear interpolation, float32; next would be ", whole), whole
    assert "next would be" not in told("--set", "reconstruction.kernel=voxel-loop", "-o", at("w.mha"))
    plane = told("--slice", "axial:3", "--set", "reconstruction.kernel=lines-c8", "-o", at("w.png"))
    assert "kernel lines-c8," in plane and "Instead: " not in plane, plane
    fails("reconstruct", small_scan(), "--set", "reconstruction.kernel=lines-c8", "-q", "-o", at("never.mha"), status=1,
          words="is made for planes")
    for more in (["--slice", "axial:3", "-o", at("w.png")], ["--memory", "0.7M", "-o", at("w.mha")]):
        words = told("--set", "reconstruction.kernel=chen-prefetch", *more)
        assert "kernel chen-prefetch," not in words and "as far above the source's plane as below it. Instead: " in words, words


@test("a plan comes back bit by bit, and gives the same volume")
def _():
    odd = {"filter.cutoff": 0.1 + 0.2, "reconstruction.voxel": 1 / 0.3, "centre.column": 23.123456789012345,
           "geometry.tilt": 1e-7 / 3, "corrections.floor": 5e-9 + 1e-20}
    settings = [part for key, value in odd.items() for part in ("--set", f"{key}={value!r}")]
    scan = small_scan()
    run("reconstruct", scan, *settings, "--set", "centre.method=manual", "--set", "filter.window=hann", "-q", "-o", at("p1.mha"),
        "--save-plan", at("p1.json"))
    run("reconstruct", scan, "--plan", at("p1.json"), "-q", "-o", at("p2.mha"), "--save-plan", at("p2.json"))
    with open(at("p1.json")) as one, open(at("p2.json")) as two:
        text = one.read()
        assert text == two.read()
    plan = json.loads(text)
    for key, value in odd.items():
        assert plan["parameters"][key] == value, f"{key}: {plan['parameters'][key]!r}"
    assert plan["input"]["path"].endswith("small.h5") and plan["input"]["bytes"] == os.path.getsize(scan)
    assert read_mha(at("p1.mha")) == read_mha(at("p2.mha"))
    carried = read_json("info", "--json", at("p1.mha"))["plan"]
    assert carried["parameters"] == plan["parameters"] and carried["input"]["checksum"] == plan["input"]["checksum"]
    # The volume that carries the plan stands for it.
    for volume in ("p1.mha", "p1.h5"):
        run("reconstruct", scan, "--plan", at("p1.json"), "-q", "-o", at(volume))
        run("reconstruct", scan, "--plan", at(volume), "-q", "-o", at("p4.mha"))
        assert read_mha(at("p1.mha")) == read_mha(at("p4.mha"))
    run("simulate", "-q", "--views", "2", "--detector", "4x4", "--truth", at("bare.mha"), "-o", at("bare.h5"))
    fails("reconstruct", scan, "--plan", at("bare.mha"), "-q", "-o", at("never.mha"), status=1, words="bare.mha carries no plan")
    fails("reconstruct", scan, "--plan", at("nowhere.mha"), "-q", "-o", at("never.mha"), status=1, words="nowhere.mha: No such file")
    with open(at("notes.txt"), "w") as file:
        file.write("filter: hann\n")
    fails("reconstruct", scan, "--plan", at("notes.txt"), "-q", "-o", at("never.mha"), status=1, words="Neither a plan in JSON nor a volume")
    # --set wins over --plan wherever they stand.
    run("reconstruct", scan, "--set", "filter.window=cosine", "--plan", at("p1.json"), "-q", "-o", at("p3.mha"), "--save-plan", at("p3.json"))
    with open(at("p3.json")) as three:
        assert json.load(three)["parameters"]["filter.window"] == "cosine"


@test("a plan that was made with another scan is taken, with a word")
def _():
    scan = small_scan()
    run("reconstruct", scan, "--slice", "axial:mid", "-q", "-o", at("own.png"), "--save-plan", at("own.json"))
    shutil.copy(scan, at("moved.h5"))
    run("simulate", "--geometry", "parallel", "--detector", "48x4", "--views", "30", "-q", "-o", at("other.h5"))

    def told(scan, plan="own.json"):
        return run("reconstruct", scan, "--plan", at(plan), "--slice", "axial:mid", "-q", "-o", at("taken.png")).stderr
    assert told(scan) == "" and told(at("moved.h5")) == ""
    words = told(at("other.h5"))
    assert words.startswith(f"gantry-cli: {at('own.json')} was made with the scan small.h5, and this is other.h5. ") and words.count("\n") == 1, words
    with open(at("own.json")) as file:
        plan = json.load(file)
    plan["input"]["path"] = at("other.h5")
    with open(at("same.json"), "w") as file:
        json.dump(plan, file)
    assert f"was made when {at('other.h5')} held something else" in told(at("other.h5"), "same.json")
    del plan["input"]
    with open(at("none.json"), "w") as file:
        json.dump(plan, file)
    assert told(at("other.h5"), "none.json") == ""


@test("one distance alone is no beam, and a beam that nobody tells is said to be assumed")
def _():
    with open(at("bare.raw"), "wb") as file:
        file.write(bytes(range(1, 241)) * 4)
    with open(at("bare.scan.json"), "w") as file:
        json.dump({"files": {"raw": "bare.raw", "type": "uint8", "dims": [12, 4]}}, file)
    common = [at("bare.scan.json"), "--slice", "axial:mid", "-o", at("bare.png")]
    fails("reconstruct", *common, "-q", "--set", "sod=200", status=1, words=["geometry.sod is set, but not geometry.sdd", "bare.scan.json"])
    fails("reconstruct", *common, "-q", "--set", "sdd=200", status=1, words="geometry.sdd is set, but not geometry.sod")
    assert "parallel beam assumed" in run("reconstruct", *common).stderr
    for known in (["--set", "beam=parallel", "--set", "sod=200"], ["--set", "sod=200", "--set", "sdd=300"]):
        assert "beam assumed" not in run("reconstruct", *common, *known).stderr


@test("of two plans the last one counts, whole")
def _():
    for name, parameters in (("first", {"filter.window": "hann", "reconstruction.nx": 12}), ("last", {"reconstruction.ny": 14})):
        with open(at(name + ".json"), "w") as file:
            json.dump({"gantry_plan": 1, "parameters": parameters}, file)
    run("reconstruct", small_scan(), "--plan", at("first.json"), "--plan", at("last.json"), "-q", "-o", at("two.mha"), "--save-plan", at("two.json"))
    with open(at("two.json")) as file:
        parameters = json.load(file)["parameters"]
    assert parameters["filter.window"] == "ram-lak" and parameters["reconstruction.nx"] is None and parameters["reconstruction.ny"] == 14


@test("a volume tells its grid and its plan")
def _():
    run("reconstruct", small_scan(), "--set", "reconstruction.nx=10", "--set", "reconstruction.nz=4", "--set", "reconstruction.voxel=3",
        "-q", "-o", at("grid.mha"))
    facts = read_json("info", "--json", at("grid.mha"))
    assert facts["kind"] == "volume" and facts["size"] == [10, 10, 4] and facts["voxel_mm"] == [3, 3, 3]
    assert facts["origin_mm"] == [-13.5, -13.5, -4.5]
    assert facts["plan"]["parameters"]["reconstruction.voxel"] == 3
    words = run("info", at("grid.mha")).stdout
    assert "reconstruction.voxel=3 mm" in words and "10 x 10 x 4" in words


@test("volumes of every format compare as equal")
def _():
    for name in ("v.mhd", "v.nrrd", "v.h5"):
        run("reconstruct", small_scan(), "-q", "-o", at(name))
        result = read_json("compare", "--json", at(name), small_volume())
        assert result["max_abs"] == 0, f"{name}: {result}"
        assert read_json("info", "--json", at(name))["kind"] == "volume", name
    run("reconstruct", small_scan(), "--set", "output.samples=uint16", "-q", "-o", at("v16.mha"))
    result = read_json("compare", "--json", at("v16.mha"), small_volume())
    assert 0 < result["max_abs"] <= 0.5001 * result["peak"] / 65535 * 1.01, result


sys.exit(main())
