#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of gantry-cli: help, usage, bad files, progress. test-cli.py PROGRAM. Speaks TAP; needs nothing beyond Python itself."""

import os
import pty
import re
import shutil
import subprocess
import sys

from cli_driver import at, fails, main, PROGRAM, read_json, read_mha, run, Skip, small_scan, small_volume, test

COMMANDS = ["info", "simulate", "reconstruct", "slice", "compare", "kernels", "methods", "bench", "tune", "variants", "figures", "theorem"]


@test("threads wait briefly for each other, unless the user says how")
def _():
    def told(**settings):
        environment = {name: value for name, value in os.environ.items() if name not in ("OMP_WAIT_POLICY", "GOMP_SPINCOUNT")}
        done = subprocess.run([PROGRAM, "kernels"], env=dict(environment, OMP_DISPLAY_ENV="verbose", **settings), text=True,
                              capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return re.findall(r"GOMP_SPINCOUNT = '(\d+)'", done.stderr)

    own = told()
    if not own or sys.platform != "linux":
        raise Skip("not GNU's OpenMP library")
    assert own[-1] == "2000" and len(own) == 2, own
    assert told(GOMP_SPINCOUNT="77") == ["77"]
    assert len(told(OMP_WAIT_POLICY="passive")) == 1


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
    for words in ("--pixel mm", "--mu 1/mm", "default: 360", "shepp-logan-3d-original", "tilted-edge"):
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
        (["info", "--json=3", "a"], "--json=3: the option takes no value"),
        (["info", "--help=3"], "--help=3: the option takes no value"),
        (["info", "--json", "-jx", "a"], "there is no option -x"),
        (["reconstruct", "--quiet", "-xq", "a"], "there is no option -x"),
        (["info", ""], "word 1 behind it is empty"),
        (["reconstruct", "a", "-o", ""], "word 3 behind it is empty"),
        (["kernels", "extra"], "extra"),
        (["compare", "a"], "two volumes"),
        (["compare", "--peak", "-1", "a", "b"], "--peak"),
        (["compare", "--peak"], "needs a value"),
        (["slice", "a.mha"], "-o PNG"),
        (["slice", "a.mha", "-o", "a.mha"], "a.mha must end in .png"),
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
        (["simulate", "--phantom", "potato", "-o", "s.h5"], ["potato", "there are shepp-logan, "]),
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
        (["reconstruct", "example", "--memory", "-2G", "-o", out], "-2G"),
        (["reconstruct", "example", "--memory", "1e30", "-o", out], "1e30"),
        (["reconstruct", "example", "--set", "iterations=0", "-o", out], "1 to 100000"),
        (["reconstruct", "example", "--set", "filter.window", "-o", out], "KEY=VALUE"),
        (["reconstruct", "example", "--set", "filter.widow=hann", "-o", out], "filter.widow"),
        (["reconstruct", "example", "--set", "filter.window=box", "-o", out], ["filter.window", "box"]),
        (["reconstruct", "example", "--set", "filter.cutoff=2", "-o", out], ["filter.cutoff", "2"]),
        (["reconstruct", "example", "--set", "filter.cutoff=0.5x", "-o", out], "0.5x"),
    ]:
        fails(*arguments, status=2, words=words)
    assert not os.path.exists(out)


@test("info shows no scan with an error in it as a volume")
def _():
    shutil.copy(small_volume(), at("told.mha"))
    with open(at("bare.mha"), "wb") as file:
        file.write(b"ObjectType = Image\nNDims = 3\nDimSize = 4 3 5\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n" + bytes(60))
    shutil.copy(at("bare.mha"), at("angles.mha"))
    shutil.copy(at("bare.mha"), at("described.mha"))
    with open(at("described.scan.json"), "w") as file:
        file.write('{"beam": "cone"}')
    with open(at("angles.ang"), "w") as file:
        file.write("0 90\n")
    told = read_json("info", "--json", "-q", at("angles.mha"))
    assert told["kind"] == "scan" and "angles" in told["assumed"]
    assert [w for w in told["warnings"] if w["from"] == "angles.ang" and "2 angles for 5 projections" in w["text"]]
    with open(at("angles.ang"), "w") as file:
        file.write("0 90 x\n")
    fails("info", at("angles.mha"), "-q", status=1, words=["angles.ang", "line 1"])
    fails("info", at("described.mha"), "-q", status=1, words=["described.scan.json", "sod_mm"])
    for name in ("told.mha", "bare.mha"):
        assert read_json("info", "--json", "-q", at(name))["kind"] == "volume"
    assert read_json("info", "--json", "-q", "--volume", at("angles.mha"))["kind"] == "volume"
    assert read_json("info", "--json", "-q", "--scan", at("bare.mha"))["kind"] == "scan"


@test("info tells what of a geometry was read from where, assumed, and ignored")
def _():
    os.makedirs(at("beside"), exist_ok=True)
    with open(at("beside/run.mha"), "wb") as file:
        file.write(b"ObjectType = Image\nNDims = 3\nDimSize = 4 3 5\nElementType = MET_UCHAR\nElementDataFile = LOCAL\n" + bytes(60))
    for name, views in ("run.xml", 5), ("other.xml", 7):
        with open(at("beside/" + name), "w") as file:
            file.write('<?xml version="1.0"?>\n<RTKThreeDCircularGeometry version="3">'
                       "<SourceToIsocenterDistance>100</SourceToIsocenterDistance>"
                       "<SourceToDetectorDistance>250</SourceToDetectorDistance>" +
                       "".join(f"<Projection><GantryAngle>{72 * i}</GantryAngle></Projection>" for i in range(views)) +
                       "</RTKThreeDCircularGeometry>\n")
    for name in "run.mha", "run.xml":
        told = read_json("info", "--json", "-q", at("beside/" + name))
        assert told["kind"] == "scan" and told["beam"] == "cone" and told["sdd_mm"] == 250
        assert any(r["from"] == "run.xml" and "source to axis 100 mm" in r["text"] for r in told["read"])
        assert any("1 mm is assumed" in r["text"] for r in told["warnings"])
    told = read_json("info", "--json", "-q", at("beside/run.mha"))
    assert any(r["from"] == "other.xml" and "7 projections" in r["text"] for r in told["ignored"])
    told = read_json("info", "--json", "-q", "--scan", "--description", '{"geometry": false}', at("beside/run.mha"))
    assert told["beam"] == "parallel" and not any(r["from"] == "run.xml" for r in told["read"])


@test("bad files give status 1 and one line that names the file")
def _():
    for name, content in [("empty.h5", b""), ("magic.h5", b"no HDF5 file at all" * 10), ("magic.mha", b"NDims = three\n"),
                          ("magic.tif", b"II*\0junk" * 8), ("magic.png", b"\x89PNG junk" * 8), ("unknown.xyz", b"hello")]:
        with open(at(name), "wb") as file:
            file.write(content)
        fails("info", at(name), "-q", status=1, words=at(name))
        fails("reconstruct", at(name), "-q", "-o", at("never.mha"), status=1, words=at(name))
        fails("slice", at(name), "-q", "-o", at("never.png"), status=1, words=at(name))
    with open(small_volume(), "rb") as file:
        whole = file.read()
    with open(at("cut.mha"), "wb") as file:
        file.write(whole[:len(whole) // 2])
    fails("compare", at("cut.mha"), small_volume(), "-q", status=1, words=at("cut.mha"))
    fails("compare", small_volume(), at("gone.mha"), "-q", status=1, words=at("gone.mha"))
    fails("info", at("gone.h5"), status=1, words=at("gone.h5"))
    fails("reconstruct", at("gone.h5"), "-q", "-o", at("never.mha"), status=1, words=at("gone.h5"))
    with open(at("bad-plan.json"), "w") as file:
        file.write('{"gantry_plan": 1, "parameters": {"filter.window": "box"}}')
    fails("reconstruct", small_scan(), "-p", at("bad-plan.json"), "-o", at("never.mha"), status=1, words=["bad-plan.json", "line 1", "box"])
    fails("reconstruct", at("bad-plan.json"), "-o", at("never.mha"), status=1, words=["bad-plan.json", "is a plan"])
    assert not os.path.exists(at("never.mha")) and not os.path.exists(at("never.png"))


@test("outputs that cannot be made are refused before the work")
def _():
    scan = small_scan()
    fails("reconstruct", scan, "-o", at("nowhere/x.mha"), status=1, words="nowhere")
    fails("reconstruct", scan, "-o", at("small.h5/x.mha"), status=1, words="small.h5")
    fails("simulate", "-o", at("nowhere/x.h5"), status=1, words="nowhere")
    fails("slice", small_volume(), "-q", "-o", at("nowhere/x.png"), status=1, words="nowhere")
    # Also what is there already, and cannot be replaced: nothing else is written, either.
    folder = at("folder.h5")
    os.makedirs(folder, exist_ok=True)
    for arguments in (["simulate", "-o", folder], ["simulate", "-o", at("x.h5"), "--truth", folder], ["reconstruct", scan, "-o", folder],
                      ["reconstruct", scan, "-o", at("x.mha"), "--save-plan", folder], ["matrix", scan, "--spy", folder],
                      ["bench", "ladder", "--json", folder]):
        fails(*arguments, status=1, words=[folder, "it is a folder"])
    assert not os.listdir(folder) and not os.path.exists(at("x.mha")) and not os.path.exists(at("x.h5"))
    assert not [name for name in os.listdir(at("")) if name.startswith(".gantry-")]
    fails("slice", small_volume(), "-q", "--index", 400, "-o", at("x.png"), status=1, words=["400", "0..39"])
    with open("/dev/full", "w") as full:
        assert "standard output" in run("kernels", status=1, stdout=full).stderr


@test("nothing overwrites what it is made from, or another output")
def _():
    scan = at("kept.h5")
    shutil.copy(small_scan(), scan)
    os.symlink(scan, at("link.h5"))
    with open(scan, "rb") as file:
        before = file.read()
    for read in (scan, at("link.h5"), scan + "::/exchange/data"):
        fails("reconstruct", read, "-o", scan, status=2, words=[scan, "would overwrite what is read"])
    fails("reconstruct", scan, "-o", at("x.mha"), "--save-plan", at("./kept.h5"), status=2, words="would overwrite what is read")
    fails("matrix", scan, "--export", scan, status=2, words="would overwrite what is read")
    for arguments in (["simulate", "-o", at("x.h5"), "--truth", at("./x.h5")],
                      ["reconstruct", scan, "-o", at("x.mha"), "--save-plan", at("x.mha")],
                      ["matrix", "--bars", at("x.png"), "--spy", at("x.png")]):
        fails(*arguments, status=2, words=["x.", "two outputs at once"])
    with open(scan, "rb") as file:
        assert file.read() == before
    assert not os.path.exists(at("x.mha")) and not os.path.exists(at("x.h5"))
    # What lies beside the images of a folder is not what is read of it: an earlier volume is made anew.
    folder, volume = at("images"), at("images/volume.mha")
    os.mkdir(folder)
    for n in range(3):
        run("reconstruct", small_scan(), "--slice", f"axial:{n}", "-q", "-o", at(f"images/p{n}.png"))
    image = at("images/p1.png")
    for _ in range(2):
        run("reconstruct", folder, "--set", "nx=8", "--set", "ny=8", "--set", "nz=4", "-o", volume)
    fails("reconstruct", folder, "--slice", "axial:0", "-o", image, status=2, words=[image, "would overwrite what is read"])


@test("a fault names the file that it is about")
def _():
    gone, scan = at("gone.mha"), small_scan()
    iterate = ["reconstruct", scan, "--set", "iterative.method=sirt", "-o", at("x.mha")]
    fails("info", scan, "--description", gone, status=1, words=f"gantry-cli: Cannot open {gone}")
    for option in ("--start", "--reference"):
        fails(*iterate, option, gone, status=1, words=f"gantry-cli: Cannot open {gone}")
    fails("simulate", "--offset-u", "1e5", "--detector", "8x8", "--views", "2", "-o", at("x.h5"), status=1, words="beside the rotation axis")


@test("a missing file is named first")
def _():
    for arguments in (["info", at("gone.h5")], ["slice", at("gone.h5"), "-o", at("gone.png")], ["reconstruct", at("gone.h5"), "-o", at("x.mha")]):
        fails(*arguments, status=1, words=f"gantry-cli: {at('gone.h5')}: No such file")


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


@test("the program links no window toolkit")
def _():
    if not shutil.which("ldd"):
        raise Skip("there is no ldd")
    libraries = subprocess.run(["ldd", PROGRAM], capture_output=True, text=True, check=True).stdout
    assert "libfftw3f" in libraries and "libgomp" in libraries
    for word in ("gtk", "glib", "gobject", "adwaita", "libgio", "libX11", "wayland"):
        assert word not in libraries, f"links {word}"


sys.exit(main())
