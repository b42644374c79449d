#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of gantry-cli share: running it, reading what it wrote, speaking TAP. The program is the first argument."""

import array
import json
import math
import os
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
                          timeout=200)
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
