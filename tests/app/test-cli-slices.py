#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli slice and compare. test-cli-slices.py PROGRAM. Speaks TAP; needs nothing beyond Python itself."""

import json
import os
import signal
import struct
import subprocess
import sys
import zlib

from cli_driver import PROGRAM, at, fails, main, read_json, read_mha, read_png, run, small_scan, small_volume, test


@test("a slice alone is what the volume holds")
def _():
    (nx, ny, nz), volume = read_mha(small_volume())
    peak = max(volume)
    for axis, index, shape, pick in [
        ("axial", 11, (nx, ny, 1), lambda a, b: volume[(11 * ny + b) * nx + a]),
        ("coronal", 20, (nx, 1, nz), lambda a, b: volume[(b * ny + 20) * nx + a]),
        ("x", 30, (1, ny, nz), lambda a, b: volume[(b * ny + a) * nx + 30]),
    ]:
        run("reconstruct", small_scan(), "--slice", f"{axis}:{index}", "-q", "-o", at("slice.mha"))
        size, values = read_mha(at("slice.mha"))
        width, height = [n for n in shape if n > 1]
        assert size == shape, f"{axis}: {size}"
        worst = max(abs(values[b * width + a] - pick(a, b)) for b in range(height) for a in range(width))
        assert worst <= 2e-6 * peak, f"{axis}: off by {worst / peak} of the peak"


@test("a slice that the grid has not is refused before anything is read or simulated")
def _():
    # One line on stderr: no progress was told.
    for more in [], ["--force"]:
        fails("reconstruct", "example", "--slice", "axial:999", *more, "-o", at("never.png"), status=1,
              words=["There is no axial slice 999; the volume has 0.."])
    # Projections without any light, which are refused as soon as they are read.
    with open(at("dark.raw"), "wb") as file:
        file.truncate(32 * 24 * 40)
    with open(at("dark.scan.json"), "w") as file:
        json.dump({"files": {"raw": "dark.raw", "type": "uint8", "dims": [32, 24, 40]}, "angles_deg": {"first": 0, "step": 4.5}}, file)
    arguments = ["reconstruct", at("dark.raw"), "-q", "-o", at("never.mha"), "--slice"]
    fails(*arguments, "coronal:32", status=1, words="There is no coronal slice 32; the volume has 0..31.")
    fails(*arguments, "coronal:31", status=1, words="beam intensity")
    assert not os.path.exists(at("never.png")) and not os.path.exists(at("never.mha"))


@test("PNG slices have the size, the depth and the right side up")
def _():
    (nx, ny, nz), volume = read_mha(small_volume())
    for bits in (8, 16):
        white = 2 ** bits - 1
        run("slice", small_volume(), "--axis", "coronal", "--index", 20, "--bits", bits, "--window", "0,0.02", "-o", at("c.png"))
        width, height, depth, rows, texts = read_png(at("c.png"))
        assert (width, height, depth) == (nx, nz, bits)
        for z in range(nz):
            for x in range(nx):
                value = min(max(volume[(z * ny + 20) * nx + x] / 0.02, 0), 1) * white
                assert abs(rows[nz - 1 - z][x] - value) <= 1, f"pixel {x}, {z}: {rows[nz - 1 - z][x]}, not {value}"
        assert any(b"gantry_plan" in text for text in texts)
    run("reconstruct", small_scan(), "--slice", "axial:mid", "--bits", 16, "-q", "-o", at("a.png"))
    width, height, depth, rows, texts = read_png(at("a.png"))
    assert (width, height, depth) == (nx, ny, 16)
    assert min(map(min, rows)) == 0 and max(map(max, rows)) == 65535


def megabytes(*arguments):
    """The most memory that the program had, of which 60 MB are its own and its libraries'; and its output."""
    with open(at("stdout"), "wb") as out:
        child = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=out)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == 0, arguments
    return usage.ru_maxrss / 1000, open(at("stdout")).read()


@test("a plane and the facts of a packed volume take the memory of a few rows")
def _():
    # 600 MiB of samples in 3 MB, which are too many for info to read unasked.
    n, nz = 1024, 150
    packer = zlib.compressobj(1, zlib.DEFLATED, 31)
    with open(at("packed.nrrd"), "wb") as file:
        file.write(f"NRRD0004\ntype: float\ndimension: 3\nsizes: {n} {n} {nz}\nendian: little\nencoding: gzip\n\n".encode())
        for k in range(nz):
            file.write(packer.compress(struct.pack("<f", k) * (n * n)))
        file.write(packer.flush())
    most, output = megabytes("info", "--json", "--volume", "-q", at("packed.nrrd"))
    facts = json.loads(output)
    assert most < 150 and facts["size"] == [n, n, nz] and facts["values_read"] is False and facts["max"] is None, (most, facts)
    for axis, index in ("axial", 30), ("coronal", 100), ("sagittal", 1000):
        most, _ = megabytes("slice", "-q", "--axis", axis, "--index", index, "--window", "0,255", at("packed.nrrd"), "-o", at("plane.png"))
        width, height, _, rows, _ = read_png(at("plane.png"))
        expected = [index] * n if axis == "axial" else list(range(nz))[::-1]
        assert most < 150 and [row[7] for row in rows] == expected, (axis, most)
    most, _ = megabytes("slice", "-q", "--axis", "oblique", "--tilt", 30, "--window", "0,255", at("packed.nrrd"), "-o", at("plane.png"))
    assert most < 150, most
    most, output = megabytes("measure", "--json", "-q", at("packed.nrrd"), "-r", "z:mid:0,0,9,9", "-r", "z:mid:20,3,90,50")
    assert most < 150 and output.count('"mean": 75.0') == 2, (most, output)
    most, output = megabytes("compare", "--json", "-q", "--slice", "axial:10", at("packed.nrrd"), at("packed.nrrd"))
    assert most < 150 and json.loads(output)["rmse"] == 0, most


def png_of(width, height, interlaced):
    """A 16-bit PNG whose header promises so much, with 700 kB of data, which could hold it."""
    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, interlaced)) +
            chunk(b"IDAT", zlib.compress(bytes(700000), 0)) + chunk(b"IEND", b""))


def tiff_of(width, height, tile):
    """A TIFF of 32-bit samples in deflated tiles of the given size, with one small stream for all of them."""
    count = -(-width // tile) * -(-height // tile)
    packed = zlib.compress(bytes(900000), 0)
    entries = [(256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 32), (259, 3, 1, 8), (262, 3, 1, 1), (277, 3, 1, 1),
               (322, 4, 1, tile), (323, 4, 1, tile), (324, 4, count, 0), (325, 4, count, 0), (339, 3, 1, 3)]
    behind = 8 + 2 + 12 * len(entries) + 4
    data = behind + 8 * count if count > 1 else behind
    places = {324: behind if count > 1 else data, 325: behind + 4 * count if count > 1 else len(packed)}
    listing = b"".join(struct.pack("<HHII", tag, kind, many, places.get(tag, value)) for tag, kind, many, value in entries)
    lists = struct.pack(f"<{2 * count}I", *[data] * count, *[len(packed)] * count) if count > 1 else b""
    return b"II*\0" + struct.pack("<IH", 8, len(entries)) + listing + bytes(4) + lists + packed


@test("images of which more than 512 MiB would be unpacked at once are refused by their headers")
def _():
    for name, content, words in [("inter.png", png_of(20000, 16400, 1), "20000 x 16400 pixels have to be unpacked at once"),
                                 ("tall.tif", tiff_of(12288, 12288, 12288), "have to be unpacked at once; up to"),
                                 ("wide.tif", tiff_of(65536, 2064, 2064), "have to be unpacked at once; up to")]:
        with open(at(name), "wb") as file:
            file.write(content)
        done = subprocess.Popen([PROGRAM, "info", at(name)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        told = done.stderr.read()
        _, status, usage = os.wait4(done.pid, 0)
        done.returncode = os.waitstatus_to_exitcode(status)
        assert done.returncode == 1 and words in told and usage.ru_maxrss < 150000, (name, told, usage.ru_maxrss)


@test("oblique planes: at right angles the slices, else the same from the scan and from the volume")
def _():
    (nx, ny, nz), _ = read_mha(small_volume())
    window = ["--window", "0,0.02", "--bits", 16]
    run("slice", small_volume(), "--axis", "coronal", "--index", 20, *window, "-o", at("coronal.png"))
    info = read_json("info", "--json", small_volume())
    y = info["origin_mm"][1] + 20 * info["voxel_mm"][1]
    run("slice", small_volume(), "--axis", "oblique", "--tilt", 90, "--through", f"1,{y},2", *window, "-o", at("o.png"))
    assert read_png(at("o.png"))[:4] == read_png(at("coronal.png"))[:4]
    run("slice", small_volume(), "--axis", "oblique", "--normal", "0,-3,0", "--through", f"1,{y},2", *window, "-o", at("o.png"))
    assert read_png(at("o.png"))[:4] == read_png(at("coronal.png"))[:4]
    pose = ["--tilt", 40, "--rotation", -25, "--through", "1,2,3"]
    # A smooth filter, so that the interpolation in the volume blurs little.
    smooth = ["--set", "filter.window=hann", "-q"]
    run("reconstruct", small_scan(), *smooth, "-o", at("smooth.mha"))
    run("slice", at("smooth.mha"), "--axis", "oblique", *pose, *window, "-o", at("cut.png"))
    run("reconstruct", small_scan(), *smooth, "--slice", "oblique", *pose, *window, "-o", at("alone.png"))
    cut, alone = read_png(at("cut.png")), read_png(at("alone.png"))
    assert cut[:3] == alone[:3] and cut[0] > nx and any(b"gantry_plan" in text for text in alone[4])
    pairs = [(a, b) for rows in zip(cut[3], alone[3]) for a, b in zip(*rows)]
    difference = sum((a - b) ** 2 for a, b in pairs) / sum(b ** 2 for _, b in pairs)
    assert 0 < difference < 0.08 ** 2, difference ** 0.5


@test("a volume compares with itself as equal, with a slice of it where that lies")
def _():
    same = read_json("compare", "--json", small_volume(), small_volume())
    assert same["rmse"] == 0 and same["max_abs"] == 0 and same["psnr"] is None
    assert abs(same["ssim"] - 1) < 1e-12 and abs(same["pearson_r"] - 1) < 1e-12 and abs(same["slope"] - 1) < 1e-12
    size, values = read_mha(small_volume())
    assert same["count"] == len(values) and abs(same["peak"] - (max(values) - min(values))) < 1e-12
    assert read_json("compare", "--json", "--peak", 4095, small_volume(), small_volume())["peak"] == 4095
    assert "SSIM" in run("compare", small_volume(), small_volume()).stdout
    fails("compare", "--same-grid", small_volume(), at("slice.mha"), "-q", status=1, words="cannot be compared")
    nx, ny, nz = read_mha(at("slice.mha"))[0]
    part = read_json("compare", "--json", small_volume(), at("slice.mha"), "-q")
    assert part["count"] == nx * ny * nz and part["resampled"] is True and part["relative_rmse"] < 1e-5, part


def make_holes(name, n):
    with open(at(name + ".raw"), "wb") as file:  # a file of holes
        file.truncate(4 * n ** 3)
    with open(at(name + ".raw.json"), "w") as file:
        json.dump({"raw": name + ".raw", "type": "float32", "dims": [n, n, n]}, file)
    return at(name + ".raw")


@test("cutting and describing a large volume tells its progress, and an interrupt leaves nothing")
def _():
    large = make_holes("large", 900)  # 2.9 GB
    for arguments in (["slice", large, "--axis", "sagittal", "-o", at("never.png")], ["slice", large, "--axis", "oblique", "--tilt", "30", "-o", at("never.png")],
                      ["info", large]):
        process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        seen = process.stderr.readline()
        assert seen.startswith("Reading"), f"{arguments}: {seen}"
        process.send_signal(signal.SIGINT)
        words, rest = process.communicate(timeout=60)
        assert process.returncode == 1 and words == "" and not os.path.exists(at("never.png")), (arguments, words)
        assert rest.strip().split("\n")[-1] == "gantry-cli: interrupted, nothing written", (arguments, rest)
    small = make_holes("small", 16)
    assert run("info", small, "-q").stderr == "" and run("slice", small, "-q", "-o", at("small.png")).stderr == ""


@test("comparing large volumes tells its progress, and an interrupt prints no numbers")
def _():
    make_holes("zeros", 320), make_holes("others", 320)
    arguments = [PROGRAM, "compare", "--peak", "1", at("zeros.raw"), at("others.raw")]
    slow = dict(os.environ, OMP_NUM_THREADS="1")
    process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=slow)
    seen = ""
    while "Comparing" not in seen:
        line = process.stderr.readline()
        assert line, f"ended by itself: {seen}"
        seen += line
    process.send_signal(signal.SIGINT)
    words, rest = process.communicate(timeout=60)
    assert process.returncode == 1 and words == "", words
    assert rest.strip().split("\n")[-1] == "gantry-cli: interrupted, nothing written", rest


@test("direct Fourier reconstruction makes what back-projection makes, refuses cones, and obeys the slice theorem")
def _():
    run("simulate", "-p", "shepp-logan", "-g", "parallel", "--views", "400", "--detector", "256x1", "--pixel", "1", "--sub", "4", "-q", "-o", at("flat.h5"))
    volumes = []
    for method, most in (("fbp", 2e-3), ("fourier", 1e-3)):  # linear interpolation damps high frequencies
        run("reconstruct", at("flat.h5"), "--set", f"method={method}", "-q", "-o", at(method + ".mha"))
        volumes.append(read_json("info", "--json", at(method + ".mha")))
        measured = read_json("theorem", at("flat.h5"), "--set", f"method={method}", "--view", "31", "--json", "-q")
        assert measured["difference"] < most and len(measured["line"]) == 256, measured["difference"]
        assert abs(measured["angle_degrees"] - 31 * 180 / 400) < 1e-6 and measured["nyquist"] == 0.5
    assert volumes[1]["plan"]["parameters"]["iterative.method"] == "fourier", volumes[1]["plan"]
    compared = read_json("compare", "--json", at("fourier.mha"), at("fbp.mha"), "-q")
    assert compared["relative_rmse"] < 0.1, compared
    fails("reconstruct", small_scan(), "--set", "method=fourier", "-q", "-o", at("none.mha"), status=1, words="parallel rays")
    rebinned = read_json("theorem", small_scan(), "--json", "-q")
    assert rebinned["rebinned"] and rebinned["difference"] < 0.05, rebinned["difference"]
    fails("theorem", small_scan(), "--slice", "0", "-q", status=1, words="only in the plane of the source")
    fails("theorem", at("flat.h5"), "--view", "400", "-q", status=1, words="the views are 0 to 399")
    table = run("theorem", at("flat.h5"), "--csv", "-q").stdout.splitlines()
    assert len(table) == 257 and table[0].startswith("frequency,slice_real"), table[:2]
    # Over all views, on the scan of the lesson: what linear interpolation damps is most of the difference, and without it 1e-3 holds.
    run("simulate", "-p", "shepp-logan", "-g", "parallel", "--views", "180", "--detector", "160x1", "--pixel", "0.8", "--sub", "4", "-q", "-o", at("lesson.h5"))
    linear, fourier = (read_json("theorem", at("lesson.h5"), "--all", "--set", f"method={method}", "--json", "-q") for method in ("fbp", "fourier"))
    assert fourier["difference"]["largest"] < 1e-3 and fourier["measured"] == 180 and "beyond_damping" not in fourier, fourier["difference"]
    assert all(view[2] is None for view in fourier["views"]), fourier["views"][0]
    assert linear["damping"] == "linear interpolation" and len(linear["views"]) == 180, linear["damping"]
    beyond = linear["beyond_damping"]
    assert beyond["median"] < min(1e-3, 0.45 * linear["difference"]["median"]), (beyond, linear["difference"])
    lines = run("theorem", at("lesson.h5"), "--all", "--csv", "-q").stdout.splitlines()
    assert lines[0] == "view,angle_degrees,difference,beyond_damping" and len(lines) == 181, lines[0]
    one = read_json("theorem", at("lesson.h5"), "--view", "17", "--json", "-q")["beyond_damping"]
    assert abs(float(lines[18].split(",")[3]) - one) < 1e-6 and abs(linear["views"][17][2] - one) < 1e-6, (lines[18], one)
    fails("theorem", at("lesson.h5"), "--view", "17", "--all", "-q", status=2, words="--view names one view and --all means all: choose one")
    assert "view 12), median" in run("theorem", at("lesson.h5"), "--all", "-q").stdout
    # Lengths are px where nobody told the pixel size.
    assert "0.5 per mm (Nyquist)" in run("theorem", at("flat.h5"), "-q").stdout
    with open(at("bare.bin"), "wb") as file:
        file.write(struct.pack("<960f", *([0.2] * 960)))
    with open(at("bare.json"), "w", encoding="utf-8") as file:
        json.dump({"files": {"raw": "bare.bin", "type": "float32", "dims": [32, 1, 30]}, "beam": "parallel", "values": "line integrals",
                   "angles_deg": {"first": 0, "step": 6}, "centre_u": 15.5}, file)
    assert "0.5 per px (Nyquist)" in run("theorem", at("bare.json"), "-q").stdout


sys.exit(main())
