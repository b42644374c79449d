#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli batch: what lists, folders, patterns and plans stand for, failures, outputs that are there, interruption.
test-cli-batch.py PROGRAM. Speaks TAP."""

import json
import math
import os
import shutil
import signal
import struct
import subprocess
import sys

from cli_driver import at, fails, main, PROGRAM, read_json, read_mha, run, test

NO_DEVICE = ["--set", "device=none"]  # to look for one takes longer than all the rest


def scans():
    """A folder with two scans, two volumes, of which one does not say that it is one, and a text, all small."""
    if not os.path.exists(at("scans")):
        os.mkdir(at("scans"))
        for name, views in (("a", 20), ("b", 24)):
            run("simulate", "--geometry", "parallel", "--detector", "24x4", "--views", views, "--pixel", 4, "-q", "-o", at(f"scans/{name}.h5"))
        reconstruct(at("scans/a.h5"), "-o", at("scans/volume.mha"))
        run("simulate", "--geometry", "parallel", "--detector", "24x4", "--views", 2, "-q", "-o", at("x.h5"), "--truth", at("scans/either.mha"))
        with open(at("scans/notes"), "w") as file:
            file.write("nothing to reconstruct\n")
    return at("scans")


def reconstruct(*arguments):
    run("reconstruct", *arguments, *NO_DEVICE, "-q")


def write(name, text):
    with open(at(name), "w") as file:
        file.write(text)
    return at(name)


def batch(*arguments, status=0):
    return json.loads(run("batch", *arguments, *NO_DEVICE, "--json", "-q", status=status).stdout)


def states(summary):
    return [row["state"] for row in summary["rows"]]


@test("a list: own plans and outputs, and what fails in the middle stops nothing")
def _():
    reconstruct(scans() + "/b.h5", "--set", "window=hann", "--save-plan", at("hann.json"), "-o", at("hann.mha"))
    os.mkdir(at("a day"))
    shutil.copy(at("scans/b.h5"), at("a day/b c.h5"))
    write("all.txt", '# three\n\nscans/a.h5\nmissing.h5\n"a day/b c.h5"  plan=hann.json output="a day/out.nrrd" # own\n')
    summary = batch(at("all.txt"), "-o", at("list/{number}-{name}.mha"), "--set", "view_step=2", status=1)
    assert states(summary) == ["done", "failed", "done"] and summary["counts"]["done"] == 2 and summary["counts"]["failed"] == 1
    a, missing, b = summary["rows"]
    assert a["output"] == at("list/01-a.mha") and b["output"] == at("a day/out.nrrd") and b["plan"] == at("hann.json")
    assert "missing.h5" in missing["reason"] and a["reason"] is None and a["seconds"] > 0
    assert a["size"] == list(read_mha(a["output"])[0])
    reconstruct(b["scan"], "--plan", at("hann.json"), "--set", "view_step=2", "-o", at("alone.mha"))
    assert read_json("compare", "--json", "-q", b["output"], at("alone.mha"))["max_abs"] == 0
    words = run("batch", at("all.txt"), "-o", at("again/"), *NO_DEVICE, status=1)
    assert "missing.h5" in words.stdout and "3 in all: " in words.stdout and "2 failed" in words.stdout and "3 of 3" in words.stderr
    assert "is there already" in words.stdout and os.listdir(at("again")) == ["a.mha"], words.stdout


@test("folders, patterns and saved plans; a dry run makes nothing")
def _():
    folder = batch(scans(), "-o", at("folder"), "--dry-run")
    assert [os.path.basename(row["scan"]) for row in folder["rows"]] == ["a.h5", "b.h5"] and not os.path.exists(at("folder"))
    assert states(folder) == ["ready", "ready"] and folder["rows"][0]["size"][0] == 24 and folder["rows"][0]["bytes"] > 0
    pattern = batch(scans() + "/?.h5", "-o", at("{folder}-{name}-{plan}.mha"), "--dry-run")
    assert [row["output"] for row in pattern["rows"]] == [at("scans-a-default.mha"), at("scans-b-default.mha")]
    plans = batch(at("hann.json"), "-o", at("by-plan"))
    assert plans["rows"][0]["scan"] == at("scans/b.h5") and plans["rows"][0]["output"] == at("by-plan/hann.mha")
    assert read_json("compare", "--json", "-q", at("by-plan/hann.mha"), at("hann.mha"))["max_abs"] == 0
    bad = batch(scans(), "-o", at("bad/{name}.mha"), "--set", "geometry.beam=cone", "--dry-run", status=1)
    assert states(bad) == ["failed", "failed"] and "distance" in bad["rows"][0]["reason"], bad
    os.mkdir(at("empty"))
    fails("batch", at("empty"), "-o", at("x.mha"), status=2, words="holds no scan")


@test("outputs that are there stay, unless they are to be replaced; what is read is never overwritten")
def _():
    shutil.rmtree(at("kept"), ignore_errors=True)
    batch(scans(), "-o", at("kept"))
    before = open(at("kept/a.mha"), "rb").read()
    os.remove(at("kept/b.mha"))
    summary = batch(scans(), "-o", at("kept"), "--set", "window=hann", status=1)
    assert states(summary) == ["failed", "done"] and open(at("kept/a.mha"), "rb").read() == before
    assert states(batch(scans(), "-o", at("kept"), "--skip")) == ["there", "there"]
    assert states(batch(scans(), "-o", at("kept"), "--set", "window=hann", "--replace")) == ["done", "done"]
    assert open(at("kept/a.mha"), "rb").read() != before
    scan = open(at("scans/b.h5"), "rb").read()
    write("own.txt", "scans/a.h5 output=scans/b.h5\nscans/b.h5\n")
    fails("batch", at("own.txt"), "--replace", "-o", at("own-{name}.mha"), status=2, words=["would overwrite", "b.h5"])
    assert open(at("scans/b.h5"), "rb").read() == scan and not os.path.exists(at("own-b.mha"))
    fails("batch", scans(), "-o", at("one.mha"), status=2, words=["both be written", "{name}"])
    fails("batch", scans(), "-o", at("{nane}.mha"), status=2, words="{nane} stands for nothing")
    fails("batch", scans(), status=2, words="-o PATTERN")
    fails("batch", scans(), "-o", at("x"), "--set", "windw=hann", status=2, words="windw")
    fails("batch", write("bad.txt", "scans/a.h5\nscans/b.h5 plane=x\n"), "-o", at("x"), status=2, words=["line 2", "plan=FILE", "plane=x"])
    fails("batch", write("open.txt", 'scans/a.h5 output="x\n'), "-o", at("x"), status=2, words="line 1")
    fails("batch", at("*.nothing"), "-o", at("x"), status=2, words="No file fits")


@test("warnings are told, and fail a strict batch")
def _():
    views, columns = 20, 24  # a disc over 90 degrees: the centre is not found
    with open(at("quarter.raw"), "wb") as file:
        row = [0.2 * math.sqrt(max(0, 64 - (i - 11.5) ** 2)) for i in range(columns)]
        file.write(struct.pack(f"<{views * columns}f", *row * views))
    write("quarter.json", json.dumps({"files": {"raw": "quarter.raw", "type": "float32", "dims": [columns, 1, views]}, "beam": "parallel",
                                      "values": "line integrals", "pixel_mm": 1, "angles_deg": {"first": 0, "step": 4.5}}))
    for strict in (0, 1):
        done = run("batch", at("quarter.json"), *[scans() + "/a.h5"] * strict, *NO_DEVICE, "--json", "-q", "-o", at(f"strict{strict}"), *["--strict"] * strict, status=strict)
        summary = json.loads(done.stdout)
        assert states(summary) == [["done"], ["doubtful", "done"]][strict] and len(summary["rows"][0]["warnings"]) > 0
        assert "warning: " in done.stderr and "centre" in done.stderr, done.stderr
        assert os.path.exists(at(f"strict{strict}/quarter.mha"))


@test("Ctrl+C ends the present one; the table tells what was done and what was not")
def _():
    run("simulate", "--detector", "96x96", "--views", 120, "--pixel", 2, "-q", "-o", at("slow.h5"))
    reconstruct(scans() + "/a.h5", "--set", "kernel=textbook", "--set", "precision=float64", "--save-plan", at("slow.json"), "-o", at("x.mha"))
    write("slow.txt", "scans/a.h5\nslow.h5 plan=slow.json\nscans/b.h5\n")
    process = subprocess.Popen([PROGRAM, "batch", at("slow.txt"), "-o", at("slow"), "--json", *NO_DEVICE], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while "2 of 3" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    summary = json.loads(out)
    assert process.returncode == 1 and states(summary) == ["done", "interrupted", "not begun"], summary
    assert os.listdir(at("slow")) == ["a.mha"]
    assert states(batch(at("slow.txt"), "-o", at("slow"), "--skip", "--dry-run")) == ["there", "ready", "ready"]


@test("what happens is told line by line")
def _():
    told = run("batch", scans() + "/a.h5", at("nothing.h5"), "-o", at("events/"), *NO_DEVICE, "--events", status=1).stdout
    lines = [json.loads(line) for line in told.splitlines()]
    assert [row["state"] for row in lines[0]["rows"]] == ["not begun"] * 2
    changes = [line for line in lines[1:] if "state" in line]
    assert [(line["row"], line["state"]) for line in changes] == [(1, "running"), (1, "done"), (2, "running"), (2, "failed")]
    assert changes[1]["output"] == at("events/a.mha") and os.path.exists(at("events/a.mha")) and "nothing.h5" in changes[3]["reason"]


sys.exit(main())
