#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""File names that are no UTF-8, of several lines, or that lead nowhere. test-cli-names.py PROGRAM. Speaks TAP; needs nothing
beyond Python itself."""

import json
import os
import shutil
import subprocess
import sys

from cli_driver import PROGRAM, at, main, small_scan, test

SMALL = ["--set", "nx=16", "--set", "ny=16", "--set", "nz=6", "-q"]


def run(*arguments, status=0):
    """Standard output and error, which have to be UTF-8; names are given as bytes or text, in the test's folder."""
    done = subprocess.run([PROGRAM, *map(os.fsencode, arguments)], capture_output=True, cwd=at(""), timeout=100)
    assert done.returncode == status, (arguments, done.stderr)
    words = done.stdout.decode() + done.stderr.decode()
    assert not any(ord(c) < 32 and c != "\n" for c in words), repr(words)
    return done.stdout.decode(), done.stderr.decode()


def make_scan(name):
    small_scan()
    shutil.copy(at("small.h5"), os.path.join(os.fsencode(at("")), name))
    return name


@test("a scan whose name is no UTF-8 is told, reconstructed, and found again by its plan")
def _():
    scan = make_scan(b"b\xf6se\xff\xee\xbe\x80.h5")  # stray bytes, and a character that stands for one
    out, _ = run("info", scan)
    assert out.startswith("b\ufffdse\ufffd\uef80.h5: a scan\n"), out
    kept = json.loads(run("info", "--json", scan)[0])["path"]
    assert kept == "b\ueff6se\uefff\uefee\uefbe\uef80.h5", kept
    for extension in b"mha", b"nhdr", b"raw", b"h5":
        volume = b"v\xf6-of-" + extension + b"." + extension
        run("reconstruct", scan, *SMALL, "--save-plan", b"p\xe9.json", "-o", volume)
        out, _ = run("info", "-q", volume)
        assert out.startswith(f"v\ufffd-of-{extension.decode()}.{extension.decode()}: a volume\n") and "b\ufffdse" in out, out
    with open(os.path.join(os.fsencode(at("")), b"p\xe9.json"), encoding="utf-8") as file:
        assert json.load(file)["input"]["path"].endswith(kept)
    out, _ = run("batch", b"p\xe9.json", "-o", "made", "-q")
    assert "b\ufffdse" in out and os.path.exists(os.path.join(os.fsencode(at("made")), b"p\xe9.mha")), out
    _, words = run("info", b"gone\xe9.h5", status=1)
    assert words == "gantry-cli: gone\ufffd.h5: No such file or directory\n", words


@test("names of several lines, or that a terminal would obey, are shown in one")
def _():
    for name, shown in (b"two\nlines.h5", "two lines.h5"), (b"red\x1b[31m.h5", "red\ufffd[31m.h5"), (b"c1\xc2\x9b.h5", "c1\ufffd.h5"):
        out, _ = run("info", make_scan(name))
        assert out.startswith(shown + ": a scan\n"), out
        with open(os.path.join(os.fsencode(at("")), name), "r+b") as file:
            file.truncate(900)
        _, words = run("info", name, status=1)
        assert words.startswith(f"gantry-cli: {shown} is a cut-off") and words.count("\n") == 1, words


@test("links that lead nowhere, and headers without their data, are told as such")
def _():
    for name in "gone.h5", "gone.mha", "gone.tif":
        os.symlink("nowhere", at(name))
        _, words = run("info", name, status=1)
        assert words == f"gantry-cli: {name}: it is a link to nowhere, which is not there\n", words
    scan = make_scan(b"plain.h5")
    for header, data in ("w.nhdr", "w.raw"), ("w.mhd", "w.raw"):
        run("reconstruct", scan, *SMALL, "-o", header)
        os.unlink(at(data))
        _, words = run("info", header, status=1)
        assert words == f"gantry-cli: {header}: its data file {data} is not there. Put it there, or name another one.\n", words
        os.symlink("nowhere", at(data))
        _, words = run("slice", header, "-o", "x.png", status=1)
        assert words.startswith(f"gantry-cli: {header}: ") and "it is a link to nowhere" in words, words
        os.unlink(at(data))


@test("outputs that are links to nowhere or to themselves are told as such, before the work")
def _():
    scan = make_scan(b"plain.h5")
    os.symlink("none/goal", at("away.mha"))
    os.symlink("round.mha", at("round.mha"))
    for name, why in ("away.mha", "a link to none/goal, which is not there"), ("round.mha", "a link that leads back to itself"):
        _, words = run("reconstruct", scan, *SMALL, "-o", name, status=1)
        assert words == f"gantry-cli: Cannot write {name}: it is {why}\n", words
        assert os.path.islink(at(name))


sys.exit(main())
