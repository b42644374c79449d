#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of docs/iterative.md: make-iterative-pictures.py PROGRAM DATA FOLDER. PROGRAM is gantry-cli, DATA the folder with
htc2022-ta.h5 and lotus.h5. Each scan gives one strip: direct from all views, then direct, SART and total variation from 60 of
them. Prints the error of each against the first. Needs nothing beyond Python itself."""

import os
import re
import struct
import subprocess
import sys
import tempfile
import zlib

SIDE, GAP = 384, 4

# What the files do not say (geometry), how 60 of the views are taken, and the grey window in 1/mm.
SCANS = {
    "htc2022": dict(file="htc2022-ta.h5", window="0,0.055", weight="auto", views=["scan.view_step=12", "scan.view_count=60"],
                    geometry=["beam=fan", "sod=410.66", "sdd=553.74", "pixel_u=0.2", "centre.column=279.5"]),
    "lotus": dict(file="lotus.h5", window="0,0.09", views=["scan.view_step=6"],
                  geometry=["beam=fan", "sod=540", "sdd=630", "pixel_u=0.05", "scan.bin=4", "centre.column=1114"], weight="0.0004"),
}
METHODS = [
    ("direct, all views", False, ["iterative.method=fbp"]),
    ("direct, 60 views", True, ["iterative.method=fbp"]),
    ("SART, 60 views", True, ["iterative.method=sart", "iterations=10", "nonnegative=yes"]),
    ("total variation, 60 views", True, ["iterative.method=fista-tv", "iterations=100", "nonnegative=yes"]),
]


def read_grey(path):
    """Rows of an 8-bit grey PNG."""
    with open(path, "rb") as file:
        content = file.read()
    width, height, bits, kind = struct.unpack(">IIBB", content[16:26])
    assert (bits, kind) == (8, 0), (bits, kind)
    data, at = b"", 8
    while at < len(content):
        length, = struct.unpack(">I", content[at:at + 4])
        if content[at + 4:at + 8] == b"IDAT":
            data += content[at + 8:at + 8 + length]
        at += length + 12
    raw, rows, before = zlib.decompress(data), [], bytes(width)
    for n in range(height):
        line = bytearray(raw[n * (width + 1) + 1:(n + 1) * (width + 1)])
        kind = raw[n * (width + 1)]
        for i in range(width):
            a, b, c = line[i - 1] if i else 0, before[i], before[i - 1] if i else 0
            paeth = a if abs(b - c) <= abs(a - c) and abs(b - c) <= abs(a + b - 2 * c) else b if abs(a - c) <= abs(a + b - 2 * c) else c
            line[i] = (line[i] + (0, a, b, (a + b) // 2, paeth)[kind]) & 255
        before = bytes(line)
        rows.append(before)
    return rows


def write_grey(path, rows):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 0, 0, 0, 0)
    # Each row as differences of the one above, which pack best.
    before, packed = bytes(len(rows[0])), b""
    for row in rows:
        packed += b"\2" + bytes((a - b) & 255 for a, b in zip(row, before))
        before = row
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(packed, 9)) + chunk(b"IEND", b""))


def run(*arguments):
    done = subprocess.run(arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout + done.stderr


def make(program, data, folder, name, scan):
    pictures, reference = [], None
    with tempfile.TemporaryDirectory() as work:
        for n, (title, sparse, method) in enumerate(METHODS):
            volume, picture = os.path.join(work, f"{n}.mha"), os.path.join(work, f"{n}.png")
            settings = scan["geometry"] + (scan["views"] if sparse else []) + method + [f"tv_weight={scan['weight']}", f"reconstruction.nx={SIDE}"]
            arguments = [word for setting in settings for word in ("--set", setting)]
            words = run(program, "reconstruct", os.path.join(data, scan["file"]), *arguments, "-o", volume)
            run(program, "slice", "--window", scan["window"], volume, "-o", picture)
            pictures.append(read_grey(picture))
            reference = reference or volume
            against = run(program, "compare", volume, reference)
            error = re.search(r"RMSE\s+(\S+) /mm, (\S+) %", against)
            similar = re.search(r"SSIM\s+(\S+)", against)
            took = re.search(r"views in ([^,]+)", words)
            print(f"| {name} | {title} | {error.group(2)} % | {similar.group(1)} | {took.group(1)} |", flush=True)
    gap = bytes([255] * GAP)
    write_grey(os.path.join(folder, f"iterative-{name}.png"), [gap.join(rows) for rows in zip(*pictures)])


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, data, folder = sys.argv[1:]
    print("| scan | picture | difference to the first | SSIM to the first | seconds |\n|---|---|---|---|---|")
    for name, scan in SCANS.items():
        make(program, data, folder, name, scan)


main()
