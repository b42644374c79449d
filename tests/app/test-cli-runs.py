#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of gantry-cli reconstruct as such: too little memory or disk, slabs, threads, signals, progress. test-cli-runs.py PROGRAM.
Speaks TAP; needs nothing beyond Python itself."""

import json
import math
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

from cli_driver import at, FOLDER, fails, main, PROGRAM, read_json, read_mha, run, Skip, small_scan, small_volume, test


@test("a volume that neither memory nor disk can hold is refused before the work")
def _():
    huge = ["--set", "reconstruction.nx=8000", "--set", "reconstruction.nz=65536"]
    fails("reconstruct", small_scan(), *huge, "-q", "-o", at("never.mha"), status=1, words=["it needs 16.8 TB", "the disk has"])
    fails("reconstruct", small_scan(), *huge, "--memory", "10M", "-q", "-o", at("never.mha"), status=1,
          words=["Even one slice", "10.0 MB may be used"])
    assert not os.path.exists(at("never.mha"))


@test("a limit of the files' size is told, and leaves nothing behind")
def _():
    def limit(bytes_):
        return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))  # Python lets children have the signal again
    volume, scan = small_volume(), small_scan()
    for most, name, *arguments in [
            *((100000, "limited." + end, "reconstruct", scan) for end in ("mha", "nhdr", "raw", "h5", "tif", "npy", "nii")),
            (100000, "slabs.limited.mha", "reconstruct", scan, "--memory", "0.7M"), (100000, "limited.scan.h5", "simulate", "--views", "48"),
            (200, "limited.png", "slice", volume)]:
        before = sorted(os.listdir(FOLDER))
        done = subprocess.run([PROGRAM, *arguments, "-q", "-o", at(name)], preexec_fn=limit(most), capture_output=True, text=True, timeout=200)
        assert done.returncode == 1 and done.stderr.count("\n") == 1 and "File too large" in done.stderr, (arguments, done)
        assert sorted(os.listdir(FOLDER)) == before, (arguments, os.listdir(FOLDER))


@test("a slice that the memory cannot hold the projections of is told what makes those fewer")
def _():
    with open("/proc/meminfo") as file:
        if int(re.search(r"MemTotal: *(\d+)", file.read()).group(1)) > 120e6:
            raise Skip("this machine could hold them")
    # Files of holes.
    for name, dims in (("tall", [8192, 8192, 4096]), ("flat", [30000, 1, 1200000])):
        with open(at(name + ".raw"), "wb") as file:
            file.truncate(math.prod(dims))
        with open(at(name + ".scan.json"), "w") as file:
            json.dump({"files": {"raw": name + ".raw", "type": "uint8", "dims": dims}, "angles_deg": {"first": 0, "step": 180 / dims[2]},
                       "beam": "parallel" if dims[1] > 1 else "fan", "sod_mm": 50000, "sdd_mm": 60000, "pixel_mm": 0.1,
                       "values": "line integrals"}, file)
    for name, never in (("tall", "slabs"), ("flat", "slice")):
        done = run("reconstruct", at(name + ".raw"), "--slice", "axial:mid", "-q", "-o", at("never.mha"), status=1)
        needs, ways = done.stderr.split(" free: ")
        assert "This needs 1.10 TB" in needs or "This needs 144 GB" in needs, done.stderr
        assert re.search(r"bin \d+ × \d+ \(|one view in|more memory", ways) and "--force" in ways and never not in ways, done.stderr
        os.remove(at(name + ".raw"))


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
        for plan in plans:  # which kernel serves hangs on the size
            assert plan["resolved"].pop("reconstruction.kernel")
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
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))  # the tests may run under nohup themselves
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


@test("a terminal that goes away does as well, but not under nohup")
def _():
    interrupted(signal.SIGHUP, False)
    process = subprocess.Popen(["nohup", PROGRAM, "reconstruct", small_scan(), "--set", "reconstruction.kernel=textbook", "-o", at("hup.mha")],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr.readline()
    process.send_signal(signal.SIGHUP)
    _, words = process.communicate(timeout=60)
    assert process.returncode == 0 and os.path.exists(at("hup.mha")), words


@test("progress is printed as often as it is asked for")
def _():
    lines = []
    for more in ([], ["--progress", 0.1]):
        told = run("reconstruct", small_scan(), "--set", "kernel=textbook", "--set", "nx=140", "--set", "nz=60", *more, "-o", at("told.mha"))
        lines.append(told.stderr.count("Back-projecting"))
    assert lines[1] > lines[0] + 1, lines
    fails("reconstruct", small_scan(), "--progress", 0, "-o", at("told.mha"), status=2, words="--progress")


@test("a reader of the progress who goes away leaves a whole file")
def _():
    folder = tempfile.mkdtemp(prefix="unread-", dir=FOLDER)
    process = subprocess.Popen([PROGRAM, "reconstruct", small_scan(), "--set", "reconstruction.kernel=textbook", "--set",
                                "reconstruction.nx=100", "--set", "reconstruction.nz=60", "-o", os.path.join(folder, "out.mha")],
                               stderr=subprocess.PIPE)
    assert process.stderr.readline()
    process.stderr.close()
    process.wait(timeout=60)
    assert os.listdir(folder) == ["out.mha"], os.listdir(folder)
    assert read_json("info", "--json", os.path.join(folder, "out.mha"))["size"][0] == 100


sys.exit(main())
