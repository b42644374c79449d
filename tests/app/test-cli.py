#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives gantry-cli as a script would: test-cli.py PROGRAM. Speaks TAP; needs nothing beyond Python itself."""

import array
import json
import math
import os
import pty
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import zlib

PROGRAM = os.path.abspath(sys.argv[1])
COMMANDS = ["info", "simulate", "reconstruct", "slice", "compare", "kernels", "bench", "tune"]
TESTS = []
FOLDER = tempfile.mkdtemp(prefix="gantry-cli-")


class Skip(Exception):
    pass


def test(title):
    def add(function):
        TESTS.append((title, function))
        return function
    return add


def at(name):
    return os.path.join(FOLDER, name)


def run(*arguments, status=0, stdout=None):
    """The finished process, whose exit status was as expected."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=100)
    assert done.returncode == status, f"{arguments}: exit status {done.returncode}, stderr: {done.stderr.strip()}"
    return done


def fails(*arguments, status, words):
    """The process fails in one line on stderr that holds the words, and says nothing on stdout."""
    done = run(*arguments, status=status)
    lines = done.stderr.strip().split("\n")
    assert done.stdout == "", f"{arguments}: prints {done.stdout!r}"
    assert len(lines) == 1 and lines[0].startswith("gantry-cli: "), f"{arguments}: stderr is {done.stderr!r}"
    for word in [words] if isinstance(words, str) else words:
        assert word in lines[0], f"{arguments}: {word!r} is not in {lines[0]!r}"


def read_json(*arguments):
    return json.loads(run(*arguments).stdout)


def read_mha(path):
    """(size, values) of a plain MetaImage."""
    with open(path, "rb") as file:
        content = file.read()
    marker = b"ElementDataFile = LOCAL\n"
    head, data = content[:content.index(marker)].decode(), content[content.index(marker) + len(marker):]
    fields = dict(line.split(" = ", 1) for line in head.splitlines() if " = " in line)
    size = tuple(map(int, fields["DimSize"].split()))
    assert fields["ElementType"] == "MET_FLOAT" and fields.get("CompressedData", "False") == "False"
    values = array.array("f")
    values.frombytes(data[:4 * math.prod(size)])
    return size, values


def read_png(path):
    """(width, height, bits, grey rows as lists) of a grey PNG, all filters undone."""
    with open(path, "rb") as file:
        content = file.read()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    where, packed, texts = 8, b"", []
    while where < len(content):
        length, kind = struct.unpack(">I4s", content[where:where + 8])
        body = content[where + 8:where + 8 + length]
        assert struct.unpack(">I", content[where + 8 + length:where + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
        if kind == b"IDAT":
            packed += body
        if kind in (b"tEXt", b"zTXt", b"iTXt"):
            texts.append(body)
        where += 12 + length
    assert colour == 0
    step, raw, rows = bits // 8, zlib.decompress(packed), []
    before = bytes(width * step)
    for y in range(height):
        kind, line = raw[y * (width * step + 1)], bytearray(raw[y * (width * step + 1) + 1:(y + 1) * (width * step + 1)])
        for i in range(len(line)):
            a, b, c = line[i - step] if i >= step else 0, before[i], before[i - step] if i >= step else 0
            p = a + b - c
            paeth = a if abs(p - a) <= abs(p - b) and abs(p - a) <= abs(p - c) else b if abs(p - b) <= abs(p - c) else c
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        before = bytes(line)
        rows.append(list(struct.unpack(f">{width}{'H' if step == 2 else 'B'}", before)))
    return width, height, bits, rows, texts


def small_scan(name="small.h5", *more):
    if not os.path.exists(at(name)):
        run("simulate", "--detector", "48x40", "--views", 60, "--pixel", 4, *more, "-q", "-o", at(name), "--truth",
            at(name + ".truth.mha"))
    return at(name)


def small_volume():
    if not os.path.exists(at("small.mha")):
        run("reconstruct", small_scan(), "-q", "-o", at("small.mha"))
    return at("small.mha")


@test("help of the program and of every subcommand")
def _():
    overview = run("--help").stdout
    for command in COMMANDS:
        assert f"gantry-cli {command}" in overview
        text = run(command, "--help").stdout
        assert text.startswith(f"gantry-cli {command} ") and "--help" in text
        assert run(command, "-h").stdout == text
        assert max(map(len, text.split("\n"))) <= 140
    assert run("--version").stdout.startswith("gantry-cli ")


@test("help states units and defaults")
def _():
    text = run("simulate", "--help").stdout
    for words in ("in mm", "1/mm", "default: 360", "shepp-logan-3d-original", "tilted-edge"):
        assert words in text, words
    text = run("reconstruct", "--help").stdout
    plan = read_json("info", "--json", small_volume())["plan"]
    assert len(plan["parameters"]) > 40
    for key in plan["parameters"]:
        assert f"  {key}: " in text, f"{key} is not explained"
    for words in ("default: ram-lak", "mm or auto; default: auto", "one of none ram-lak"):
        assert words in text, words


@test("wrong usage gives status 2 and one line")
def _():
    assert run(status=2).stdout == ""
    fails("walk", status=2, words="walk")
    out = at("x.mha")
    for arguments, words in [
        (["info"], "one file"),
        (["info", "--bogus", "a"], "there is no option --bogus (see gantry-cli info --help)"),
        (["reconstruct", "--s", "a"], "--s could be several options"),
        (["reconstruct", "example", "--slice", "axial:mid", "-o", at("x.jpg")], "a slice is written as PNG"),
        (["info", "--json=3", "a"], "takes no value"),
        (["kernels", "extra"], "extra"),
        (["compare", "a"], "two volumes"),
        (["compare", "--peak", "-1", "a", "b"], "--peak"),
        (["compare", "--peak"], "needs a value"),
        (["slice", "a.mha"], "-o PNG"),
        (["slice", "a.mha", "--axis", "top", "-o", "x.png"], "top"),
        (["slice", "a.mha", "--index", "1.5", "-o", "x.png"], "1.5"),
        (["slice", "a.mha", "--bits", "12", "-o", "x.png"], "8 or 16"),
        (["slice", "a.mha", "--window", "3,1", "-o", "x.png"], "3,1"),
        (["slice", "a.mha", "--axis", "oblique", "-o", "x.png"], "--tilt and --rotation, or --normal"),
        (["slice", "a.mha", "--tilt", "30", "-o", "x.png"], "are for an oblique plane"),
        (["slice", "a.mha", "--axis", "oblique", "--normal", "0,0,0", "-o", "x.png"], "not all 0"),
        (["slice", "a.mha", "--axis", "oblique", "--normal", "1,2", "-o", "x.png"], "three numbers"),
        (["slice", "a.mha", "--axis", "oblique", "--normal", "1,2,3", "--tilt", "4", "-o", "x.png"], "one or the other"),
        (["slice", "a.mha", "--axis", "oblique", "--tilt", "200", "-o", "x.png"], "--tilt must be a number in -180..180"),
        (["slice", "a.mha", "--axis", "oblique", "--tilt", "20", "--index", "3", "-o", "x.png"], "--index"),
        (["reconstruct", "example", "--slice", "oblique", "--tilt", "20", "-o", "x.mha"], "written as PNG"),
        (["simulate"], "-o SCAN.h5"),
        (["simulate", "-o", "scan.tif"], ".h5"),
        (["simulate", "-o", at("scan.h5"), "--truth", "truth.docx"], "truth.docx"),
        (["simulate", "--phantom", "potato", "-o", "s.h5"], "potato"),
        (["simulate", "--geometry", "spiral", "-o", "s.h5"], "spiral"),
        (["simulate", "--detector", "12by9", "-o", "s.h5"], "12by9"),
        (["simulate", "--views", "0", "-o", "s.h5"], "--views"),
        (["simulate", "--pixel", "nan", "-o", "s.h5"], "--pixel"),
        (["simulate", "--noise", "1e3x", "-o", "s.h5"], "1e3x"),
        (["reconstruct", "-o", out], "one scan"),
        (["reconstruct", "example"], "-o FILE"),
        (["reconstruct", "example", "-o", "x.png"], "--slice"),
        (["reconstruct", "example", "-o", "x.docx"], "x.docx"),
        (["reconstruct", "example", "--slice", "axial", "-o", "x.png"], "AXIS:INDEX"),
        (["reconstruct", "example", "--bits", "16", "-o", out], "PNG"),
        (["reconstruct", "example", "--threads", "0", "-o", out], "--threads"),
        (["reconstruct", "example", "--set", "filter.window", "-o", out], "KEY=VALUE"),
        (["reconstruct", "example", "--set", "filter.widow=hann", "-o", out], "filter.widow"),
        (["reconstruct", "example", "--set", "filter.window=box", "-o", out], ["filter.window", "box"]),
        (["reconstruct", "example", "--set", "filter.cutoff=2", "-o", out], ["filter.cutoff", "2"]),
        (["reconstruct", "example", "--set", "filter.cutoff=0.5x", "-o", out], "0.5x"),
    ]:
        fails(*arguments, status=2, words=words)
    assert not os.path.exists(out)


@test("bad files give status 1 and one line that names the file")
def _():
    for name, content in [("empty.h5", b""), ("magic.h5", b"no HDF5 file at all" * 10), ("magic.mha", b"NDims = three\n"),
                          ("magic.tif", b"II*\0junk" * 8), ("magic.png", b"\x89PNG junk" * 8), ("unknown.xyz", b"hello")]:
        with open(at(name), "wb") as file:
            file.write(content)
        fails("info", at(name), status=1, words=at(name))
        fails("reconstruct", at(name), "-q", "-o", at("never.mha"), status=1, words=at(name))
        fails("slice", at(name), "-o", at("never.png"), status=1, words=at(name))
    with open(small_volume(), "rb") as file:
        whole = file.read()
    with open(at("cut.mha"), "wb") as file:
        file.write(whole[:len(whole) // 2])
    fails("compare", at("cut.mha"), small_volume(), status=1, words=at("cut.mha"))
    fails("compare", small_volume(), at("gone.mha"), status=1, words=at("gone.mha"))
    fails("info", at("gone.h5"), status=1, words=at("gone.h5"))
    fails("reconstruct", at("gone.h5"), "-q", "-o", at("never.mha"), status=1, words=at("gone.h5"))
    with open(at("bad-plan.json"), "w") as file:
        file.write('{"gantry_plan": 1, "parameters": {"filter.window": "box"}}')
    fails("reconstruct", small_scan(), "-p", at("bad-plan.json"), "-o", at("never.mha"), status=1, words=["bad-plan.json", "box"])
    assert not os.path.exists(at("never.mha")) and not os.path.exists(at("never.png"))


@test("outputs that cannot be made are refused before the work")
def _():
    scan = small_scan()
    fails("reconstruct", scan, "-o", at("nowhere/x.mha"), status=1, words="nowhere")
    fails("reconstruct", scan, "-o", at("small.h5/x.mha"), status=1, words="small.h5")
    fails("simulate", "-o", at("nowhere/x.h5"), status=1, words="nowhere")
    fails("slice", small_volume(), "-o", at("nowhere/x.png"), status=1, words="nowhere")
    fails("slice", small_volume(), "--index", 400, "-o", at("x.png"), status=1, words=["400", "0..39"])
    with open("/dev/full", "w") as full:
        assert "standard output" in run("kernels", status=1, stdout=full).stderr


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


@test("a volume compares with itself as equal, with another size not at all")
def _():
    same = read_json("compare", "--json", small_volume(), small_volume())
    assert same["rmse"] == 0 and same["max_abs"] == 0 and same["psnr"] is None
    assert abs(same["ssim"] - 1) < 1e-12 and abs(same["pearson_r"] - 1) < 1e-12 and abs(same["slope"] - 1) < 1e-12
    size, values = read_mha(small_volume())
    assert same["count"] == len(values) and abs(same["peak"] - (max(values) - min(values))) < 1e-12
    assert read_json("compare", "--json", "--peak", 4095, small_volume(), small_volume())["peak"] == 4095
    assert "SSIM" in run("compare", small_volume(), small_volume()).stdout
    fails("compare", small_volume(), at("slice.mha"), status=1, words="cannot be compared")


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
    # --set wins over --plan wherever they stand.
    run("reconstruct", scan, "--set", "filter.window=cosine", "--plan", at("p1.json"), "-q", "-o", at("p3.mha"), "--save-plan", at("p3.json"))
    with open(at("p3.json")) as three:
        assert json.load(three)["parameters"]["filter.window"] == "cosine"


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


@test("a missing file is named first")
def _():
    for arguments in (["info", at("gone.h5")], ["slice", at("gone.h5"), "-o", at("gone.png")], ["reconstruct", at("gone.h5"), "-o", at("x.mha")]):
        fails(*arguments, status=1, words=f"gantry-cli: {at('gone.h5')}: No such file")


@test("a volume that neither memory nor disk can hold is refused before the work")
def _():
    huge = ["--set", "reconstruction.nx=8000", "--set", "reconstruction.nz=65536"]
    fails("reconstruct", small_scan(), *huge, "-q", "-o", at("never.mha"), status=1, words=["it needs 16.8 TB", "the disk has"])
    fails("reconstruct", small_scan(), *huge, "--memory", "10M", "-q", "-o", at("never.mha"), status=1,
          words=["Even one slice", "10.0 MB may be used"])
    assert not os.path.exists(at("never.mha"))


@test("a volume larger than the memory goes slab by slab to its file")
def _():
    _, whole = read_mha(small_volume())
    peak = max(whole)
    for memory, words in (("0.7M", "slabs of up to"), ("0.45MB", "only the detector rows")):
        done = run("reconstruct", small_scan(), "--memory", memory, "-o", at("slabs.mha"), "--save-plan", at("slabs.json"))
        assert words in done.stderr and "slabs.mha: 48 x 48 x 40 voxels" in done.stderr, done.stderr
        size, values = read_mha(at("slabs.mha"))
        assert size == (48, 48, 40) and max(abs(a - b) for a, b in zip(values, whole)) <= 1e-6 * peak
        plans = [read_json("info", "--json", name)["plan"] for name in (at("slabs.mha"), small_volume())]
        assert plans[0] == plans[1]
    assert "slabs" not in run("reconstruct", small_scan(), "--memory", "100M", "-o", at("one.mha")).stderr
    with open(at("one.mha"), "rb") as one, open(small_volume(), "rb") as other:
        assert one.read() == other.read()
    limits = ["--set", "output.samples=uint16", "--set", "output.low=-0.01", "--set", "output.high=0.04"]
    for name in ("slabs.mhd", "slabs.nrrd", "slabs.h5", "slabs.tif", "slabs.raw"):
        run("reconstruct", small_scan(), "--memory", "0.7M", *limits, "--set", "output.compress=yes", "-q", "-o", at(name))
        result = read_json("compare", "--json", at(name), small_volume())
        assert result["max_abs"] <= 0.51 * 0.05 / 65535 + 1e-6 * peak, f"{name}: {result}"
    fails("reconstruct", small_scan(), "--memory", "0.7M", *limits[:2], "-q", "-o", at("never.mha"), status=1,
          words=["never.mha", "0 and 65535"])
    for arguments, words in ((["--memory", "2X"], "2X"), (["--memory", "1G", "--slice", "axial:mid"], "not for one slice"),
                             (["--memory", "1G", "--force"], "contradict")):
        fails("reconstruct", small_scan(), *arguments, "-o", at("never.mha"), status=2, words=words)
    assert not os.path.exists(at("never.mha"))


@test("SIGINT amid the slabs leaves no file")
def _():
    folder = tempfile.mkdtemp(prefix="slabs-", dir=FOLDER)
    process = subprocess.Popen([PROGRAM, "reconstruct", small_scan(), "--set", "reconstruction.nx=400", "--set", "reconstruction.nz=400",
                                "--memory", "20M", "-o", os.path.join(folder, "out.mha")], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    limit = time.monotonic() + 60
    while not os.listdir(folder) and time.monotonic() < limit:  # the first slab is written
        time.sleep(0.01)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 1 and rest.strip().split("\n")[-1] == "gantry-cli: interrupted, nothing written", rest
    assert os.listdir(folder) == []


@test("quiet is quiet, progress and summary go to stderr")
def _():
    done = run("reconstruct", small_scan(), "-q", "-o", at("quiet.mha"))
    assert done.stdout == "" and done.stderr == ""
    done = run("reconstruct", small_scan(), "-o", at("loud.mha"))
    assert done.stdout == "" and "loud.mha: 48 x 48 x 40 voxels" in done.stderr and "\r" not in done.stderr
    assert read_mha(at("quiet.mha")) == read_mha(at("loud.mha"))
    assert read_json("info", "--json", "example")["beam"] == "cone"


@test("on a terminal one line is rewritten, and gone at the end")
def _():
    try:
        ours, theirs = pty.openpty()
    except OSError as reason:
        raise Skip(f"there is no pseudo-terminal: {reason}") from None
    process = subprocess.Popen([PROGRAM, "reconstruct", small_scan(), "--set", "reconstruction.kernel=textbook", "--set",
                                "reconstruction.nx=150", "-o", at("tty.mha")], stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    seen = b""
    while True:
        try:
            more = os.read(ours, 4096)
        except OSError:  # the other end is closed
            break
        if not more:
            break
        seen += more
    os.close(ours)
    assert process.wait(timeout=60) == 0
    assert b"\r\x1b[KBack-projecting" in seen and seen.count(b"\n") == 1, seen[-300:]
    assert b"\r\x1b[K" + at("tty.mha").encode() in seen, seen[-300:]


@test("the number of threads changes nothing")
def _():
    run("reconstruct", small_scan(), "--threads", 1, "-q", "-o", at("t1.mha"))
    run("reconstruct", small_scan(), "--threads", 3, "-q", "-o", at("t3.mha"))
    assert read_mha(at("t1.mha")) == read_mha(at("t3.mha"))


def interrupted(number, old):
    """Starts a reconstruction of minutes, sends the signal when it is at work, and looks at what is left."""
    folder = at(f"interrupt-{number}-{old}")
    os.mkdir(folder)
    output = os.path.join(folder, "out.mha")
    if old:
        with open(output, "w") as file:
            file.write("old")
    process = subprocess.Popen([PROGRAM, "reconstruct", small_scan(), "--set", "reconstruction.kernel=textbook", "--set",
                                "reconstruction.nx=500", "--set", "reconstruction.nz=500", "--force", "-o", output],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    seen = ""
    while "Back-projecting" not in seen:
        line = process.stderr.readline()
        assert line, f"ended by itself: {seen}"
        seen += line
    process.send_signal(number)
    sent = time.monotonic()
    _, rest = process.communicate(timeout=60)
    assert process.returncode == 1, f"exit status {process.returncode}: {rest}"
    assert rest.strip().split("\n")[-1] == "gantry-cli: interrupted, nothing written", rest
    assert os.listdir(folder) == (["out.mha"] if old else []), os.listdir(folder)
    if old:
        with open(output) as file:
            assert file.read() == "old"
    print(f"# ended {time.monotonic() - sent:.2f} s after the signal")


@test("SIGINT ends a reconstruction cleanly and leaves no file")
def _():
    interrupted(signal.SIGINT, False)


@test("SIGTERM too, and an old file of that name stays")
def _():
    interrupted(signal.SIGTERM, True)


def first_device():
    """The first graphics device's name; without one the test is passed over."""
    devices = read_json("info", "--devices", "--json")
    if not devices:
        raise Skip("no graphics device with OpenGL 4.3")
    return devices[0]["name"]


@test("info --devices tells each device's driver and limits")
def _():
    name = first_device()
    device = read_json("info", "--devices", "--json")[0]
    assert device["driver"] and device["storage_block"] >= 1 << 27 and device["group_threads"] >= 1024, device
    assert device["software"] in (True, False) and (device["memory"] is None or device["memory"] > 1e8), device
    lines = run("info", "--devices").stdout.split("\n")
    assert lines[0].startswith(name) and any(device["driver"] in line for line in lines), lines


@test("a device that is not here is refused by name, and so are GPU kernels without one")
def _():
    size = [word for axis in "xyz" for word in ("--set", f"reconstruction.n{axis}=16")]
    command = ["reconstruct", "example", *size, "-q", "-o", at("gpu.mha"), "--set", "reconstruction.kernel=gl-tuned"]
    fails(*command, "--set", "reconstruction.device=Rusty 3000", status=1,
          words="Rusty 3000" if read_json("info", "--devices", "--json") else "No graphics device")
    fails(*command, "--set", "reconstruction.device=none", status=1, words="needs a graphics device")
    assert not os.path.exists(at("gpu.mha"))
    fails("tune", "--device", "Rusty 3000", status=1, words="raphics device")
    fails("bench", "gpu", "--device", "none", status=1, words="info --devices")


@test("a graphics device makes the processor's volume")
def _():
    name = first_device()
    for beam, kernel in (("cone", "gl-tuned"), ("parallel", "gl-tuned-parallel")):
        run("simulate", "--geometry", beam, "--detector", "24x24", "--views", "30", "-q", "-o", at("scan.h5"))
        run("reconstruct", at("scan.h5"), "-q", "-o", at("cpu.mha"), "--set", "reconstruction.device=none")
        run("reconstruct", at("scan.h5"), "-q", "-o", at("gpu.mha"), "--set", f"reconstruction.device={name}",
            "--set", f"reconstruction.kernel={kernel}")
        told = read_json("compare", "--json", at("gpu.mha"), at("cpu.mha"))
        # Positions between pixels come in steps of 1/256 where the texture unit interpolates.
        assert 0 < told["relative_rmse"] < 2e-3, (kernel, told)


@test("tune tells its trials, keeps the fastest settings, and damaged ones are passed over with a word")
def _():
    name = first_device()
    cache = at("cache")
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(cache, "below"))
    os.mkdir(cache)

    def tuned(*arguments):
        done = subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        return done

    done = tuned("tune", "--device", name, "--size", "8")
    trials = done.stderr.strip().split("\n")
    assert len(trials) > 60 and all(line.startswith(("gl-tuned: ", "gl-tuned-parallel: ")) for line in trials), trials[:3]
    assert name in done.stdout and "Kept in " + cache in done.stdout, done.stdout
    kept = done.stdout.split("Kept in ")[1].strip()
    assert os.listdir(os.path.dirname(kept)) == [os.path.basename(kept)]
    command = ["reconstruct", "example", "-q", "-o", at("gpu.mha"), "--set", f"reconstruction.device={name}"]
    command += [word for axis in "xyz" for word in ("--set", f"reconstruction.n{axis}=16")]
    assert tuned(*command).stderr == ""
    with open(kept, "r+") as file:
        text = file.read()
        file.truncate(len(text) - 20)
    words = tuned(*command).stderr
    assert kept in words and "damaged" in words and len(words.strip().split("\n")) == 1, words


@test("the program links no window toolkit")
def _():
    if not shutil.which("ldd"):
        raise Skip("there is no ldd")
    libraries = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    assert "libfftw3f" in libraries and "libgomp" in libraries
    for word in ("gtk", "glib", "gobject", "adwaita", "libgio", "libX11", "wayland"):
        assert word not in libraries, f"links {word}"


def main():
    # A shell that runs this in the background has it ignore SIGINT, which children would inherit.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    failed = 0
    print(f"1..{len(TESTS)}", flush=True)
    for number, (title, function) in enumerate(TESTS, 1):
        try:
            function()
            print(f"ok {number} - {title}", flush=True)
        except Skip as reason:
            print(f"ok {number} - {title} # SKIP {reason}", flush=True)
        except Exception:  # anything that goes wrong is this test's failure
            failed += 1
            print(f"not ok {number} - {title}")
            for line in traceback.format_exc().strip().split("\n")[-4:]:
                print("# " + line)
            sys.stdout.flush()
    shutil.rmtree(FOLDER, ignore_errors=True)
    return 1 if failed else 0


sys.exit(main())
