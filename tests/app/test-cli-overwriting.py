#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What no output of gantry-cli may take the place of: files that others wrote, and what is read. test-cli-overwriting.py PROGRAM.
Speaks TAP."""

import json
import os
import shutil
import signal
import subprocess
import sys

from cli_driver import at, fails, main, PROGRAM, run, test

NO_DEVICE = ["--set", "device=none", "-q"]


def scan(name="s.h5", columns=24):
    if not os.path.exists(at(name)):
        run("simulate", "--geometry", "parallel", "--detector", f"{columns}x4", "--views", 20, "--pixel", 4, "-q", "-o", at(name))
    return at(name)


def content(name):
    with open(at(name), "rb") as file:
        return file.read()


def put(name, words="of somebody else\n"):
    with open(at(name), "w") as file:
        file.write(words)
    return at(name)


def folder(name):
    os.mkdir(at(name))
    return name


def kept(arguments, files, words, status=1):
    """The command fails with these words, and the files are what they were."""
    before = {name: content(name) for name in files}
    fails(*arguments, status=status, words=words)
    assert before == {name: content(name) for name in files}, arguments


def reconstruct(output, *more):
    return ["reconstruct", scan(), *NO_DEVICE, *more, "-o", at(output)]


@test("samples and headers beside a volume are not those of another file")
def _():
    f = folder("beside")
    put(f + "/a.raw")
    for name in ("a.mhd", "a.nhdr"):
        kept(reconstruct(f"{f}/{name}"), [f + "/a.raw"], "what is not of this volume")
        assert not os.path.exists(at(f"{f}/{name}"))
    kept(["simulate", "--views", 4, "--detector", "16x16", "-q", "-o", at("k.h5"), "--truth", at(f + "/a.mhd")], [f + "/a.raw"],
         "what is not of this volume")
    run(*reconstruct(f + "/b.raw"))
    kept(reconstruct(f + "/b.mhd"), [f + "/b.raw", f + "/b.raw.json"], "what is not of this volume")
    run(*reconstruct(f + "/c.mhd"))
    for name in ("c.nhdr", "c.raw"):
        kept(reconstruct(f"{f}/{name}"), [f + "/c.raw", f + "/c.mhd"], "c.")
    put(f + "/d.raw.json", '{"gantry_plan": 1, "parameters": {}}')
    kept(reconstruct(f + "/d.raw"), [f + "/d.raw.json"], "what is not of this volume")
    kept(reconstruct(f + "/d.raw", "--plan", at(f + "/d.raw.json")), [f + "/d.raw.json"], "would overwrite the plan", status=2)
    # A volume of one's own is replaced with what lies beside it.
    before = content(f + "/c.raw")
    run(*reconstruct(f + "/c.mhd", "--set", "filter.window=hann"))
    run(*reconstruct(f + "/b.raw", "--set", "filter.window=hann"))
    assert content(f + "/c.raw") != before and content(f + "/b.raw") == content(f + "/c.raw")


@test("two outputs meet beside a volume, too")
def _():
    f = folder("two")
    kept(reconstruct(f + "/v.raw", "--save-plan", at(f + "/v.raw.json")), [], "cannot be two outputs at once", status=2)
    for a, b in (("a.mhd", "a.nhdr"), ("a.raw", "a.mhd"), ("a.nhdr", "./a.raw")):
        put(f + "/rows.list", f"{scan()} output={at(f)}/{a}\n{scan()} output={at(f)}/{b}\n")
        fails("batch", at(f + "/rows.list"), "-q", status=2, words="would both be written to")
    assert os.listdir(at(f)) == ["rows.list"], os.listdir(at(f))


@test("a plan is not replaced by the volume that it makes")
def _():
    f = folder("plan")
    run(*reconstruct(f + "/r.mha"))
    os.link(at(f + "/r.mha"), at(f + "/same.mha"))
    for name in ("r.mha", "same.mha"):
        kept(reconstruct(f"{f}/{name}", "--plan", at(f + "/r.mha")), [f + "/r.mha"], "would overwrite the plan", status=2)


@test("a row of a batch does not write into another row's scan")
def _():
    f = folder("rows")
    run("reconstruct", scan(), *NO_DEVICE, "-o", at(f + "/b.raw"))
    os.remove(at(f + "/b.raw.json"))
    frames = os.path.getsize(at(f + "/b.raw")) // (24 * 4 * 4)
    put(f + "/two.scan.json", json.dumps({"beam": "parallel", "files": {"raw": "b.raw", "type": "float32", "dims": [24, 4, frames]},
                                          "values": "line integrals"}))
    run("info", at(f + "/two.scan.json"))
    put(f + "/l.list", f"{scan()} output={at(f)}/b.mhd\n{at(f)}/two.scan.json output={at(f)}/c.mha\n")
    kept(["batch", at(f + "/l.list"), "-q"], [f + "/b.raw"], "would overwrite what is read", status=2)


@test("a batch keeps what came to be while it worked")
def _():
    f = folder("meanwhile")
    slow = ["--set", "device=none", "--set", "kernel=textbook"]
    process = subprocess.Popen([PROGRAM, "batch", scan("big.h5", 400), *slow, "-o", at(f + "/x.mha")], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    while not process.stderr.readline().startswith("1 of 1"):
        assert process.poll() is None
    process.send_signal(signal.SIGSTOP)
    put(f + "/x.mha")
    process.send_signal(signal.SIGCONT)
    words, _ = process.communicate(timeout=100)
    assert process.returncode == 1 and "since the work on it began" in words, (process.returncode, words)
    assert content(f + "/x.mha") == b"of somebody else\n" and os.listdir(at(f)) == ["x.mha"], os.listdir(at(f))


@test("NumPy's archives are read, and not written as something else")
def _():
    f = folder("archive")
    fails(*reconstruct(f + "/z.npz"), status=1, words="Give the output the extension .npy")
    assert not os.listdir(at(f))
    shutil.rmtree(at(f))


sys.exit(main())
