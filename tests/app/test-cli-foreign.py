#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli and files that are not what their names say. test-cli-foreign.py PROGRAM. Speaks TAP."""

import gzip
import json
import os
import random
import resource
import subprocess
import sys

from cli_driver import at, fails, main, PROGRAM, run, test

ENDINGS = "h5 gantry json mha mhd nrrd nhdr nii nii.gz npy npz png tif bmp edf fits mrc mat txm raw rctd csv"


@test("nothing waits for who would write into a FIFO, and devices are not read")
def _():
    for ending in ENDINGS.split():
        os.mkfifo(at("pipe." + ending))
        fails("info", at("pipe." + ending), status=1, words="is not a regular file")
    os.symlink("/dev/zero", at("zero.png"))
    fails("info", at("zero.png"), status=1, words="is not a regular file")


def write(name, content):
    with open(at(name), "wb") as file:
        file.write(content)
    return at(name)


def within(mebibytes, *arguments):
    """What ran with that much memory for data at most."""
    return subprocess.run([PROGRAM, *arguments], stderr=subprocess.PIPE, text=True, timeout=100,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (mebibytes << 20, mebibytes << 20)))


@test("lists of a batch are text of a size that can be one")
def _():
    os.mkfifo(at("pipe.list"))
    os.symlink("/dev/zero", at("zero.txt"))
    for name in ("pipe.list", "zero.txt"):
        fails("batch", at(name), "-o", at("x"), status=2, words="is not a regular file")
    os.truncate(write("long.txt", b"a.h5\n"), 10 << 30)
    fails("batch", at("long.txt"), "-o", at("x"), status=2, words="too large")
    fails("batch", write("zero bytes.txt", b"a.h5 \0output=b.mha\n"), "-o", at("x"), status=2, words="it holds zero bytes")
    large = write("large.txt", b"#" + bytes(60 << 20).replace(b"\0", b"x"))
    done = within(60, "batch", large, "-o", at("x"))
    assert done.returncode == 1 and "memory" in done.stderr and done.stderr.count("\n") == 1, done
    # no line end behind the last line
    told = run("batch", write("end.txt", b"# c\r\nnone.h5\r\nnone.h5 output=c.mha"), "-o", at("{number}.mha"), "-q", "--json", status=1).stdout
    assert [os.path.basename(row["output"] or "") for row in json.loads(told)["rows"]][1:] == ["c.mha"] and "line 3" not in told, told


@test("text files are UTF-8 with a mark or without; UTF-16 is told")
def _():
    run("simulate", "--geometry", "parallel", "--detector", "16x2", "--views", 8, "-q", "-o", at("scan.h5"))
    run("reconstruct", at("scan.h5"), "--set", "device=none", "-q", "-o", at("v.mha"), "--save-plan", at("plan.json"))
    write("frames.raw", bytes(16 * 2 * 8))
    described = json.dumps({"files": {"raw": "frames.raw", "type": "uint8", "dims": [16, 2, 8]}, "beam": "parallel",
                            "angles_deg": {"file": "angles.txt"}}).encode()
    angles = b"".join(b"%d\n" % (20 * i) for i in range(8))
    write("angles.txt", b"\xef\xbb\xbf" + angles)
    with open(at("plan.json"), "rb") as file:
        plan = file.read()
    for mark in (b"", b"\xef\xbb\xbf"):
        write("mark-plan.json", mark + plan)
        write("mark.json", mark + described)
        run("reconstruct", at("scan.h5"), "--plan", at("mark-plan.json"), "-q", "-o", at("v.mha"))
        run("info", at("mark.json"))
        run("batch", write("mark.txt", mark + b"scan.h5\n"), "-o", at("marked-{number}.mha"), "--replace", "-q")
    write("wide-plan.json", plan.decode().encode("utf-16"))
    write("wide.json", described.decode().encode("utf-16"))
    words = "text in UTF-16"
    fails("reconstruct", at("scan.h5"), "--plan", at("wide-plan.json"), "-o", at("v.mha"), status=1, words=words)
    fails("info", at("wide.json"), status=1, words=words)
    fails("batch", write("wide.txt", "scan.h5\n".encode("utf-16")), "-o", at("x.mha"), status=2, words=words)
    write("angles.txt", angles.decode().encode("utf-16"))
    fails("info", at("mark.json"), status=1, words=words)


@test("no more threads are taken from OMP_NUM_THREADS than --threads may be")
def _():
    run("simulate", "--geometry", "parallel", "--detector", "16x2", "--views", 8, "-q", "-o", at("threads.h5"))
    for number in ("100000", "1000000000", "100000,4"):
        for more in ({}, {"GOMP_SPINCOUNT": "100"}, {"LD_PRELOAD": "libm.so.6"}):
            done = subprocess.run([PROGRAM, "reconstruct", at("threads.h5"), "--set", "device=none", "-q", "-o", at("threads.mha")],
                                  env={**os.environ, "OMP_NUM_THREADS": number, **more}, stderr=subprocess.PIPE, text=True, timeout=100)
            assert done.returncode == 0 and not done.stderr, (number, more, done)


def member(data, size=0):
    """One of a gzip file; size: its bytes, by the name in its header."""
    packed = gzip.compress(data, 1, mtime=0)
    if size:
        packed = packed[:3] + b"\x08" + packed[4:10] + b"n" * (size - len(packed) - 1) + b"\0" + packed[10:]
    return packed


@test("a gzip file may have several members")
def _():
    nx, ny, nz = 128, 128, 24
    data = random.Random(1).randbytes(nx * ny * nz)
    head = f"NRRD0004\ntype: uint8\ndimension: 3\nsizes: {nx} {ny} {nz}\nencoding: %s\nspacings: 1 1 1\n\n"
    first, rest = data[:200000], data[200000:]
    write("plain.nrrd", (head % "raw").encode() + data)
    # the second begins before, across and behind the end of a piece of 256 KiB
    for packed in [member(first, (256 << 10) - 2 + i) + member(rest) for i in range(4)] + \
            [member(b"") + b"".join(member(data[i:i + 999]) for i in range(0, len(data), 999)) + member(b"")]:
        write("members.nrrd", (head % "gzip").encode() + packed)
        assert json.loads(run("compare", "--json", "-q", at("plain.nrrd"), at("members.nrrd")).stdout)["max_abs"] == 0
    write("more.nrrd", (head % "gzip").encode() + member(data) + member(b"x"))
    fails("info", at("more.nrrd"), "--volume", "--values", status=1, words="holds more samples")
    write("cut.nrrd", (head % "gzip").encode() + (member(first) + member(rest))[:-20])
    fails("info", at("cut.nrrd"), "--volume", "--values", status=1, words="ends early")


@test("headers are read by pieces, and to a limit")
def _():
    for ending, start in (("mha", b"ObjectType = Image\n"), ("nrrd", b"NRRD0004\n")):
        for begin, words in ((b"", "not text"), (start, "not text"), (start + b"#" * (40 << 20), "longer than 16 MiB")):
            os.truncate(write("sparse." + ending, begin), 10 << 30)
            done = within(150, "info", at("sparse." + ending))
            assert done.returncode == 1 and words in done.stderr, (ending, words, done)


@test("a header of raw samples that is none is told")
def _():
    write("piped.raw", b"abc")
    os.mkfifo(at("piped.raw.json"))
    fails("info", at("piped.raw"), status=1, words="piped.raw.json is not a regular file")


@test("a stack that is too small for HDF5 is told, and no damage")
def _():
    run("simulate", "--geometry", "parallel", "--detector", "16x2", "--views", 8, "-q", "-o", at("small.h5"))
    done = subprocess.run(["sh", "-c", 'ulimit -s 32 && exec "$0" info "$1"', PROGRAM, at("small.h5")], capture_output=True, text=True)
    assert done.returncode == 1 and "the stack is limited to 32 KiB" in done.stderr and "damaged" not in done.stderr, done


sys.exit(main())
